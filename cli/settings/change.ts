/** Puts something of ours into a file of another program's, and takes exactly that out again. */
import { makeFolderOf, removeFolders } from '../desktop/own-files.ts';
import type { Edited } from './edit/edit.ts';
import { readSettings, refuseFile, removeSettings, replaceSettings, type SettingsFile } from './file.ts';
import type { Records } from './record.ts';

export interface Change {
  readonly file: string;
  readonly changed: boolean;
  /** Where the file as it was is kept; null: it is unchanged, or was not there. */
  readonly backup: string | null;
}

/** How what is ours is put into a text and taken out; `before` is what the file was when it was put in, null when nobody knows. */
export interface Ours {
  put(text: string): Edited;
  remove(text: string, before: string | null): Edited;
}

/** The text of an edit. Error: REFUSED. */
function textOf(edited: Edited, path: string): string {
  if ('fault' in edited) throw refuseFile(path, edited.fault);
  return edited.text;
}

/** Makes the folder; returns how many levels were missing. Error: REFUSED. */
function makeFolder({ path, target }: SettingsFile): number {
  try {
    return makeFolderOf(target);
  } catch (error) {
    throw refuseFile(path, `its folder cannot be made (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Puts what is ours into the file at `path`; where it is already, nothing is written. Error: REFUSED. */
export function putOurs(path: string, ours: Ours, records: Records): Change {
  const file = readSettings(path);
  const { target, text } = file;
  const after = textOf(ours.put(text ?? ''), path);
  if (after === text) return { file: path, changed: false, backup: null };
  const known = records.find(target, text);
  const made = text === null ? makeFolder(file) : 0;
  const before =
    known?.isLatest === true
      ? known
      : { text: text === null ? null : textOf(ours.remove(text, known?.text ?? null), path), folders: made };
  records.keep(target, before, after);
  try {
    replaceSettings(file, after);
  } catch (error) {
    if (known === null) records.forget(target);
    removeFolders(target, made);
    throw error;
  }
  return { file: path, changed: true, backup: before.text === null ? null : records.backupOf(target) };
}

/** What the file becomes without what is ours: the very bytes it was, unless somebody has changed it since. */
function withoutOurs(path: string, text: string, ours: Ours, known: ReturnType<Records['find']>): string | null {
  if (known?.isLatest === true) return known.text;
  const left = textOf(ours.remove(text, known === null ? null : (known.text ?? '')), path);
  return known?.text === null && /^\s*(\{\s*\})?\s*$/.test(left) ? null : left;
}

/** Takes what is ours out of the file at `path`. Error: REFUSED. */
export function removeOurs(path: string, ours: Ours, records: Records): Change {
  const file = readSettings(path);
  const { target, text } = file;
  if (text === null) return { file: path, changed: false, backup: null };
  const known = records.find(target, text);
  const left = withoutOurs(path, text, ours, known);
  const changed = left !== text;
  if (left === null) {
    removeSettings(file);
    removeFolders(target, known?.folders ?? 0);
  } else if (changed) replaceSettings(file, left);
  records.forget(target);
  return { file: path, changed, backup: null };
}
