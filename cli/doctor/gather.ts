/** Gathers all facts at once; nothing waits longer than a few seconds, and nothing is changed. */
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

/** What a companion says without a key; `fault` is the code of why none could be asked. */
async function askHost(client: Client): Promise<{ host: Facts['host']; fault: string | null }> {
  try {
    const { overlay, access, accepting } = await client.describe();
    // Whatever answers there may be older or newer than this program.
    return typeof overlay?.state === 'string' ? { host: { overlay, access, accepting }, fault: null } : foreign;
  } catch (error) {
    return { host: null, fault: error instanceof CompanionError ? error.code : 'INTERNAL_ERROR' };
  }
}
const foreign = { host: null, fault: 'UNREACHABLE' } as const;

/** `client` has no key. `atLogin` is the command line that starting with the desktop should hold. */
export async function gatherFacts(io: Io, client: Client, atLogin: readonly string[]): Promise<Facts> {
  const { env } = io;
  const paths = resolvePaths(env);
  const [browser, display, socket, { host, fault }] = await Promise.all([
    lookAtChromium(env, paths.configFolder),
    lookAtDisplay(env),
    lookAtSocket(env, paths),
    askHost(client),
  ]);
  const hasDisplay = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  return {
    ...browser,
    node: process.versions.node,
    isRoot: process.getuid?.() === 0,
    distributions: lookAtDistribution(),
    namespaces: lookAtNamespaces(),
    display,
    socket: { ...socket, fault: socket.isAlive ? fault : null },
    host,
    desktop: host === null ? null : readReport(paths.stateFolder),
    lock: lookAtLock(paths.stateFolder),
    state: lookAtState(paths),
    credentials: lookAtCredentials(paths),
    autostart: readAutostart({ configHome: dirname(paths.configFolder), hasDisplay }, atLogin),
  };
}
