/** A few words to say what a piece of foreign JSON must look like; each check answers with reasons, never with an exception. */

/** Where a value stands (JSON Pointer) and what is wrong with it. Holds numbers and names of the format, no text of the pack. */
export type Reason = string;
export type Check = (value: unknown, path: string) => readonly Reason[];

const fine: readonly Reason[] = [];
const wrong = (path: string, rule: string): readonly Reason[] => [`${path === '' ? '/' : path}: ${rule}`];
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A whole number from `min` to `max`. */
export const whole =
  (min: number, max: number): Check =>
  (value, path) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max
      ? fine
      : wrong(path, `must be a whole number from ${min} to ${max}`);

/** Any number from `min` to `max`. */
export const between =
  (min: number, max: number): Check =>
  (value, path) =>
    typeof value === 'number' && value >= min && value <= max
      ? fine
      : wrong(path, `must be a number from ${min} to ${max}`);

/** One line of 1 to `max` characters without control characters. */
export const line =
  (max: number): Check =>
  (value, path) =>
    typeof value === 'string' && value.trim() !== '' && value.length <= max && !/[\p{Cc}\p{Cs}]/u.test(value)
      ? fine
      : wrong(path, `must be one line of 1 to ${max} characters`);

/** Text that matches; `rule` says in words what the pattern wants. */
export const matching =
  (pattern: RegExp, rule: string): Check =>
  (value, path) =>
    typeof value === 'string' && pattern.test(value) ? fine : wrong(path, rule);

/** One of these very values. */
export const oneOf =
  (...values: readonly (string | boolean)[]): Check =>
  (value, path) =>
    values.includes(value as string | boolean) ? fine : wrong(path, `must be ${values.join(' or ')}`);

/** What either check lets pass; the second one gives the reason. */
export const either =
  (first: Check, second: Check): Check =>
  (value, path) =>
    first(value, path).length === 0 ? fine : second(value, path);

/** An array of `min` to `max` items. */
export const list =
  (item: Check, min: number, max: number): Check =>
  (value, path) =>
    Array.isArray(value) && value.length >= min && value.length <= max
      ? value.flatMap((each, index) => item(each, `${path}/${index}`))
      : wrong(path, `must be a list of ${min} to ${max}`);

/** An object whose keys are names of the pack's own. */
export const dictionary =
  (key: Check, item: Check, min: number, max: number): Check =>
  (value, path) => {
    if (!isRecord(value)) return wrong(path, 'must be an object');
    const entries = Object.entries(value);
    if (entries.length < min || entries.length > max) return wrong(path, `must have ${min} to ${max} entries`);
    return entries.flatMap(([name, each]) => {
      const reasons = key(name, path);
      return reasons.length > 0 ? reasons : item(each, `${path}/${name}`);
    });
  };

/** An object with exactly these fields; those in `optional` may be absent. */
export const object =
  (fields: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check =>
  (value, path) => {
    if (!isRecord(value)) return wrong(path, 'must be an object');
    const missing = Object.keys(fields).filter((name) => !Object.hasOwn(value, name));
    const surplus = Object.keys(value).filter((name) => !Object.hasOwn(fields, name) && !Object.hasOwn(optional, name));
    return [
      ...missing.flatMap((name) => wrong(`${path}/${name}`, 'is missing')),
      ...(surplus.length > 0 ? wrong(path, `has ${surplus.length} unknown field(s)`) : fine),
      ...Object.entries({ ...fields, ...optional }).flatMap(([name, check]) =>
        Object.hasOwn(value, name) ? check(value[name], `${path}/${name}`) : fine,
      ),
    ];
  };
