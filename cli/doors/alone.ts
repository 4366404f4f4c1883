/** Runs a program without a companion: all its streams are this process's own. */
import type { Io } from '../io.ts';
import type { Exit } from './program/exit.ts';
import { startProgram } from './program/program.ts';

export async function runAlone(command: string, args: readonly string[], env: Io['env']): Promise<Exit> {
  const { ended } = await startProgram({ command, args, env, reads: [], feeds: false, look: () => {} });
  return ended;
}
