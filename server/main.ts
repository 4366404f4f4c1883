/** What `companion serve` runs: starts the host, tells what comes next, and ends it in good order at a signal. */
import { type Host, startHost } from './host.ts';
import { AlreadyRunning } from './rpc/socket.ts';

export { startHost } from './host.ts';

const EXIT_OK = 0;
const EXIT_FAILED = 5;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

function refuse(code: string, message: string): number {
  process.stdout.write(`${JSON.stringify({ error: { code, message, retryable: false } })}\n`);
  say(`${code}: ${message}`);
  return EXIT_FAILED;
}

export interface MainOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** null: headless when there is no display. */
  readonly headless: boolean | null;
}

/** What it is about to do: nothing has been seen of it yet. */
const WHERE = {
  headless: 'headless, without a window',
  window: 'and opens a window',
  x11: 'and comes to your desktop',
  xwayland: 'and comes to your desktop',
} as const;

/** Runs until a signal or until the store is lost; resolves to the exit code. */
export async function main({ env, headless }: MainOptions): Promise<number> {
  let end: (code: number) => void = () => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  // In place before anything is started, so that a signal during the start ends it in good order too.
  for (const signal of SIGNALS) process.on(signal, () => end(EXIT_OK));
  let host: Host;
  try {
    host = await startHost({ env, headless, echo: say, onFatal: () => end(EXIT_FAILED) });
  } catch (error) {
    if (error instanceof AlreadyRunning) return refuse('ALREADY_RUNNING', error.message);
    return refuse('START_FAILED', error instanceof Error ? error.message : 'The companion could not start.');
  }
  if (host.hasBrowser) say(`The companion is here, ${WHERE[host.overlay().backend]}.`);
  say(`Socket: ${host.socketPath}`);
  const code = await ended;
  await host.stop();
  return code;
}
