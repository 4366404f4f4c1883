/** Makes the check of a capability's parameters out of its JSON Schema (2020-12). The built program has `prebuilt-params.ts` in its place. */
import { Ajv2020, type ErrorObject, type Options } from 'ajv/dist/2020.js';
import type { AnyNdjsonCapability } from './define.ts';

export interface ParamsCheck {
  (value: unknown): boolean;
  errors?: readonly ErrorObject[] | null;
}

/** A test holds the schemas to their own schema; to do it here takes longer than all else. */
export const PARAMS_OPTIONS: Options = { strict: false, validateSchema: false, meta: false };

/** Errors: Ajv's, when the schema is none. */
export const checkOf = ({ inputSchema }: Pick<AnyNdjsonCapability, 'name' | 'inputSchema'>): ParamsCheck =>
  new Ajv2020(PARAMS_OPTIONS).compile(inputSchema as object) as ParamsCheck;
