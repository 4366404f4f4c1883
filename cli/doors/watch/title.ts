/** What a program is called on its card when nobody has said. */
import { basename } from 'node:path';
import { toLine } from './text.ts';

/** As the contracts of progress card and notice bound them. */
export const MAX_TITLE = 80;
/** Words after the command that may name what it does; anything else may be a secret, or long. */
const MAX_WORDS = 2;
const NAME = /^[a-z][a-z0-9._-]{0,30}$/i;

/** `cargo build` for `/usr/bin/cargo build --release`. */
export function titleOf(command: string, args: readonly string[]): string {
  const words: string[] = [];
  for (const arg of args) {
    if (words.length === MAX_WORDS || !NAME.test(arg)) break;
    words.push(arg);
  }
  return toLine([basename(command), ...words].join(' '), MAX_TITLE) ?? 'A program';
}
