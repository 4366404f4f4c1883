/** Builds parameters from what may be missing: on the wire a field is there or it is not, and null means null. */
import type { JsonObject } from '../../server/protocol/words.ts';

/** The fields of `fields` that are not undefined. */
export const known = (fields: object): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
