/** Says in words what of some parameters does not fit a JSON Schema (2020-12). Loaded only when a capability runs. */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { Schema } from '../../server/registry/schema.ts';

/** Names the place and the rule, never the value. */
function toText({ instancePath, message = 'does not fit', params }: ErrorObject): string {
  const surplus = params.additionalProperty === undefined ? '' : `: ${String(params.additionalProperty)}`;
  return `${instancePath === '' ? 'params' : `params${instancePath}`}: ${message}${surplus}`;
}

/** The first thing that is wrong; null when nothing is. */
export function wrongIn(schema: Schema, value: unknown): string | null {
  // A test holds the schemas to their own schema; to do it here takes longer than all else.
  const validate = new Ajv2020({ strict: false, validateSchema: false, meta: false }).compile(schema as object);
  if (validate(value)) return null;
  return validate.errors?.[0] === undefined ? 'params: does not fit' : toText(validate.errors[0]);
}
