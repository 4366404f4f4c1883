/** A home in which access is on and a program is paired already, so that a raw host process needs nobody at its page first. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeCredential } from '../../cli/profiles.ts';
import { makeKey } from '../../server/auth/keys.ts';
import { type ClientId, newClientId } from '../../server/protocol/ids.ts';
import { LIMITS } from '../../server/protocol/limits.ts';
import { resolvePaths } from '../../server/protocol/paths.ts';
import { DEFAULT_SETTINGS } from '../../server/protocol/settings.ts';
import type { RequestRecord } from '../../server/protocol/snapshot.ts';
import { openStore } from '../../server/store/open.ts';
import { openSecret } from '../../server/store/secret.ts';
import { isolatedEnv } from '../harness.ts';
import type { Env } from './processes.ts';
import { ALL_SCOPES } from './user.ts';

export interface Home {
  readonly home: string;
  readonly env: Env;
  readonly stateFolder: string;
  /** One for each name. */
  readonly keys: readonly string[];
}

/**
 * Makes the home with one paired client for each of `names`; the first one's credential profile is written too. `config`
 * becomes `config.json`; what `recordsOf` returns is in the database as if it had been asked and answered.
 */
export function seedHome(
  names: readonly string[] = ['seeded'],
  config: object = {},
  recordsOf: (firstClient: ClientId) => readonly RequestRecord[] = () => [],
): Home {
  const home = mkdtempSync(join(tmpdir(), 'companion-'));
  const env = isolatedEnv(home);
  const { stateFolder, configFolder, credentialsFolder } = resolvePaths(env);
  for (const folder of [stateFolder, configFolder]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(configFolder, 'config.json'), JSON.stringify(config));
  const secret = openSecret(stateFolder);
  const { store } = openStore({
    folder: stateFolder,
    secret,
    limits: LIMITS,
    now: () => ({ wallMs: Date.now(), monoMs: performance.now() }),
    log: () => {},
    isListed: () => true,
  });
  const scopes = ALL_SCOPES;
  const clients = names.map((name) => {
    const { key, verifier } = makeKey(secret);
    return {
      key,
      client: { clientId: newClientId(), name, scopes, verifier, createdAt: Date.now(), lastUsedAt: null },
    };
  });
  store.commit(
    [
      { kind: 'settings', settings: { ...DEFAULT_SETTINGS, access: true } },
      ...clients.map(({ client }) => ({ kind: 'client' as const, client })),
    ],
    false,
  );
  const [first] = clients;
  if (first !== undefined) {
    const records = recordsOf(first.client.clientId);
    if (records.length > 0)
      store.commit(
        records.map((record) => ({ kind: 'insert' as const, record, idempotency: null })),
        false,
      );
    const { key, client } = first;
    writeCredential(credentialsFolder, 'seeded', { key, clientId: client.clientId, name: client.name, scopes });
  }
  store.close();
  return { home, env, stateFolder, keys: clients.map(({ key }) => key) };
}

/** Removes the home; a browser that is just dying may still write into it. */
export const removeHome = ({ home }: Home): void => rmSync(home, { recursive: true, force: true, maxRetries: 10 });
