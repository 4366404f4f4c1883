/** Who holds the state folder, and where that process listens: by what the kernel tells in /proc, so only on Linux. */
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LockFacts } from './facts.ts';

const NOBODY: LockFacts = { pid: null, listensIn: null };

/** The process that has locked inode `inode`, by a text like that of /proc/locks; null: none, or none that can be seen. */
export function holderOf(locks: string, inode: number): number | null {
  // `1: POSIX  ADVISORY  WRITE 4711 fd:01:1234 1073741824 1073742335`; waiting ones have an arrow after the number.
  for (const [, pid, locked] of locks.matchAll(/^\d+: \w+ +\w+ +WRITE +(\d+) [\da-f]+:[\da-f]+:(\d+) /gm)) {
    if (Number(locked) === inode && Number(pid) > 0) return Number(pid);
  }
  return null;
}

/** Inode and folder of each listening socket with a path, by a text like that of /proc/net/unix. */
export function listenersIn(unix: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, inode, path] of unix.matchAll(/^[\da-f]+: \d+ \d+ 00010000 \d+ \d+ +(\d+) (\/.*)$/gim))
    found.set(inode!, dirname(path!));
  return found;
}

function inodesOf(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(join(folder, fd)))?.[1] ?? [];
    } catch {
      // Closed meanwhile.
      return [];
    }
  });
}

function foldersOf(pid: number): readonly string[] | null {
  try {
    const listeners = listenersIn(readFileSync('/proc/net/unix', 'latin1'));
    const folders = inodesOf(pid).flatMap((inode) => listeners.get(inode) ?? []);
    return folders.length === 0 ? null : [...new Set(folders)];
  } catch {
    return null;
  }
}

/** Who holds the state folder; nobody when it is free or cannot be told. */
export function lookAtLock(stateFolder: string): LockFacts {
  try {
    const { ino } = statSync(join(stateFolder, 'companion.lock'));
    const pid = holderOf(readFileSync('/proc/locks', 'latin1'), ino);
    return pid === null ? NOBODY : { pid, listensIn: foldersOf(pid) };
  } catch {
    return NOBODY;
  }
}
