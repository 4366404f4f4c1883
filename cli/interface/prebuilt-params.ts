/** The same as `compile-params.ts`, with checks that were made when this program was built: making one takes longer than an installation's network. */
import { findNdjson } from './catalog.ts';
import type { ParamsCheck } from './compile-params.ts';
import type { AnyNdjsonCapability } from './define.ts';

/** All capabilities that packs bring take the same parameters. */
export const BROUGHT = 'brought';

/** Each is a file of its own, in a folder beside this program. */
export function checkOf({ name }: Pick<AnyNdjsonCapability, 'name' | 'inputSchema'>): ParamsCheck {
  // A name the bundler cannot follow.
  const file = ['.', 'params', `${findNdjson(name) === undefined ? BROUGHT : name}.cjs`].join('/');
  return require(file) as ParamsCheck;
}
