/** `companion run`: runs any program, has the figure work meanwhile, and tells how it ended. */

import { resolvePaths } from '../../../server/protocol/paths.ts';
import type { Context } from '../../command.ts';
import { realClock } from '../../interface/clock.ts';
import { chooseProfile } from '../../profiles.ts';
import { runAlone } from '../alone.ts';
import { type Ending, toEnding, verdictOf } from '../ending.ts';
import type { Exit } from '../program/exit.ts';
import { type OutputName, startProgram } from '../program/program.ts';
import { startTold, tellEnd, withinLastWords } from '../tell-end.ts';
import type { Companion } from '../watch/companion.ts';
import { titleOf } from '../watch/title.ts';
import { findCompanion } from '../with-companion.ts';
import { offerLastLines } from './last-lines.ts';
import { Tail } from './tail.ts';
import { startWorking } from './working.ts';

export interface RunOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly title: string | undefined;
  /** A program that is through sooner, and well, is not told of. */
  readonly notifyAfterMs: number;
  /** Read the output even where that takes a terminal away from the program. */
  readonly readTerminal: boolean;
  readonly profile: string | undefined;
}

/** What is read: not a terminal, which would be none any more for the program, and on which the last lines stand anyway. */
function readable(readTerminal: boolean): readonly OutputName[] {
  const names = ['stdout', 'stderr'] as const;
  return names.filter((name) => readTerminal || !process[name].isTTY);
}

async function tell(
  companion: Companion,
  { io }: Pick<Context, 'io'>,
  options: RunOptions,
  title: string,
  ending: Ending,
  tail: string,
): Promise<void> {
  const isBad = ending.outcome === 'failed' || ending.outcome === 'abnormal';
  if (!isBad || tail.trim() === '') return tellEnd(companion, title, ending);
  try {
    const profile = chooseProfile(resolvePaths(io.env).credentialsFolder, options.profile ?? io.env.COMPANION_PROFILE);
    await offerLastLines(companion, { title, ending, tail, io, profile });
  } catch {
    // A key that may only notify, say.
    await tellEnd(companion, title, ending);
  }
}

async function runWith(companion: Companion, context: Pick<Context, 'io'>, options: RunOptions): Promise<Exit> {
  const { command, args, title = titleOf(command, args), notifyAfterMs, readTerminal } = options;
  const tail = new Tail();
  const plan = {
    command,
    args,
    env: context.io.env,
    reads: readable(readTerminal),
    feeds: false,
    look: (_name: OutputName, bytes: Buffer) => tail.push(bytes),
  };
  const startedAt = realClock.now();
  const { ended } = await startTold(companion, title, () => startProgram(plan));
  const rest = startWorking(companion, realClock);
  const exit = await ended;
  const elapsedMs = realClock.now() - startedAt;
  const ending = toEnding(verdictOf(exit), exit, false, elapsedMs);
  const told = elapsedMs < notifyAfterMs ? null : tell(companion, context, options, title, ending, tail.text());
  await withinLastWords(Promise.all([rest(), told]));
  return exit;
}

/** Runs it to its end. Error: StartError. */
export async function runProgram(context: Context, options: RunOptions): Promise<Exit> {
  const companion = await findCompanion(context);
  if (companion === null) return runAlone(options.command, options.args, context.io.env);
  return runWith(companion, context, options);
}
