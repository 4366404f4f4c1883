/** Gathers all facts; nothing waits longer than a few seconds, and nothing is changed. */
import { dirname } from 'node:path';
import { resolvePaths } from '../../server/protocol/paths.ts';
import type { Client } from '../client/client.ts';
import { CompanionError } from '../companion-error.ts';
import { readAutostart } from '../desktop/autostart.ts';
import type { Io } from '../io.ts';
import type { Facts } from './facts.ts';
import { lookAtChromium, lookAtDistribution, lookAtNamespaces } from './look-chromium.ts';
import { lookAtCredentials, lookAtSocket, lookAtState } from './look-files.ts';
import { lookAtLock } from './look-lock.ts';
import { readReport } from './read-report.ts';
import { lookAtDisplay } from './x-greeting.ts';

type Asked = { readonly host: Facts['host']; readonly fault: string | null };

/** A machine under load may keep a companion from answering in time once. */
const ATTEMPTS = 3;

async function askOnce(client: Client): Promise<Asked> {
  try {
    const { overlay, access, accepting } = await client.describe();
    // Whatever answers there may be older or newer than this program.
    if (typeof overlay?.state === 'string') return { host: { overlay, access, accepting }, fault: null };
    return { host: null, fault: 'UNREACHABLE' };
  } catch (error) {
    return { host: null, fault: error instanceof CompanionError ? error.code : 'INTERNAL_ERROR' };
  }
}

/** What a companion says without a key; `fault` is the code of why none could be asked. */
async function askHost(client: Client, { isAlive }: Pick<Facts['socket'], 'isAlive'>): Promise<Asked> {
  let asked: Asked = { host: null, fault: null };
  for (let attempt = 0; isAlive && asked.host === null && attempt < ATTEMPTS; attempt += 1)
    asked = await askOnce(client);
  return asked;
}

/** `client` has no key. `atLogin` is the command line that starting with the desktop should hold. */
export async function gatherFacts(io: Io, client: Client, atLogin: readonly string[]): Promise<Facts> {
  const { env } = io;
  const paths = resolvePaths(env);
  const socket = await lookAtSocket(env, paths);
  const { host, fault } = await askHost(client, socket);
  const [browser, display] = await Promise.all([lookAtChromium(env, paths.configFolder), lookAtDisplay(env)]);
  const hasDisplay = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  return {
    ...browser,
    node: process.versions.node,
    isRoot: process.getuid?.() === 0,
    distributions: lookAtDistribution(),
    namespaces: lookAtNamespaces(),
    display,
    socket: { ...socket, fault },
    host,
    desktop: host === null ? null : readReport(paths.stateFolder),
    lock: lookAtLock(paths.stateFolder),
    state: lookAtState(paths),
    credentials: lookAtCredentials(paths),
    autostart: readAutostart({ configHome: dirname(paths.configFolder), hasDisplay }, atLogin),
  };
}
