/** Credential profiles: which key to use, never guessed, read only from a file that is the user's alone (spec §5, §6, R7, R9, R17). */
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { CONTROL_SCOPE } from '../server/protocol/words.ts';
import { CompanionError, usageError } from './companion-error.ts';
import { writeWhole } from './files.ts';
import { readKeyring } from './keyring.ts';

/** The profile of the user's own switches; used only when named. */
export const CONTROL_PROFILE = 'control';
/** That of `companion bridge notifications`, which stands for every program on the desktop; used only by it, or when named. */
export const BRIDGE_PROFILE = 'notifications';

/** What stands in `credentials/NAME.json`. `key` is absent when the desktop keyring keeps it. */
export interface Credential {
  readonly key?: string;
  readonly store?: 'keyring';
  readonly clientId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Where the host was that made the key. */
  readonly socketPath?: string;
}

export interface LoadedProfile extends Credential {
  readonly profile: string;
  readonly key: string;
}

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;
const EXTENSION = '.json';

/** Refuses a name that is no plain file name. Error: INVALID_PARAMS. */
export function assertProfileName(name: string): void {
  if (!NAME.test(name)) throw usageError('A profile name is 1 to 64 letters, digits, dots, dashes or underscores.');
}

export const credentialFile = (folder: string, profile: string): string => join(folder, `${profile}${EXTENSION}`);

/** Profile names in `folder`, sorted; [] when there is no such folder. */
export function listProfiles(folder: string): readonly string[] {
  let files: readonly string[];
  try {
    files = readdirSync(folder);
  } catch {
    return [];
  }
  return files
    .filter((file) => file.endsWith(EXTENSION))
    .map((file) => file.slice(0, -EXTENSION.length))
    .filter((name) => NAME.test(name))
    .sort();
}

/** A key in a folder that others may write to could be anybody's. No folder is no fault. */
function assertOwnFolder(folder: string): void {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined || (stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0)) return;
  throw new CompanionError('CREDENTIAL_UNSAFE', { details: { path: folder, needs: 'own folder, mode 0700' } });
}

/** The text of a regular file that is the user's own, 0600 or narrower, and no link; null when there is none. */
function readOwnFile(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new CompanionError('CREDENTIAL_UNSAFE', { details: { path, cause: code } });
  }
  try {
    const { uid, mode } = fstatSync(file);
    const regular = (mode & constants.S_IFMT) === constants.S_IFREG;
    if (!regular || uid !== process.getuid?.() || (mode & 0o077) !== 0) {
      throw new CompanionError('CREDENTIAL_UNSAFE', { details: { path, needs: 'own regular file, mode 0600' } });
    }
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** The credential in `profile`'s file, or null when there is no such file. Errors: CREDENTIAL_UNSAFE. */
export function readCredential(folder: string, profile: string): Credential | null {
  const path = credentialFile(folder, profile);
  assertOwnFolder(folder);
  const text = readOwnFile(path);
  if (text === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  const { key, store, scopes } = (value ?? {}) as Partial<Credential>;
  // A key goes into an HTTP header as it stands.
  const usable = store === 'keyring' || (typeof key === 'string' && /^[\x21-\x7e]{1,512}$/.test(key));
  if (!usable || !Array.isArray(scopes)) {
    throw new CompanionError('CREDENTIAL_MISSING', { message: 'This file holds no credential.', details: { path } });
  }
  return value as Credential;
}

/** Reports whether `profile` is set apart: the user's own switches, or the bridge's; a file that cannot be read is left for its reader to refuse. */
function isSetApart(folder: string, profile: string): boolean {
  if (profile === CONTROL_PROFILE || profile === BRIDGE_PROFILE) return true;
  try {
    return readCredential(folder, profile)?.scopes.includes(CONTROL_SCOPE) ?? false;
  } catch {
    return false;
  }
}

/** The profiles one of which may be used without being named: all but those that are set apart. */
export const unnamedProfiles = (folder: string): readonly string[] =>
  listProfiles(folder).filter((profile) => !isSetApart(folder, profile));

/**
 * The profile to use: the named one, or the only one there is; a control profile only by name.
 * Errors: CREDENTIAL_MISSING, PROFILE_AMBIGUOUS (details name them), INVALID_PARAMS for an impossible name.
 */
export function chooseProfile(folder: string, named: string | undefined): string {
  if (named !== undefined && named !== '') {
    assertProfileName(named);
    return named;
  }
  const [only, ...others] = unnamedProfiles(folder);
  if (only === undefined) throw new CompanionError('CREDENTIAL_MISSING', { details: { folder } });
  if (others.length > 0) throw new CompanionError('PROFILE_AMBIGUOUS', { details: { profiles: [only, ...others] } });
  return only;
}

/** Chooses and reads a profile, key included. Errors: those of `chooseProfile`, CREDENTIAL_UNSAFE. */
export async function loadProfile(folder: string, named: string | undefined): Promise<LoadedProfile> {
  const profile = chooseProfile(folder, named);
  const credential = readCredential(folder, profile);
  if (credential === null) throw new CompanionError('CREDENTIAL_MISSING', { details: { profile } });
  const key = credential.store === 'keyring' ? await readKeyring(profile) : credential.key!;
  return { ...credential, profile, key };
}

/** Makes the credentials folder, 0700, if there is none. */
export function prepareFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** Writes the file whole or not at all, 0600 from its first byte, synced. Replaces what was there. */
export function writeCredential(folder: string, profile: string, credential: Credential): void {
  prepareFolder(folder);
  writeWhole(credentialFile(folder, profile), `${JSON.stringify(credential, null, 2)}\n`, 0o600);
}

export function removeCredential(folder: string, profile: string): void {
  rmSync(credentialFile(folder, profile), { force: true });
}
