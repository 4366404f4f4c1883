/**
 * A few words to say what a piece of foreign JSON must look like. Each check answers with reasons, never with an
 * exception, and carries the same rule as JSON Schema 2020-12, so that the two are one value.
 */
import { isObject } from '../protocol/json-object.ts';

/** Where a value stands (JSON Pointer) and what is wrong with it. Holds numbers and plain names, no free text of the pack. */
export type Reason = string;
export interface Schema {
  readonly [keyword: string]: unknown;
}
export interface Check {
  (value: unknown, path: string): readonly Reason[];
  readonly schema: Schema;
}

/** One line: no control or line-breaking character, nothing that turns the text around it, and something to be seen. */
const LINE = /^(?=.*[^\p{Cc}\p{Cf}\p{Cs}\p{Z}])[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u;
/** A name that can be said in a reason. */
const PLAIN = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

const fine: readonly Reason[] = [];
const wrong = (path: string, rule: string): readonly Reason[] => [`${path === '' ? '/' : path}: ${rule}`];
const withSchema = (schema: Schema, run: (value: unknown, path: string) => readonly Reason[]): Check =>
  Object.assign(run, { schema });

/** A whole number from `min` to `max`. */
export const whole = (min: number, max: number): Check =>
  withSchema({ type: 'integer', minimum: min, maximum: max }, (value, path) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max
      ? fine
      : wrong(path, `must be a whole number from ${min} to ${max}`),
  );

/** Any number from `min` to `max`. */
export const between = (min: number, max: number): Check =>
  withSchema({ type: 'number', minimum: min, maximum: max }, (value, path) =>
    typeof value === 'number' && value >= min && value <= max
      ? fine
      : wrong(path, `must be a number from ${min} to ${max}`),
  );

/** One visible line of 1 to `max` characters (code points) in any script, without control or bidirectional control characters. */
export const line = (max: number): Check =>
  withSchema({ type: 'string', minLength: 1, maxLength: max, pattern: LINE.source }, (value, path) =>
    typeof value === 'string' && LINE.test(value) && [...value].length <= max
      ? fine
      : wrong(path, `must be one line of 1 to ${max} characters, without control characters`),
  );

/** Text that matches; `rule` says in words what the pattern wants. The pattern has the flag `u`, as in JSON Schema. */
export const matching = (pattern: RegExp, rule: string): Check =>
  withSchema({ type: 'string', pattern: pattern.source }, (value, path) =>
    typeof value === 'string' && pattern.test(value) ? fine : wrong(path, rule),
  );

/** One of these very values. */
export const oneOf = (...values: readonly (string | boolean | null)[]): Check =>
  withSchema({ enum: values }, (value, path) =>
    values.includes(value as string | boolean | null) ? fine : wrong(path, `must be ${values.join(' or ')}`),
  );

/** Anything at all. */
export const anything: Check = withSchema({}, () => fine);

/** What either check lets pass; the second one gives the reason. */
export const either = (first: Check, second: Check): Check =>
  withSchema({ anyOf: [first.schema, second.schema] }, (value, path) =>
    first(value, path).length === 0 ? fine : second(value, path),
  );

/** An array of `min` to `max` items. */
export const list = (item: Check, min: number, max: number): Check =>
  withSchema({ type: 'array', items: item.schema, minItems: min, maxItems: max }, (value, path) =>
    Array.isArray(value) && value.length >= min && value.length <= max
      ? value.flatMap((each, index) => item(each, `${path}/${index}`))
      : wrong(path, `must be a list of ${min} to ${max}`),
  );

/** An array of `min` to `max` texts, no two of them equal. */
export const set = (item: Check, min: number, max: number): Check => {
  const each = list(item, min, max);
  return withSchema({ ...each.schema, uniqueItems: true }, (value, path) => {
    const reasons = each(value, path);
    if (reasons.length > 0) return reasons;
    return new Set(value as readonly unknown[]).size === (value as readonly unknown[]).length
      ? fine
      : wrong(path, 'has the same entry twice');
  });
};

/** An object whose keys are names of the pack's own. */
export const dictionary = (key: Check, item: Check, min: number, max: number): Check =>
  withSchema(
    {
      type: 'object',
      propertyNames: key.schema,
      additionalProperties: item.schema,
      minProperties: min,
      maxProperties: max,
    },
    (value, path) => {
      if (!isObject(value)) return wrong(path, 'must be an object');
      const entries = Object.entries(value);
      if (entries.length < min || entries.length > max) return wrong(path, `must have ${min} to ${max} entries`);
      return entries.flatMap(([name, each]) => {
        const reasons = key(name, path);
        return reasons.length > 0 ? reasons : item(each, `${path}/${name}`);
      });
    },
  );

function unknownFields(names: readonly string[], path: string): readonly Reason[] {
  const plain = names.filter((name) => PLAIN.test(name));
  const odd = names.length - plain.length;
  return [
    ...plain.flatMap((name) => wrong(`${path}/${name}`, 'is not a field of this format')),
    ...(odd > 0 ? wrong(path, `has ${odd} unknown field(s)`) : fine),
  ];
}

/** An object with exactly these fields; those in `optional` may be absent. */
export const object = (
  fields: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>> = {},
): Check => {
  const all = Object.entries({ ...fields, ...optional });
  const known = new Set(all.map(([name]) => name));
  const required = Object.keys(fields);
  return withSchema(
    {
      type: 'object',
      properties: Object.fromEntries(all.map(([name, { schema }]) => [name, schema])),
      required,
      additionalProperties: false,
    },
    (value, path) => {
      if (!isObject(value)) return wrong(path, 'must be an object');
      return [
        ...required
          .filter((name) => !Object.hasOwn(value, name))
          .flatMap((name) => wrong(`${path}/${name}`, 'is missing')),
        ...unknownFields(
          Object.keys(value).filter((name) => !known.has(name)),
          path,
        ),
        ...all.flatMap(([name, check]) => (Object.hasOwn(value, name) ? check(value[name], `${path}/${name}`) : fine)),
      ];
    },
  );
};

/** An object of that shape which has one of the two fields and not the other. */
export const oneField = (shape: Check, one: string, other: string): Check =>
  withSchema({ ...shape.schema, oneOf: [{ required: [one] }, { required: [other] }] }, (value, path) => {
    const reasons = shape(value, path);
    if (reasons.length > 0) return reasons;
    const isOne = Object.hasOwn(value as object, one) !== Object.hasOwn(value as object, other);
    return isOne ? fine : wrong(path, `must have either ${one} or ${other}`);
  });

/** An object of that shape in which `field` only stands together with the others. */
export const needing = (shape: Check, field: string, ...others: readonly string[]): Check =>
  withSchema(
    {
      ...shape.schema,
      dependentRequired: { ...(shape.schema.dependentRequired as Schema | undefined), [field]: others },
    },
    (value, path) => {
      const reasons = shape(value, path);
      if (reasons.length > 0 || !Object.hasOwn(value as object, field)) return reasons;
      return others
        .filter((name) => !Object.hasOwn(value as object, name))
        .flatMap((name) => wrong(`${path}/${field}`, `needs ${name} beside it`));
    },
  );
