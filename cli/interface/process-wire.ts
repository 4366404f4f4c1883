/** The session's streams as this process has them. */
import { Console } from 'node:console';
import type { Wire } from './wire.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** How long a reader that has stopped reading may hold up a process that was told to end. */
const HURRY_MS = 1_000;
const CANCELLED = 130;

/**
 * Standard output, standard input, and the signals. A second signal ends the process at once. From here on `console` writes to
 * standard error: standard output is for lines of the protocol alone.
 */
export function processWire(): Wire {
  const { stdout, stdin } = process;
  globalThis.console = new Console(process.stderr);
  let isGone = false;
  let isLost = false;
  let isHurried = false;
  let wake = (): void => {};
  // A reader that goes away is heard of here; without a listener it would be a crash.
  stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    isGone = true;
    isLost ||= code !== 'EPIPE';
    wake();
  });
  return {
    write: (line) => {
      if (!isGone) stdout.write(line);
    },
    listen: (ears) => {
      stdout.on('error', () => ears.onGone());
      stdin.on('data', (chunk: Buffer) => ears.onInput(chunk));
      let ended = false;
      const end = (): void => {
        if (!ended) ears.onInputEnd();
        ended = true;
      };
      for (const name of ['end', 'error', 'close'] as const) stdin.on(name, end);
      for (const name of SIGNALS) {
        process.on(name, () => {
          if (isHurried) process.exit(CANCELLED);
          isHurried = true;
          setTimeout(() => wake(), HURRY_MS).unref();
          ears.onSignal();
        });
      }
      process.on('uncaughtException', (error) => ears.onCrash(error));
      process.on('unhandledRejection', (error) => ears.onCrash(error));
    },
    drained: async () => {
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (isGone) resolve();
        else stdout.write('', () => setImmediate(resolve));
        if (isHurried) setTimeout(resolve, HURRY_MS);
      });
      if (isLost) console.error('The output cannot be written.');
      return !isLost;
    },
  };
}
