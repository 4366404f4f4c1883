/** What followed folders are called, and the IDs of the pets in them. */
import { matching } from './shape.ts';

/** By one wardrobe. */
export const MAX_FOLLOWED = 8;

/** Name of a followed folder. */
export const followName = matching(
  /^(?=.{1,32}$)[a-z0-9]+(?:-[a-z0-9]+)*$/u,
  'must be of lower-case letters, digits and single dashes, at most 32',
);

/** What the IDs of its pets begin with, before a dot. */
export const prefixOf = (name: string): string => `pets.${name}`;

/** Reports whether the character `id` is a pet of the folder followed under `name`. */
export const isPetOf = (name: string, id: string): boolean => id.startsWith(`${prefixOf(name)}.`);
