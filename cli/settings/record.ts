/** What a file of somebody else's was before we changed it: a backup for the user, and what makes undoing it exact. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { writeWhole } from '../files.ts';

interface Record {
  readonly file: string;
  /** SHA-256 of what we have written; another one: somebody has changed it since. */
  readonly after: string;
  /** The file was not there. */
  readonly isNew: boolean;
  /** How many folders were made for it. */
  readonly folders: number;
}

export interface Before {
  /** null: there was no file. */
  readonly text: string | null;
  readonly folders: number;
  /** Nobody has touched the file since. */
  readonly isLatest: boolean;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Records of changed files, kept in `folder`, which is the user's alone: settings may hold secrets. */
export class Records {
  readonly #folder: string;

  constructor(stateFolder: string) {
    this.#folder = join(stateFolder, 'changed-files');
  }

  #stem(target: string): string {
    return join(this.#folder, `${digest(target).slice(0, 16)}-${basename(target)}`);
  }

  /** Where the backup of `target` is, when there is one. */
  backupOf(target: string): string {
    return `${this.#stem(target)}.before`;
  }

  /** What is known of `target`, whose text is `now`; null: nothing. */
  find(target: string, now: string | null): Before | null {
    try {
      const record = JSON.parse(readFileSync(`${this.#stem(target)}.json`, 'utf8')) as Record;
      const text = record.isNew ? null : readFileSync(this.backupOf(target), 'utf8');
      return { text, folders: record.folders, isLatest: now !== null && record.after === digest(now) };
    } catch {
      // None, or none that can be read: then removing goes by what stands in the file.
      return null;
    }
  }

  /** Keeps what `target` was, before it becomes `after`. */
  keep(target: string, { text, folders }: Omit<Before, 'isLatest'>, after: string): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const record: Record = { file: target, after: digest(after), isNew: text === null, folders };
    if (text === null) rmSync(this.backupOf(target), { force: true });
    else writeWhole(this.backupOf(target), text, 0o600);
    writeWhole(`${this.#stem(target)}.json`, `${JSON.stringify(record, null, 2)}\n`, 0o600);
  }

  forget(target: string): void {
    for (const path of [this.backupOf(target), `${this.#stem(target)}.json`]) rmSync(path, { force: true });
  }
}
