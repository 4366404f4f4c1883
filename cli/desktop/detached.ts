/** Starts a companion of its own, which outlives this command. */
import type { Client } from '../client/client.ts';
import { now, sleep } from '../client/time.ts';
import { CompanionError } from '../companion-error.ts';
import type { Io } from '../io.ts';

/** A first start makes the database and finds the browser; a busy machine takes its time. */
const START_LIMIT_MS = 20_000;
const LOOK_EVERY_MS = 50;

/** Reports whether a companion answers `client`. Errors: all but UNREACHABLE. */
export async function isThere(client: Client): Promise<boolean> {
  try {
    await client.describe();
    return true;
  } catch (error) {
    if (error instanceof CompanionError && error.code === 'UNREACHABLE') return false;
    throw error;
  }
}

/** Starts `companion serve` and resolves once it answers `client`. Error: START_FAILED. */
export async function startDetached({ env, program }: Io, client: Client): Promise<void> {
  const { spawn } = await import('node:child_process');
  const [node, cli] = program();
  // At the root, so that it holds on to no folder somebody may want to unmount.
  const child = spawn(node, [cli, 'serve'], {
    cwd: '/',
    detached: true,
    env: env as NodeJS.ProcessEnv,
    stdio: 'ignore',
  });
  let isOver = false;
  for (const event of ['exit', 'error']) {
    child.once(event, () => {
      isOver = true;
    });
  }
  child.unref();
  const giveUpAt = now() + START_LIMIT_MS;
  // One more look after its end: somebody else's start may have been the quicker one.
  for (let wasOver = false; !wasOver && now() < giveUpAt; await sleep(LOOK_EVERY_MS)) {
    wasOver = isOver;
    if (await isThere(client)) return;
  }
  throw new CompanionError('START_FAILED', { details: { ended: isOver } });
}
