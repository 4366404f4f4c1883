/** Starts a companion of its own, which outlives this command. */
import type { Client } from '../client/client.ts';
import { now, sleep } from '../client/time.ts';
import { CompanionError } from '../companion-error.ts';
import type { Io } from '../io.ts';
import { hostCommand } from './host-command.ts';

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

/** What a companion that does not start says on standard output; null: that could not be understood. */
function refusalIn(text: string): { readonly code: string; readonly message: string } | null {
  try {
    const { code, message } = JSON.parse(text).error;
    return { code: String(code), message: String(message) };
  } catch {
    return null;
  }
}

interface Child {
  isOver(): boolean;
  /** What it has written to standard output so far. */
  said(): string;
}

async function spawnHost(io: Io): Promise<Child> {
  const { spawn } = await import('node:child_process');
  const [node, ...words] = hostCommand(io);
  const child = spawn(node, words, {
    // At the root, so that it holds on to no folder somebody may want to unmount.
    cwd: '/',
    detached: true,
    env: io.env as NodeJS.ProcessEnv,
    // Standard output carries nothing but a refusal, so that it does not matter that nobody reads it later.
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  let over = false;
  for (const event of ['error', 'close']) {
    child.once(event, () => {
      over = true;
    });
  }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  child.unref();
  return { isOver: () => over, said: () => text };
}

/** Starts `companion serve` and resolves once one answers `client`, be it that of somebody quicker. Error: START_FAILED. */
export async function startDetached(io: Io, client: Client): Promise<void> {
  const child = await spawnHost(io);
  const giveUpAt = now() + START_LIMIT_MS;
  while (now() < giveUpAt) {
    if (await isThere(client)) return;
    const refusal = child.isOver() ? refusalIn(child.said()) : null;
    // One that is just starting holds the place before it answers.
    if (child.isOver() && refusal?.code !== 'ALREADY_RUNNING') {
      const message = refusal && `The companion did not start: ${refusal.message}`;
      throw new CompanionError('START_FAILED', { ...(message && { message }) });
    }
    await sleep(LOOK_EVERY_MS);
  }
  throw new CompanionError('START_FAILED', { message: 'The companion did not answer in time.' });
}
