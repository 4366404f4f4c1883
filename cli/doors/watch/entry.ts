/** What the file of `watch` and `run` gives out. */

import type { Context } from '../../command.ts';
import { endAs } from '../program/end-as.ts';
import type { Exit } from '../program/exit.ts';
import { StartError } from '../program/program.ts';
import { runProgram as run } from '../run/run.ts';
import { note } from '../with-companion.ts';
import { ADAPTER_NAMES, watchProgram as watch } from './watch.ts';

export { ADAPTER_NAMES };

/** The exit code of what `start` runs; ends this process by a signal where the program ended by one. */
async function ending(context: Context, start: () => Promise<Exit>): Promise<number> {
  try {
    return endAs(await start());
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    note(context, `the command cannot be started: ${error.message}.`);
    return error.exitCode;
  }
}

export const watchProgram = (context: Context, options: Parameters<typeof watch>[1]): Promise<number> =>
  ending(context, () => watch(context, options));
export const runProgram = (context: Context, options: Parameters<typeof run>[1]): Promise<number> =>
  ending(context, () => run(context, options));
