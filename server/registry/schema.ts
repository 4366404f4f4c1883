/** Schema fragments shared by contracts. They are plain JSON Schema 2020-12, so any other validator comes to the same verdict. */

export interface Schema {
  readonly [keyword: string]: unknown;
}

/** The TypeScript type of what a schema literal admits, for the keywords these contracts use. Unknown shapes become `unknown`. */
export type Static<S> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends { readonly anyOf: readonly (infer Branch)[] }
      ? Static<Branch>
      : S extends { readonly type: infer Name }
        ? Name extends readonly (infer Each)[]
          ? StaticOf<Each, S>
          : StaticOf<Name, S>
        : unknown;

type StaticOf<Name, S> = Name extends 'string'
  ? string
  : Name extends 'number' | 'integer'
    ? number
    : Name extends 'boolean'
      ? boolean
      : Name extends 'null'
        ? null
        : Name extends 'array'
          ? readonly (S extends { readonly items: infer Items } ? Static<Items> : unknown)[]
          : Name extends 'object'
            ? StaticObject<S>
            : unknown;

type StaticObject<S> = S extends { readonly properties: infer Properties }
  ? {
      readonly [Key in keyof Properties as Key extends RequiredKeys<S> ? Key : never]: Static<Properties[Key]>;
    } & {
      readonly [Key in keyof Properties as Key extends RequiredKeys<S> ? never : Key]?: Static<Properties[Key]>;
    }
  : S extends { readonly additionalProperties: infer Value }
    ? { readonly [key: string]: Static<Value> }
    : { readonly [key: string]: unknown };

type RequiredKeys<S> = S extends { readonly required: readonly (infer Key)[] } ? Key : never;

/** Not a control character, not half of a surrogate pair, and at least one character that leaves ink. */
const LINE_PATTERN = '^(?=[^]*[^\\p{Cc}\\p{Cf}\\p{Cs}\\p{Z}])[^\\p{Cc}\\p{Cs}]*$';
const PROSE_PATTERN = '^(?=[^]*[^\\p{Cc}\\p{Cf}\\p{Cs}\\p{Z}])(?:[^\\p{Cc}\\p{Cs}]|[\\n\\t])*$';

/** One visible line of 1 to `maxLength` characters (code points). */
export const line = (maxLength: number) =>
  ({ type: 'string', minLength: 1, maxLength, pattern: LINE_PATTERN }) as const;
/** Visible text that may have line breaks and tabs. */
export const prose = (maxLength: number) =>
  ({ type: 'string', minLength: 1, maxLength, pattern: PROSE_PATTERN }) as const;

/** No parameters at all; absent and `{}` are the same. */
export const NO_PARAMS = { type: 'object', properties: {}, additionalProperties: false } as const;
/** No business output: the result is null. */
export const NO_OUTPUT = { type: 'null' } as const;

export const TONE = { enum: ['information', 'success', 'warning', 'error'] } as const;
/** Any ID the host may have made, or not: unknown ones are NOT_FOUND, never INVALID_PARAMS. */
export const ANY_ID = { type: 'string', minLength: 1, maxLength: 64 } as const;

export const OPTION = {
  type: 'object',
  properties: { id: line(64), label: line(24), description: line(160) },
  required: ['id', 'label'],
  additionalProperties: false,
} as const;
