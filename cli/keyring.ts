/** Keeps a key in the desktop keyring through `secret-tool`, where that is installed. The key travels by pipe, never in argv. */
import { CompanionError } from './companion-error.ts';

const TOOL = 'secret-tool';
const attributes = (profile: string) => ['service', 'companion', 'profile', profile];

/** Runs the tool; its output, or null when it failed or is not there. */
async function run(args: readonly string[], input: string): Promise<string | null> {
  // Loaded here: no other command starts a process.
  const { spawnSync } = await import('node:child_process');
  const { status, stdout } = spawnSync(TOOL, args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] });
  return status === 0 ? stdout : null;
}

/** Reports whether there is a `secret-tool` to run. */
export async function hasKeyring(): Promise<boolean> {
  const { spawnSync } = await import('node:child_process');
  return spawnSync(TOOL, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** The key kept for `profile`. Error: CREDENTIAL_MISSING. */
export async function readKeyring(profile: string): Promise<string> {
  const key = (await run(['lookup', ...attributes(profile)], ''))?.trim();
  if (!key) {
    throw new CompanionError('CREDENTIAL_MISSING', {
      message: 'The desktop keyring does not give out the key of this profile.',
      details: { profile },
    });
  }
  return key;
}

/** Keeps `key`; throws when the keyring refused. */
export async function writeKeyring(profile: string, key: string): Promise<void> {
  const stored = await run(['store', `--label=companion: ${profile}`, ...attributes(profile)], key);
  if (stored === null) throw new Error('the desktop keyring did not take the key');
}

/** Forgets the key, if there is one. */
export async function clearKeyring(profile: string): Promise<void> {
  await run(['clear', ...attributes(profile)], '');
}
