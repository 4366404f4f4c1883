/** `companion serve`: runs the host in the foreground. Its code is loaded here and nowhere else in the CLI (R18). */
import { setFlagsFromString } from 'node:v8';
import { defineCommand } from '../command.ts';

interface HostModule {
  /** Runs until it is told to end; resolves to an exit code. */
  main(options: {
    readonly env: Readonly<Record<string, string | undefined>>;
    /** null: headless when there is no display. */
    readonly headless: boolean | null;
  }): Promise<number>;
}

// A name the bundler cannot follow: the host lies beside this file, with its native modules.
const HOST: string = './host.js';

/** Compiles nothing before it is called, and lets the space for young garbage stay small: a fifth of the memory, and no slower. */
const LEAN = ['--max-lazy', '--semi-space-growth-factor=1'];

export const serve = defineCommand({
  takes: [],
  summary: 'Run the companion in the foreground until it is interrupted.',
  about: null,
  output: 'plain',
  options: { headless: { kind: 'flag', value: '', help: 'without a window, even where there is a display' } },
  examples: ['companion serve', 'companion serve --headless'],
  run: async ({ io, values }) => {
    for (const flag of LEAN) setFlagsFromString(flag);
    const host = (await import(HOST)) as HostModule;
    return host.main({ env: io.env, headless: values.headless ?? null });
  },
});
