/** `companion watch`: runs a program, shows what it reports, and carries answers and controls back to it. */
import type { Context } from '../../command.ts';
import { realClock } from '../../interface/clock.ts';
import { runAlone } from '../alone.ts';
import type { Exit } from '../program/exit.ts';
import { type Look, startProgram } from '../program/program.ts';
import { startTold, tellEnd, withinLastWords } from '../tell-end.ts';
import { findCompanion, noteOnce } from '../with-companion.ts';
import type { Adapter } from './adapter.ts';
import { ADAPTERS } from './adapters/all.ts';
import type { Companion } from './companion.ts';
import { Feed } from './feed.ts';
import { LineCutter } from './lines.ts';
import { LONGEST_ANSWER_MS } from './questions.ts';
import { Session } from './session.ts';
import { titleOf } from './title.ts';

export interface WatchOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** One of ADAPTER_NAMES. */
  readonly adapter: string;
  readonly title: string | undefined;
  readonly pauseSignals: boolean;
  readonly answerWithinMs: number | undefined;
}

const AUTO = 'auto';

/** Every name that `--adapter` takes. */
export const ADAPTER_NAMES: readonly string[] = [AUTO, ...ADAPTERS.map(({ name }) => name)];

/** The formats to look for under one of ADAPTER_NAMES. */
const adaptersFor = (name: string): readonly Adapter[] =>
  name === AUTO ? ADAPTERS : ADAPTERS.filter((adapter) => adapter.name === name);

async function watchWith(companion: Companion, { io }: Pick<Context, 'io'>, options: WatchOptions): Promise<Exit> {
  const { command, args, title = titleOf(command, args) } = options;
  const adapters = adaptersFor(options.adapter);
  let session: Session | null = null;
  const cutters = {
    stdout: new LineCutter('stdout', (line) => session?.take(line)),
    stderr: new LineCutter('stderr', (line) => session?.take(line)),
  };
  const look: Look = (stream, bytes) => {
    if (session?.isListening) cutters[stream].push(bytes);
  };
  const plan = { command, args, env: io.env, reads: ['stdout', 'stderr'], feeds: true, look } as const;
  const { input, kill, ended } = await startTold(companion, title, () => startProgram(plan));
  const expectsAnswers = adapters.some((adapter) => adapter.expectsAnswers?.(args) === true);
  const feed = input === null ? null : new Feed(input, realClock, expectsAnswers, (line) => session?.hearCaller(line));
  session = new Session({
    companion,
    clock: realClock,
    title,
    args,
    adapters,
    isSure: options.adapter !== AUTO,
    pauseSignals: options.pauseSignals,
    answerWithinMs: options.answerWithinMs ?? LONGEST_ANSWER_MS,
    hands: {
      send: (line) => input?.send(line) ?? false,
      closeInput: () => input?.close(),
      closeInputIfOver: () => feed?.hearResult(),
      kill,
    },
    onSettled: (adapter) => feed?.settle(adapter),
    onRefused: noteOnce({ io }),
  });
  const exit = await ended;
  for (const cutter of Object.values(cutters)) cutter.end();
  feed?.end();
  await withinLastWords(session.end(exit).then((ending) => tellEnd(companion, title, ending)));
  return exit;
}

/** Runs it to its end. Error: StartError. */
export async function watchProgram(context: Context, options: WatchOptions): Promise<Exit> {
  const companion = await findCompanion(context);
  if (companion === null) return runAlone(options.command, options.args, context.io.env);
  return watchWith(companion, context, options);
}
