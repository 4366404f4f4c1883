/** Takes the socket's path: only in a folder that is the user's own, and never from anybody who may still be alive (spec §5). */
import { randomBytes } from 'node:crypto';
import { chmod, link, lstat, mkdir, readdir, rename, unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { basename, dirname, join } from 'node:path';

/** A companion answers on that socket already. */
export class AlreadyRunning extends Error {
  override readonly name = 'AlreadyRunning';
  readonly code = 'ALREADY_RUNNING';
  constructor() {
    super('a companion is already running on this socket');
  }
}

export type SocketFault = 'SOCKET_PATH_TOO_LONG' | 'SOCKET_FOLDER_UNSAFE' | 'SOCKET_PATH_TAKEN';

/** The path cannot be used; the message says why and what to do, and nothing was changed. */
export class SocketRefused extends Error {
  override readonly name = 'SocketRefused';
  readonly code: SocketFault;
  constructor(code: SocketFault, message: string) {
    super(message);
    this.code = code;
  }
}

/** The right to the path, in three steps: listen on `bindPath`, publish, and release when done. */
export interface SocketClaim {
  readonly bindPath: string;
  /** Gives the socket that listens on `bindPath` mode 0600 and its public name. Errors: AlreadyRunning, SocketRefused. */
  publish(): Promise<void>;
  /** Removes the public name if it still is our socket. */
  release(): Promise<void>;
}

/** `sockaddr_un.sun_path` less its closing zero. */
const MAX_PATH_BYTES = 107;
const STARTING = '.start-';

/**
 * Makes and checks the folder (0700, own, no link), and refuses when somebody answers at `socketPath` or something else
 * than a socket stands there. Several may prepare at once: `publish` decides.
 * Errors: AlreadyRunning, SocketRefused.
 */
export async function prepareSocket(socketPath: string, log: (line: string) => void): Promise<SocketClaim> {
  const folder = dirname(socketPath);
  const bindPath = join(folder, STARTING + randomBytes(3).toString('hex'));
  assertLength(socketPath, bindPath);
  await makeFolder(folder);
  if ((await probe(socketPath)) === 'alive') throw new AlreadyRunning();
  let own: FileKey | null = null;
  return {
    bindPath,
    publish: async () => {
      try {
        await chmod(bindPath, 0o600);
        own = await keyOf(bindPath);
        await takeName(bindPath, socketPath, log);
      } finally {
        await unlink(bindPath).catch(() => {});
      }
      await removeLeftovers(folder);
    },
    release: async () => {
      const there = await keyOf(socketPath);
      if (own !== null && there !== null && there.ino === own.ino && there.dev === own.dev) await unlink(socketPath);
    },
  };
}

function assertLength(...paths: readonly string[]): void {
  const longest = Math.max(...paths.map((path) => Buffer.byteLength(path)));
  if (longest <= MAX_PATH_BYTES) return;
  throw new SocketRefused(
    'SOCKET_PATH_TOO_LONG',
    `the socket path is ${longest} bytes long, the system allows ${MAX_PATH_BYTES}; set COMPANION_SOCKET to a shorter one`,
  );
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error) => {
    // Something else stands there, which is told below, or on the way to it.
    if (codeOf(error) !== 'EEXIST')
      throw new SocketRefused('SOCKET_FOLDER_UNSAFE', `the socket folder ${folder} cannot be made (${codeOf(error)})`);
  });
  const stat = await lstat(folder);
  const fault = !stat.isDirectory()
    ? 'is a link or no folder'
    : stat.uid !== process.getuid?.()
      ? 'belongs to another user'
      : (stat.mode & 0o077) !== 0
        ? 'is open to other users (its mode must be 0700)'
        : null;
  if (fault !== null) throw new SocketRefused('SOCKET_FOLDER_UNSAFE', `the socket folder ${folder} ${fault}`);
}

/**
 * Links the listening socket to its public name, which only one of several can do. A dead socket in the way is first moved
 * aside and asked again there, where nobody can exchange it for a live one, and only then removed.
 */
async function takeName(bindPath: string, socketPath: string, log: (line: string) => void): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    if (await linked(bindPath, socketPath)) return;
    const found = await probe(socketPath);
    if (found === 'alive') throw new AlreadyRunning();
    if (found === 'dead') await removeDead(socketPath, log);
  }
  throw new AlreadyRunning();
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function removeDead(socketPath: string, log: (line: string) => void): Promise<void> {
  const aside = join(dirname(socketPath), STARTING + randomBytes(3).toString('hex'));
  try {
    await rename(socketPath, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  if ((await probe(aside).catch(() => 'alive')) === 'dead') {
    // Another starter may have swept it away by now.
    await unlink(aside).catch(() => {});
    log(`removed the socket of a companion that is gone: ${basename(socketPath)}`);
    return;
  }
  await linked(aside, socketPath);
  await unlink(aside).catch(() => {});
  throw new AlreadyRunning();
}

/** What is at `path`: nothing, a socket nobody listens on, or a live one. Errors: SocketRefused for anything else. */
async function probe(path: string): Promise<'none' | 'dead' | 'alive'> {
  const stat = await lstat(path).catch((error) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (stat === null) return 'none';
  if (!stat.isSocket()) {
    throw new SocketRefused('SOCKET_PATH_TAKEN', `there is something else than a socket at ${path}; move it away`);
  }
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve('alive');
    });
    socket.once('error', (error) => {
      const code = codeOf(error);
      if (code === 'ECONNREFUSED') resolve('dead');
      else if (code === 'ENOENT') resolve('none');
      // A full backlog: too busy to be dead.
      else if (code === 'EAGAIN') resolve('alive');
      else reject(new SocketRefused('SOCKET_PATH_TAKEN', `the socket at ${path} cannot be reached (${code})`));
    });
  });
}

/** Names that starters which were killed half-way left behind. */
async function removeLeftovers(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(STARTING));
  for (const name of names) {
    const path = join(folder, name);
    if ((await probe(path).catch(() => 'none')) === 'dead') await unlink(path).catch(() => {});
  }
}

interface FileKey {
  readonly dev: number;
  readonly ino: number;
}

const keyOf = (path: string): Promise<FileKey | null> =>
  lstat(path).then(
    ({ dev, ino }) => ({ dev, ino }),
    () => null,
  );

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);
