/**
 * Real pipes for a program's streams. What Node makes for a child are sockets, and a program that opens /dev/stdin or
 * /dev/stdout by name, as shell scripts do, fails on one.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Pipe {
  readonly readFd: number;
  readonly writeFd: number;
}

/** Both ends of the named pipe at `path`, each a description of its own: one made non-blocking leaves the other as it is. */
function openEnds(path: string): Pipe {
  // An end opened alone would wait for the other one.
  const both = openSync(path, constants.O_RDWR);
  try {
    return { readFd: openSync(path, constants.O_RDONLY), writeFd: openSync(path, constants.O_WRONLY) };
  } finally {
    closeSync(both);
  }
}

/** Makes `count` pipes whose names are gone again when this returns; null where that cannot be done. */
export function makePipes(count: number, runtimeFolder: string | undefined): readonly Pipe[] | null {
  let folder: string | null = null;
  try {
    folder = mkdtempSync(join(runtimeFolder ?? tmpdir(), 'companion-pipes-'));
    const paths = Array.from({ length: count }, (_, index) => join(folder!, String(index)));
    if (spawnSync('mkfifo', ['-m', '600', ...paths], { stdio: 'ignore' }).status !== 0) return null;
    return paths.map(openEnds);
  } catch {
    return null;
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }
}
