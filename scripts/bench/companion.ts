/** The bench's side of the product: starts it in its own process, pairs with it, and speaks with it through the shipped client. */
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client } from '../../cli/client/client.ts';
import { writeCredential } from '../../cli/profiles.ts';
import type { CompanionReady, CompanionRole, Operations } from './companion-role.ts';
import { DIST, startRole } from './programs.ts';

type Operation = keyof Operations;

export interface Companion extends CompanionReady {
  readonly child: ChildProcess;
  /** Has something done inside the product's process. */
  ask<Name extends Operation>(name: Name, argument?: Parameters<Operations[Name]>[0]): ReturnType<Operations[Name]>;
  /** A newly paired client and its key. */
  pair(): Promise<{ readonly client: Client; readonly key: string; readonly clientId: string }>;
  stop(): Promise<void>;
}

/** On the private desktop, or headless in the caller's own environment. */
export interface Launch {
  readonly headless: boolean;
  readonly env: NodeJS.ProcessEnv;
  /** Folders it begins with, removed in the end; new ones unless given. */
  readonly home?: string;
}

/** Nothing but the figure itself may bound a measurement. */
const LIMITS = {
  createsPerSecond: 1e6,
  createBurst: 1e6,
  maxUnfinished: 2_000,
  maxUnfinishedPerClient: 2_000,
  maxWaitingNoticesPerClient: 2_000,
  pairingIntervalMs: 1,
  pairingBurst: 1e6,
};

const SCOPES = ['discover', 'animate', 'notify', 'interact'] as const;

/** Keeps a key where the command line of `env` finds it under the name `profile`. */
export function keepKey(
  env: Readonly<Record<string, string | undefined>>,
  profile: string,
  credential: { readonly key: string; readonly clientId: string; readonly scopes: readonly string[] },
): void {
  const folder = join(env.XDG_CONFIG_HOME ?? '', 'companion', 'credentials');
  writeCredential(folder, profile, { ...credential, name: profile });
}

/** The client library as it is shipped. */
export async function openClient(socketPath: string, key: string | null): Promise<Client> {
  const { connect } = (await import(
    pathToFileURL(join(DIST, 'client.js')).href
  )) as typeof import('../../cli/client/client.ts');
  return connect({ socketPath, key });
}

/** Starts the product, its limits widened, and waits until its page is up and access is on. */
export async function startCompanion({ headless, env, home }: Launch, watchTimers = false): Promise<Companion> {
  const role: CompanionRole = {
    headless,
    watchTimers,
    config: { limits: LIMITS },
    ...(home !== undefined && { home }),
  };
  const { child, ready } = await startRole('companion', role, env);
  const facts = ready as CompanionReady;
  const pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let lastId = 0;
  child.on('message', ({ id, value, error }: { id: number; value: unknown; error?: string }) => {
    const waiting = pending.get(id);
    pending.delete(id);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(new Error(error));
  });
  const ask = <Name extends Operation>(name: Name, argument?: unknown): ReturnType<Operations[Name]> =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      pending.set(id, { resolve, reject });
      child.send({ id, name, argument });
    }) as ReturnType<Operations[Name]>;
  const stranger = await openClient(facts.socketPath, null);
  await ask('enableAccess');
  return {
    ...facts,
    child,
    ask,
    pair: async () => {
      const { pairingId, pairingSecret } = await stranger.call('pairing.request', {
        name: `bench ${lastId}`,
        scopes: [...SCOPES],
      });
      await ask('approve', pairingId);
      const answer = await stranger.call('pairing.wait', { pairingId, pairingSecret, waitMs: 10_000 });
      if (answer.status !== 'approved') throw new Error('the pairing was not approved');
      const { key, clientId } = answer;
      return { client: await openClient(facts.socketPath, key), key, clientId };
    },
    stop: async () => {
      stranger.close();
      const gone = new Promise((resolve) => child.once('exit', resolve));
      await ask('stop');
      await gone;
    },
  };
}
