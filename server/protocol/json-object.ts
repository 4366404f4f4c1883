/** The one check before the fields of a JSON value of others are looked at. */

export type Fields = Readonly<Record<string, unknown>>;

/** Reports whether `value` has fields: neither null nor a list. */
export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
