/** The numbers that `notify-send -p` prints and `-r` takes, each a small file that names its request: no lock, and never half a file. */
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Older ones are forgotten: their cards have long gone. */
const MOST_KEPT = 256;
export const MAX_ID = 2 ** 31 - 1;
/** Of two that take one number at the same moment, each sees to the other's a few times at most. */
const MOST_TRIES = 100;

export interface NoteIds {
  /** Gives the request a number that none has. */
  add(requestId: string): number;
  /** Gives the request this number; whatever had it before is handed to `replaced`, once each. */
  put(id: number, requestId: string, replaced: (requestId: string) => void): void;
}

const isNumber = (name: string): boolean => /^[1-9]\d{0,9}$/.test(name);
const exists = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST';

/** The request in a file, which goes with the reading; null when somebody else was faster. */
function take(path: string): string | null {
  const mine = `${path}.${process.pid}.old`;
  try {
    renameSync(path, mine);
    const requestId = readFileSync(mine, 'utf8');
    rmSync(mine, { force: true });
    return requestId;
  } catch {
    return null;
  }
}

function forgetOldest(folder: string, names: readonly string[]): void {
  const aged = names.map((name) => {
    const path = join(folder, name);
    return { path, writtenAt: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
  });
  aged.sort((one, other) => other.writtenAt - one.writtenAt);
  for (const { path } of aged.slice(MOST_KEPT)) rmSync(path, { force: true });
}

/** The numbers kept in `folder`, which is made, for its owner only, when there is none. Throws what the file system says. */
export function openNoteIds(folder: string): NoteIds {
  mkdirSync(folder, { recursive: true, mode: 0o700 });

  /** Puts a whole file at that number; false when there is one. */
  const claim = (id: number, requestId: string): boolean => {
    const draft = join(folder, `${process.pid}.${id}.new`);
    try {
      writeFileSync(draft, requestId, { mode: 0o600 });
      // Unlike a renaming, a link never takes the place of another file.
      linkSync(draft, join(folder, String(id)));
      return true;
    } catch (error) {
      if (exists(error)) return false;
      throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  };

  return {
    add: (requestId) => {
      const names = readdirSync(folder).filter(isNumber);
      if (names.length >= MOST_KEPT) forgetOldest(folder, names);
      const last = Math.max(0, ...names.map(Number));
      let id = last < MAX_ID ? last + 1 : 1;
      while (!claim(id, requestId)) id = id < MAX_ID ? id + 1 : 1;
      return id;
    },
    put: (id, requestId, replaced) => {
      const path = join(folder, String(id));
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        const before = take(path);
        if (before !== null) replaced(before);
        if (claim(id, requestId)) return;
      }
    },
  };
}
