/** Finds what the user means by the name of a pack. */
import { isPetOf } from '../../../server/packs/followed.ts';
import { isNameOf } from '../../../server/packs/plan.ts';
import {
  type InstalledPack,
  type Library,
  type OfferedPack,
  PackError,
  toCoordinate,
} from '../../../server/packs/types.ts';
import { newestOf, splitVersion } from '../../../server/packs/versions.ts';

const MAX_NAMED = 5;

/** IDs among `ids` that the name in `target` may mean. */
export const idsMeant = (target: string, ids: Iterable<string>): readonly string[] => {
  const { name } = splitVersion(target);
  return [...new Set(ids)].filter((id) => isNameOf(name, id));
};

/** The one ID that `target` means. E_NOT_FOUND; E_INVALID_INPUT: it may be several. */
export function oneId(target: string, ids: Iterable<string>, where: string): string {
  const [only, ...others] = idsMeant(target, ids);
  if (only === undefined) throw new PackError('E_NOT_FOUND', `${target} is not ${where}`);
  if (others.length === 0) return only;
  const named = [only, ...others].slice(0, MAX_NAMED).map((id) => toCoordinate(id));
  throw new PackError('E_INVALID_INPUT', `${target} may be any of ${named.join(', ')}`, 'name one of them in full');
}

/** Refuses the name of a pet that is shown from where it lies: nothing here installed it. E_NOT_FOUND. */
export function assertNoPet(target: string, library: Library): void {
  const id = splitVersion(target).name.replace(':', '.');
  const followed = library.active().follows.find(({ name }) => isPetOf(name, id));
  if (followed !== undefined && !library.installed().some((pack) => pack.id === id))
    throw new PackError(
      'E_NOT_FOUND',
      `${target} is no installed pack: it is shown from where it lies, in ${followed.folder}, and is not managed here`,
      `companion characters unfollow ${followed.name} shows nothing from there any more`,
    );
}

/** All installed versions of the pack that `target` means. Errors: as `oneId` and `assertNoPet`. */
export function versionsInstalled(target: string, library: Library): readonly InstalledPack[] {
  assertNoPet(target, library);
  const installed = library.installed();
  const id = oneId(
    target,
    installed.map((pack) => pack.id),
    'installed',
  );
  return installed.filter((pack) => pack.id === id);
}

/**
 * The installed version that `target` means: the newest that fits the version it names, or without one the version of the active
 * wardrobe, or the only one there is. E_NOT_FOUND; E_INVALID_INPUT: there are several.
 */
export function oneInstalled(target: string, library: Library): InstalledPack {
  const versions = versionsInstalled(target, library);
  const { wanted } = splitVersion(target);
  const worn = versions.find(({ id, version }) => library.active().packs[id] === version);
  if (wanted === undefined) {
    const only = worn ?? (versions.length === 1 ? versions[0] : undefined);
    if (only !== undefined) return only;
    const names = versions.map(({ id, version }) => toCoordinate(id, version)).join(', ');
    throw new PackError('E_INVALID_INPUT', `several versions of ${target} are installed: ${names}`, 'name one of them');
  }
  const found = newestOf(versions, wanted);
  if (found === undefined) throw new PackError('E_NOT_FOUND', `${target} is not installed in this version`);
  return found;
}

/** The newest offer of each pack, in the order they are offered. */
export function newestOffers(offered: readonly OfferedPack[]): readonly OfferedPack[] {
  const byId = new Map<string, OfferedPack[]>();
  for (const offer of offered) byId.set(offer.id, [...(byId.get(offer.id) ?? []), offer]);
  return [...byId.values()].flatMap((offers) => newestOf(offers, undefined) ?? []);
}
