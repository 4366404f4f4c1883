/** Says in words what of some parameters does not fit a capability's schema. Loaded only when a capability runs. */
import type { ErrorObject } from 'ajv/dist/2020.js';
import { checkOf } from './compile-params.ts';
import type { AnyNdjsonCapability } from './define.ts';

/** Names the place and the rule, never the value. */
function toText({ instancePath, message = 'does not fit', params }: ErrorObject): string {
  const surplus = params.additionalProperty === undefined ? '' : `: ${String(params.additionalProperty)}`;
  return `${instancePath === '' ? 'params' : `params${instancePath}`}: ${message}${surplus}`;
}

/** The first thing that is wrong; null when nothing is. */
export function wrongIn(capability: Pick<AnyNdjsonCapability, 'name' | 'inputSchema'>, value: unknown): string | null {
  const check = checkOf(capability);
  if (check(value)) return null;
  return check.errors?.[0] === undefined ? 'params: does not fit' : toText(check.errors[0]);
}
