/** Tells the user that a program has ended: a notice, and the animation that goes with it. */
import type { Ending } from './ending.ts';
import { type Program, StartError } from './program/program.ts';
import type { Companion } from './watch/companion.ts';

/** How long the end of a program may wait for the companion, in ms: whoever waits for the program waits so long. */
export const LAST_WORDS_MS = 2_000;

/** Plays the animation that goes with the end, if there is one. */
export async function playEnd(companion: Companion, { animation }: Ending): Promise<void> {
  if (animation !== null) await companion.create({ capability: animation, params: {}, allowSubstitute: true });
}

/** Rejects when the notice was not taken. A character without that animation, or a key that may not animate, is no fault. */
export async function tellEnd(companion: Companion, title: string, ending: Ending): Promise<void> {
  const { text, tone } = ending;
  await Promise.all([companion.notify(text, { title, tone }), playEnd(companion, ending).catch(() => {})]);
}

/** `work`, or as much of it as can be done in `LAST_WORDS_MS`. Never rejects. */
export async function withinLastWords(work: Promise<unknown>): Promise<void> {
  await Promise.race([work.catch(() => {}), new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS))]);
}

/** Starts a program; that it could not be started is told before the error goes on. */
export async function startTold(companion: Companion, title: string, start: () => Promise<Program>): Promise<Program> {
  try {
    return await start();
  } catch (error) {
    if (error instanceof StartError) {
      await withinLastWords(companion.notify(`Could not be started: ${error.message}.`, { title, tone: 'error' }));
    }
    throw error;
  }
}
