/** Folders, socket, state and keys as they are; opens nothing that could be changed by it. */
import { accessSync, constants, lstatSync, type Stats, statfsSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, isAbsolute, join } from 'node:path';
import type { Paths } from '../../server/protocol/paths.ts';
import { CompanionError } from '../companion-error.ts';
import type { Io } from '../io.ts';
import { credentialFile, listProfiles, readCredential } from '../profiles.ts';
import type { Entry, Facts, SocketFacts, StateFacts, StateFault } from './facts.ts';

/** `sockaddr_un.sun_path` less its closing zero. */
const MAX_PATH_BYTES = 107;
const DIAL_LIMIT_MS = 1_000;

function kindOf(stat: Stats): Entry['kind'] {
  if (stat.isSymbolicLink()) return 'link';
  if (stat.isDirectory()) return 'folder';
  if (stat.isSocket()) return 'socket';
  return stat.isFile() ? 'file' : 'other';
}

/** What is at `path`, a link itself rather than what it leads to; null: nothing, or nothing that may be seen. */
export function entryAt(path: string, look: typeof lstatSync = lstatSync): Entry | null {
  try {
    const stat = look(path);
    return { kind: kindOf(stat), isOwn: stat.uid === process.getuid?.(), mode: stat.mode & 0o7777 };
  } catch {
    return null;
  }
}

/** Somebody listens on the socket at `path`; sends nothing. */
function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (alive: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(alive);
    };
    const timer = setTimeout(() => end(true), DIAL_LIMIT_MS);
    socket.once('connect', () => end(true));
    // A full backlog: too busy to be dead.
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code === 'EAGAIN'));
  });
}

export async function lookAtSocket(
  env: Io['env'],
  { socketPath, runtimeFolder }: Paths,
): Promise<Omit<SocketFacts, 'fault'>> {
  const base = env.XDG_RUNTIME_DIR ?? '';
  const entry = entryAt(socketPath);
  return {
    path: socketPath,
    folder: runtimeFolder,
    pathBytes: Buffer.byteLength(socketPath),
    maxPathBytes: MAX_PATH_BYTES,
    // A link of the system's own is no fault there.
    runtimeBase: isAbsolute(base) ? { path: base, entry: entryAt(base, statSync as typeof lstatSync) } : null,
    isNamed: Boolean(env.COMPANION_SOCKET),
    folderEntry: entryAt(runtimeFolder),
    entry,
    isAlive: entry?.kind === 'socket' && (await isAlive(socketPath)),
  };
}

/** `path`, or the nearest folder above it that is there. */
function nearest(path: string): string {
  let at = path;
  while (entryAt(at) === null && dirname(at) !== at) at = dirname(at);
  return at;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function freeBytes(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return null;
  }
}

/** Files of the state folder with which the companion starts, or not at all. */
const DATABASE = 'companion.db';
const SECRET = 'secret';
const LOCK = 'companion.lock';

function stateFaults(folder: string): readonly StateFault[] {
  const at = (name: string): Entry | null => entryAt(join(folder, name));
  const odd = [DATABASE, SECRET, LOCK]
    .filter((name) => (at(name)?.kind ?? 'file') !== 'file')
    .map((name): StateFault => ({ path: join(folder, name), why: 'no file' }));
  const secret = at(SECRET);
  const path = join(folder, SECRET);
  if (secret === null && at(DATABASE)?.kind === 'file') return [...odd, { path, why: 'missing' }];
  if (secret?.kind === 'file' && (secret.mode & 0o077) !== 0) return [...odd, { path, why: 'open' }];
  return odd;
}

export function lookAtState({ stateFolder }: Paths): StateFacts {
  const place = nearest(stateFolder);
  return {
    folder: stateFolder,
    entry: entryAt(stateFolder),
    isWritable: isWritable(place),
    freeBytes: freeBytes(place),
    logFile: join(stateFolder, 'companion.log'),
    faults: stateFaults(stateFolder),
  };
}

/** Reads each profile as a command would, and keeps no key. */
export function lookAtCredentials({ credentialsFolder: folder }: Paths): Facts['credentials'] {
  const profiles = listProfiles(folder);
  const faults = profiles.flatMap((profile) => {
    try {
      readCredential(folder, profile);
      return [];
    } catch (error) {
      const isUnsafe = error instanceof CompanionError && error.code === 'CREDENTIAL_UNSAFE';
      return [{ profile, file: credentialFile(folder, profile), isUnsafe }];
    }
  });
  return { folder, folderEntry: entryAt(folder, statSync as typeof lstatSync), faults, count: profiles.length };
}
