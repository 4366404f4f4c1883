/** This process's own standard input, carried on to the program. */

import { isForeground } from './foreground.ts';
import type { Input } from './input.ts';

export interface Caller {
  /** All the caller has said has been passed on, and nothing will follow; `said` is whether it ever said anything. */
  onEnd(said: boolean): void;
  /** Sees what passes; keeps nothing of it. */
  look(bytes: Buffer): void;
}

/** Starts carrying. What is returned ends it, and lets the process end. */
export function carryInput(input: Input, { onEnd, look }: Caller): () => void {
  const { stdin } = process;
  let said = false;
  let isOver = false;
  const end = (): void => {
    if (!isOver) onEnd(said);
    isOver = true;
  };
  // In the background, reading from the terminal would stop this process, and the program would stand still with it.
  const settle = (): void => {
    if (!stdin.isTTY || isForeground()) stdin.resume();
    else stdin.pause();
  };
  stdin.on('data', async (bytes: Buffer) => {
    said = true;
    look(bytes);
    stdin.pause();
    await input.pass(bytes);
    if (!isOver) settle();
  });
  for (const name of ['end', 'error', 'close'] as const) stdin.on(name, end);
  process.on('SIGCONT', settle);
  settle();
  return () => {
    isOver = true;
    process.off('SIGCONT', settle);
    stdin.destroy();
  };
}
