/** Which folders of other programs a wardrobe shows pets from: the user has said yes to each of them once. */
import { followName, isPetOf, MAX_FOLLOWED } from './followed.ts';
import type { Places } from './places.ts';
import { type Followed, PackError } from './types.ts';
import { activeWardrobe, writeWardrobe } from './wardrobes.ts';

const refuse = (message: string, hint: string | null = null): PackError =>
  new PackError('E_INVALID_INPUT', message, hint);

/** See Library.follow. The caller holds the library's lock. */
export function follow(places: Places, { name, folder }: Followed): void {
  const [reason] = followName(name, '');
  if (reason !== undefined)
    throw refuse('The name of a followed folder has lower-case letters, digits and single dashes, at most 32');
  const wardrobe = activeWardrobe(places);
  const same = wardrobe.follows.find((each) => each.name === name || each.folder === folder);
  if (same?.name === name && same.folder === folder) return;
  if (same?.folder === folder) throw refuse(`${folder} is followed already, as ${same.name}.`);
  if (same !== undefined)
    throw refuse(`Another folder is followed as ${name}: ${same.folder}.`, 'give it another name');
  if (wardrobe.follows.length >= MAX_FOLLOWED) throw refuse(`At most ${MAX_FOLLOWED} folders are followed.`);
  writeWardrobe(wardrobe, { follows: [...wardrobe.follows, { name, folder }] });
}

/** See Library.unfollow. The caller holds the library's lock. */
export function unfollow(places: Places, name: string): Followed {
  const wardrobe = activeWardrobe(places);
  const found = wardrobe.follows.find((each) => each.name === name);
  if (found === undefined) {
    const names = wardrobe.follows.map((each) => each.name);
    const there = names.length === 0 ? 'none is' : `followed are: ${names.join(', ')}`;
    throw new PackError('E_NOT_FOUND', `No folder is followed as ${name}; ${there}.`);
  }
  const follows = wardrobe.follows.filter((each) => each !== found);
  const isGone = wardrobe.current !== null && isPetOf(name, wardrobe.current);
  writeWardrobe(wardrobe, { follows, ...(isGone && { current: null }) });
  return found;
}
