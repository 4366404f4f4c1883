/** Compiles the catalogue's schemas, strictly: no coercion, no defaults, no dropped fields (style: One registry). */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { ProtocolError } from '../protocol/errors.ts';
import type { Fault } from './define.ts';
import type { Schema } from './schema.ts';

const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  strictRequired: false,
  strictTypes: false,
  allErrors: false,
});
// Only results carry it, and those are made by this program from Dates.
ajv.addFormat('date-time', true);

const compiled = new WeakMap<object, ValidateFunction>();

function compile(schema: Schema): ValidateFunction {
  let validate = compiled.get(schema);
  if (validate === undefined) {
    validate = ajv.compile(schema as object);
    compiled.set(schema, validate);
  }
  return validate;
}

/** Where and which rule, never the value: details may reach logs and other programs (R12). */
function toFault({ instancePath, keyword, params }: ErrorObject): Fault {
  const missing = keyword === 'required' ? `/${String(params.missingProperty)}` : '';
  return { path: `${instancePath}${missing}`, rule: keyword };
}

/** Faults of `value` against `schema`; [] when valid. Compiles a schema the first time it is used. */
export function faultsOf(schema: Schema, value: unknown): readonly Fault[] {
  const validate = compile(schema);
  return validate(value) ? [] : (validate.errors ?? []).map(toFault);
}

/** Schema first; only what passes it is handed to `check`, which says what a schema cannot. */
export function faultsWith(schema: Schema, value: unknown, check: () => readonly Fault[]): readonly Fault[] {
  const faults = faultsOf(schema, value);
  return faults.length > 0 ? faults : check();
}

/** Throws INVALID_PARAMS when there are `faults` in the `params` of a call; their paths become those of the whole call. */
export function assertNoFaults(faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  throw new ProtocolError('INVALID_PARAMS', {
    faults: faults.map(({ path, rule }) => ({ path: `/params${path}`, rule })),
  });
}

/** Compiles ahead, so that the first caller does not pay. */
export const warm = (schema: Schema): void => {
  compile(schema);
};
