/** `companion pair`: asks the user to admit a program and keeps the key it gets; the key is never printed (spec §5, R7). */
import { LIMITS } from '../../server/protocol/limits.ts';
import { resolvePaths } from '../../server/protocol/paths.ts';
import { CONTROL_SCOPE, type Scope } from '../../server/protocol/words.ts';
import type { Client } from '../client/client.ts';
import { known } from '../client/known.ts';
import type { Params, Result } from '../client/options.ts';
import { type Context, defineCommand, jsonAnswer } from '../command.ts';
import { CompanionError, usageError } from '../companion-error.ts';
import { hasKeyring, writeKeyring } from '../keyring.ts';
import {
  assertProfileName,
  BRIDGE_PROFILE,
  CONTROL_PROFILE,
  listProfiles,
  prepareFolder,
  readCredential,
  writeCredential,
} from '../profiles.ts';
import { giveBack } from './unpair.ts';

type Approved = Extract<Result<'pairing.wait'>, { readonly status: 'approved' }>;

const OPTIONS = {
  name: { kind: 'text', value: 'N', help: 'how the program is called on its cards' },
  scopes: { kind: 'text', value: 'A,B', help: 'what it may do: discover, animate, notify, interact' },
  about: { kind: 'text', value: 'T', help: 'a sentence for the user on what it is for' },
  store: {
    kind: 'text',
    value: 'file|keyring',
    help: 'where to keep the key: file without it; keyring needs secret-tool',
  },
  'credential-profile': {
    kind: 'text',
    value: 'NAME',
    help: 'the profile to write; without it, one named after the program',
  },
  replace: { kind: 'flag', value: '', help: 'give the key of an existing profile back first' },
} as const;

/** `Build Bot` → `build-bot`; a name without Latin letters or digits → the first of `program-1`, `program-2`, … that is free. */
function toProfileName(name: string, scopes: readonly string[], taken: readonly string[]): string {
  if (scopes.includes(CONTROL_SCOPE)) return CONTROL_PROFILE;
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64);
  // Its key would be used for something else, and never by itself.
  if (slug === CONTROL_PROFILE || slug === BRIDGE_PROFILE)
    throw usageError('Name the profile: --credential-profile NAME.');
  if (slug !== '') return slug;
  let number = 1;
  while (taken.includes(`program-${number}`)) number += 1;
  return `program-${number}`;
}

/** Checks everything that can be checked before the user is asked. */
async function readPlan({ values, io }: Context<typeof OPTIONS>) {
  const { name, about, store = 'file' } = values;
  if (name === undefined || values.scopes === undefined) throw usageError('--name and --scopes are needed.');
  if (store !== 'file' && store !== 'keyring') throw usageError('--store is file or keyring.');
  const scopes = values.scopes.split(',').map((scope) => scope.trim());
  const folder = resolvePaths(io.env).credentialsFolder;
  const profile = values['credential-profile'] ?? toProfileName(name, scopes, listProfiles(folder));
  assertProfileName(profile);
  if (store === 'keyring' && !(await hasKeyring())) {
    throw usageError('--store keyring needs the program secret-tool (Debian: libsecret-tools).');
  }
  prepareFolder(folder);
  // The host checks scopes and texts.
  const params: Params<'pairing.request'> = { name, scopes: scopes as Scope[], ...known({ about }) };
  return { params, profile, folder, store } as const;
}

/** Makes room for a new key under `profile`. Error: INVALID_PARAMS when there is one and it is not to be replaced. */
async function clearProfile(context: Context<typeof OPTIONS>, folder: string, profile: string): Promise<void> {
  if (!context.values.replace) {
    if (readCredential(folder, profile) === null) return;
    throw usageError(
      'This profile exists. Unpair it first, use --replace, or name another with --credential-profile.',
      {
        profile,
      },
    );
  }
  try {
    if (readCredential(folder, profile) !== null) await giveBack(context, profile);
  } catch (error) {
    // A file that no key can be read from is simply replaced.
    const unreadable = error instanceof CompanionError && error.code.startsWith('CREDENTIAL_');
    if (!unreadable) throw error;
  }
}

async function awaitApproval(
  client: Client,
  { pairingId, pairingSecret }: Result<'pairing.request'>,
  signal: AbortSignal,
): Promise<Approved> {
  for (;;) {
    const params = { pairingId, pairingSecret, waitMs: LIMITS.maxWaitMs };
    const answer = await client.call('pairing.wait', params, { signal });
    if (answer.status === 'approved') return answer;
  }
}

/** Keeps the key; when that fails, gives it back, because nobody could ever use or revoke it from here. */
async function keep(
  context: Context<typeof OPTIONS>,
  { profile, folder, store }: { profile: string; folder: string; store: 'file' | 'keyring' },
  { key, clientId, name, scopes }: Approved,
): Promise<void> {
  // Always: a shell of cron, ssh or sudo has no XDG_RUNTIME_DIR to find it by.
  const { socketPath } = resolvePaths(context.io.env);
  const rest = { clientId, name, scopes, socketPath };
  try {
    if (store === 'keyring') await writeKeyring(profile, key);
    writeCredential(folder, profile, store === 'keyring' ? { store, ...rest } : { key, ...rest });
  } catch (error) {
    await (await context.connect({ key })).call('auth.revokeSelf', {});
    throw new CompanionError('INTERNAL_ERROR', {
      message: 'The key could not be kept and was given back.',
      details: { folder, cause: (error as NodeJS.ErrnoException).code },
    });
  }
}

export const pair = defineCommand({
  takes: [],
  summary: 'Ask the user to admit a program, and keep the key it gets.',
  about: { method: 'pairing.request' },
  output: 'dialogue',
  options: OPTIONS,
  examples: ['companion pair --name "build bot" --scopes discover,animate,notify,interact'],
  run: async (context) => {
    const plan = await readPlan(context);
    await clearProfile(context, plan.folder, plan.profile);
    const client = await context.connect({ key: null });
    const pairing = await client.call('pairing.request', plan.params);
    const until = new Date(pairing.expiresAt).toTimeString().slice(0, 5);
    context.io.err(
      `Code: ${pairing.code}\nCompare it with the code on the companion's card and approve there, until ${until}.\n`,
    );
    const approved = await awaitApproval(client, pairing, context.interruption());
    await keep(context, plan, approved);
    const { clientId, name, scopes } = approved;
    return jsonAnswer({ profile: plan.profile, clientId, name, scopes });
  },
});
