/** The install secret, which keys row digests and verifiers: made once, before the first row, and never again (R16). */
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_NAME } from './database.ts';
import { syncFolder, writeSynced } from './files.ts';

const SECRET_BYTES = 32;
const ERROR_PREFIX = 'The install secret (file "secret" in the state folder)';

/**
 * The 32 bytes of `folder/secret`, made on first use: mode 0600, synced before it returns.
 * Throws when it is missing while a database exists, and when the file is a link, someone else's, too open, or not 32 bytes.
 */
export function openSecret(folder: string): Uint8Array {
  const path = join(folder, 'secret');
  if (!existsLink(path)) {
    if (existsSync(join(folder, DATABASE_NAME)))
      throw new Error(
        `${ERROR_PREFIX} is missing while a database exists. Put it back, or move ${DATABASE_NAME} away to start with an empty one.`,
      );
    makeSecret(folder, path);
  }
  return readSecret(path);
}

const existsLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Under its final name it is whole or not there at all; of two starters one wins and both use the winner's. */
function makeSecret(folder: string, path: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  writeSynced(draft, randomBytes(SECRET_BYTES));
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  syncFolder(folder);
}

function readSecret(path: string): Uint8Array {
  const { mode, uid, size, isFile } = describe(path);
  if (!isFile) throw new Error(`${ERROR_PREFIX} is not a regular file.`);
  if (uid !== process.getuid?.()) throw new Error(`${ERROR_PREFIX} belongs to another user.`);
  if ((mode & 0o077) !== 0) throw new Error(`${ERROR_PREFIX} can be read by others; its mode must be 0600.`);
  if (size !== SECRET_BYTES) throw new Error(`${ERROR_PREFIX} is damaged: it does not hold ${SECRET_BYTES} bytes.`);
  return new Uint8Array(readFileSync(path));
}

function describe(path: string): { mode: number; uid: number; size: number; isFile: boolean } {
  const stats = lstatSync(path);
  return { mode: stats.mode, uid: stats.uid, size: stats.size, isFile: stats.isFile() };
}
