/** What the commands that change other programs' settings take. */
import type { Options } from '../args.ts';
import { usageError } from '../companion-error.ts';
import { SCOPES, type Scope } from './homes.ts';

export const SCOPE_OPTION = {
  scope: {
    kind: 'text',
    value: SCOPES.join('|'),
    help: 'for all your projects (default), or for this folder',
  },
} as const satisfies Options;

export const PRINT_OPTION = {
  print: { kind: 'flag', value: '', help: 'print what would be put in, and change nothing' },
} as const satisfies Options;

/** Error: INVALID_PARAMS. */
export function readScope(value: string | undefined): Scope {
  const scope = SCOPES.find((candidate) => candidate === (value ?? 'user'));
  if (scope === undefined) throw usageError(`--scope is one of: ${SCOPES.join(', ')}.`);
  return scope;
}

/** The one of `names` that `word` is. Error: INVALID_PARAMS, which names them; `what` is how the command calls its word. */
export function readName<Name extends string>(word: string | undefined, names: readonly Name[], what: string): Name {
  const name = names.find((candidate) => candidate === word);
  if (name === undefined) throw usageError(`${what} is one of: ${names.join(', ')}.`);
  return name;
}
