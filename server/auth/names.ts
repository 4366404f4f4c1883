/** Which names a program may carry: readable on one line, and nobody else's (R7). */
import { invalidParams } from '../protocol/errors.ts';

const MAX_CHARACTERS = 64;
/** The host's own; a card that bears one of them speaks for the companion itself. */
const RESERVED = ['companion', 'system', 'host'];
const CONTROLS = /[\p{Cc}\p{Cs}\u2028\u2029]/u;
const BIDI = /\p{Bidi_Control}/u;
/** Scripts whose letters pass for Latin ones; a name that mixes them with Latin means to be taken for another. */
const LATIN = /\p{Script=Latin}/u;
const LOOK_ALIKES = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;
const VISIBLE = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/** Two names are one when this is equal. Upper case first folds what has no single lower case, such as ß and the dotless i. */
const foldName = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\s+/gu, ' ')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC');

/**
 * Passes when a program may be called `name`; `taken` are the names of the others.
 * Errors: INVALID_PARAMS with path `/name` and the rule that failed; never the name itself.
 */
export function assertName(name: string, taken: Iterable<string>): void {
  const rule = brokenRule(name, taken);
  if (rule !== null) throw invalidParams('/name', rule);
}

function brokenRule(name: string, taken: Iterable<string>): string | null {
  if (CONTROLS.test(name)) return 'oneLine';
  if (BIDI.test(name)) return 'noBidiMarks';
  if (LATIN.test(name) && LOOK_ALIKES.test(name)) return 'oneScript';
  if (!VISIBLE.test(name)) return 'minLength';
  if ([...name].length > MAX_CHARACTERS) return 'maxLength';
  if (name !== name.trim()) return 'trimmed';
  const folded = foldName(name);
  if (RESERVED.includes(folded)) return 'reserved';
  for (const other of taken) if (foldName(other) === folded) return 'taken';
  return null;
}
