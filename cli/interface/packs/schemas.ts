/** Schema fragments the pack capabilities share. Objects stay open: a field nobody knows yet is no fault. */

export const text = { type: 'string' } as const;
export const filled = { type: 'string', minLength: 1 } as const;
export const flag = { type: 'boolean' } as const;
export const whole = { type: 'integer', minimum: 0 } as const;

/** An object with these properties, of which `required` must be there. */
export const record = <const Properties, const Required extends readonly (keyof Properties & string)[]>(
  properties: Properties,
  required: Required,
) => ({ type: 'object', properties, required }) as const;

/** An object in which each of these properties is there. */
export const exactly = <const Properties extends object>(properties: Properties) =>
  ({
    type: 'object',
    properties,
    required: Object.keys(properties) as (keyof Properties & string)[],
  }) as const;

export const listOf = <const Items>(items: Items) => ({ type: 'array', items }) as const;

/** No parameters are needed. */
export const NOTHING = { type: 'object', properties: {} } as const;

const described = (description: string) => ({ ...filled, description }) as const;

/** What the user calls a pack. */
export const TARGET = described(
  'A pack: namespace:name, its ID, or its bare name; with @version, or @ and the beginning of one',
);
export const WARDROBE = described('Name of a wardrobe');
export const YES = { ...flag, description: 'true: do not ask for confirmation' } as const;

/** `namespace:name@version`, one each. */
export const COORDINATES = listOf({ type: 'string', description: 'namespace:name@version' } as const);

export const INSTALL_DATA = record(
  { installed: COORDINATES, failed: COORDINATES, present: COORDINATES, declined: flag },
  ['installed', 'failed', 'present', 'declined'],
);

export const WARDROBE_DATA = exactly({ name: text, dir: text });
