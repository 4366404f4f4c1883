/** The host as a user starts it, `companion serve`: where it keeps its things, and when it is up. */
import { connect } from 'node:net';
import { join } from 'node:path';
import { openClient } from './companion.ts';
import { sleep } from './stats.ts';

const POLL_MS = 2;
const LIMIT_MS = 60_000;

type Env = Readonly<Record<string, string | undefined>>;

/** The XDG folders a host looks for, all under `home`. */
export const folders = (home: string): Record<string, string> => ({
  HOME: home,
  XDG_RUNTIME_DIR: home,
  XDG_STATE_HOME: join(home, 'state'),
  XDG_CONFIG_HOME: join(home, 'config'),
  XDG_DATA_HOME: join(home, 'data'),
});

export const socketOf = (env: Env): string => join(env.XDG_RUNTIME_DIR!, 'companion', 'companion.sock');

/** Reports whether somebody accepts connections here. */
export const listens = (socketPath: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(socketPath, () => resolve(true)).on('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** Milliseconds from `startedAt` until `test` holds. */
export async function until(startedAt: number, test: () => Promise<boolean>): Promise<number> {
  while (!(await test())) {
    if (performance.now() - startedAt > LIMIT_MS) throw new Error('the host did not come up');
    await sleep(POLL_MS);
  }
  return performance.now() - startedAt;
}

/** What the host says, or null while nobody is there to say it. */
export async function heard<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if ((error as { code?: string }).code === 'UNREACHABLE') return null;
    throw error;
  }
}

/** Resolves once the host of `env` has its page up. */
export async function untilUp(env: Env): Promise<void> {
  const client = await openClient(socketOf(env), null);
  await until(performance.now(), async () => (await heard(client.describe()))?.overlay.state === 'up');
  client.close();
}
