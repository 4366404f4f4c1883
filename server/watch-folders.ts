/** Hears of changes in a set of folders, those that are not there yet included, through the kernel: nothing is polled. */
import { type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** A folder, and which of the names in it matter; null: all of them. */
export interface Watched {
  readonly folder: string;
  readonly names: readonly string[] | null;
}

export interface FolderWatch {
  /**
   * What is watched from now on. Of a folder that is not there the nearest one above it is, until it comes. True: some folder is watched
   * that was not before, and of what has happened there until now nothing was heard; whoever has looked looks again.
   */
  set(watched: readonly Watched[]): boolean;
  /** Reports whether every change is heard of; false once the kernel has refused a watch. */
  isWhole(): boolean;
  close(): void;
}

interface Watch {
  readonly watcher: FSWatcher;
  /** The folder of that name may be another one by now. */
  readonly inode: number | null;
  names: ReadonlySet<string> | null;
}

/** Null: there is no such folder. */
function inodeOf(folder: string): number | null {
  const stat = statSync(folder, { throwIfNoEntry: false });
  return stat?.isDirectory() ? stat.ino : null;
}

/** What is watched while `wanted` is not there: the nearest folder above it, for the way down to it. */
function standIn(wanted: Watched): Watched {
  let { folder, names } = wanted;
  while (inodeOf(folder) === null && dirname(folder) !== folder) {
    names = [basename(folder)];
    folder = dirname(folder);
  }
  return { folder, names };
}

/** By folder, with all the names that matter there. */
function gather(watched: readonly Watched[]): ReadonlyMap<string, ReadonlySet<string> | null> {
  const all = new Map<string, ReadonlySet<string> | null>();
  for (const { folder, names } of watched.map(standIn)) {
    const before = all.get(folder);
    const either = before === null || names === null ? null : new Set([...(before ?? []), ...names]);
    all.set(folder, either);
  }
  return all;
}

/** `onChange` is called with every change that matters, many times in a burst; `onRefused` when a watch is refused, with the system's code. */
export function createFolderWatch(onChange: () => void, onRefused: (code: string) => void): FolderWatch {
  const watches = new Map<string, Watch>();
  let refused = false;

  const drop = (folder: string): void => {
    watches.get(folder)?.watcher.close();
    watches.delete(folder);
  };
  const refuse = (error: unknown): void => {
    refused = true;
    onRefused((error as NodeJS.ErrnoException).code ?? 'error');
  };

  /** Reports whether there is reason to look again. */
  const open = (folder: string, names: ReadonlySet<string> | null): boolean => {
    try {
      const inode = inodeOf(folder);
      const watcher = watch(folder, { persistent: false }, (event, name) => {
        const wanted = watches.get(folder);
        if (wanted?.watcher !== watcher) return;
        // A folder that goes tells of itself by its own name; the next one may be given the same inode.
        const isItself = event === 'rename' && name === basename(folder);
        if (isItself) drop(folder);
        if (isItself || name === null || wanted.names === null || wanted.names.has(name)) onChange();
      });
      watcher.on('error', () => {
        if (watches.get(folder)?.watcher === watcher) drop(folder);
        onChange();
      });
      watches.set(folder, { watcher, inode, names });
      return true;
    } catch (error) {
      // Gone in between: whoever set this looks again.
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isGone) refuse(error);
      return isGone;
    }
  };

  return {
    set(watched) {
      refused = false;
      const wanted = gather(watched);
      for (const [folder, { inode }] of watches) if (!wanted.has(folder) || inodeOf(folder) !== inode) drop(folder);
      let isNew = false;
      for (const [folder, names] of wanted) {
        const there = watches.get(folder);
        if (there === undefined) isNew = open(folder, names) || isNew;
        else there.names = names;
      }
      return isNew;
    },
    isWhole: () => !refused,
    close() {
      for (const folder of [...watches.keys()]) drop(folder);
    },
  };
}
