/** The companion as a program is run beside it: there, or not, and then the program runs all the same. */
import { lstatSync } from 'node:fs';
import type { Context } from '../command.ts';
import { type Companion, wordsOf } from './watch/companion.ts';

/** Says one line on standard error. */
export const note = ({ io }: Pick<Context, 'io'>, text: string): void => io.err(`companion: ${text}\n`);

/** Says each cause once, however often it comes up. */
export function noteOnce(context: Pick<Context, 'io'>): (error: unknown) => void {
  const told = new Set<string>();
  return (error) => {
    const words = wordsOf(error);
    if (!told.has(words)) note(context, words);
    told.add(words);
  };
}

/** A client for the companion, without asking whether it answers: that would hold up the program. null, and a note, when there can be none. */
export async function findCompanion(context: Pick<Context, 'io' | 'connect'>): Promise<Companion | null> {
  try {
    const client = await context.connect();
    if (lstatSync(client.socketPath, { throwIfNoEntry: false }) !== undefined) return client;
    note(context, 'no companion is running; the command runs without it.');
  } catch (error) {
    note(context, `${wordsOf(error)} The command runs without the companion.`);
  }
  return null;
}
