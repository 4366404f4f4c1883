/** Works out what must be installed so that the targets are there, dependencies first. */
import {
  type InstalledPack,
  type InstallPlan,
  type OfferedPack,
  PackError,
  toCoordinate,
  type Wardrobe,
} from './types.ts';
import { compareVersions, fitsVersion, newestOf, splitVersion } from './versions.ts';

/** Packs that need one another in a row. */
const MAX_DEPTH = 64;
const MAX_NAMED = 5;

/** True when the user's `name` means the pack: its ID, its coordinate without version, or the last part of its ID. */
export const isNameOf = (name: string, id: string): boolean =>
  name === id || name === toCoordinate(id) || name === id.slice(id.lastIndexOf('.') + 1);

function idOf(target: string, name: string, ids: Iterable<string>): string {
  const found = [...new Set(ids)].filter((id) => isNameOf(name, id));
  if (found.length === 0)
    throw new PackError('E_NOT_FOUND', `${target}: no index offers it.`, 'add an index that has it with add_repo');
  if (found.length === 1) return found[0]!;
  const named = found.slice(0, MAX_NAMED).map((id) => toCoordinate(id));
  throw new PackError('E_INVALID_INPUT', `${target} may be any of ${named.join(', ')}.`, 'name one of them in full');
}

/**
 * See Library.plan. `wardrobe` is the active one. A target that names no version means the newest offered one, and is
 * present when the wardrobe has that or a newer one; what a pack requires is there when the wardrobe has the pack and a version that fits lies in the library.
 */
export function planInstall(
  targets: readonly string[],
  offered: readonly OfferedPack[],
  installed: readonly InstalledPack[],
  wardrobe: Wardrobe,
): InstallPlan {
  const usable = installed.filter(({ manifest }) => manifest !== null);
  const byId = groupById(offered);
  const chosen = new Map<string, OfferedPack>();
  const present: string[] = [];

  /** The version the wardrobe has, if it can be used. */
  const worn = (id: string): string | undefined =>
    Object.hasOwn(wardrobe.packs, id)
      ? usable.find((pack) => pack.id === id && pack.version === wardrobe.packs[id])?.version
      : undefined;

  const isMet = ({ name, wanted }: ReturnType<typeof splitVersion>): boolean =>
    (worn(name) !== undefined && usable.some(({ id, version }) => id === name && fitsVersion(version, wanted))) ||
    [...chosen.values()].some(({ id, version }) => id === name && fitsVersion(version, wanted));

  const choose = (offer: OfferedPack, trail: readonly string[]): void => {
    const name = toCoordinate(offer.id, offer.version);
    if (chosen.has(name)) return;
    const round = trail.indexOf(offer.id);
    if (round >= 0)
      throw new PackError('E_INVALID_INPUT', `requires goes round: ${[...trail.slice(round), offer.id].join(' → ')}.`);
    if (trail.length === MAX_DEPTH)
      throw new PackError('E_INVALID_INPUT', `${name}: more than ${MAX_DEPTH} packs require one another in a row.`);
    for (const required of offer.requires) {
      const need = splitVersion(required);
      if (isMet(need)) continue;
      const found = newestOf(byId.get(need.name) ?? [], need.wanted);
      if (found === undefined)
        throw new PackError('E_NOT_FOUND', `${name} requires ${required}, which no index offers.`);
      choose(found, [...trail, offer.id]);
    }
    chosen.set(name, offer);
  };

  for (const target of targets) {
    const { name, wanted } = splitVersion(target);
    const id = idOf(target, name, [...byId.keys(), ...Object.keys(wardrobe.packs)]);
    const newest = newestOf(byId.get(id) ?? [], wanted);
    const have = worn(id);
    const isThere =
      have !== undefined &&
      fitsVersion(have, wanted) &&
      (newest === undefined || compareVersions(have, newest.version) >= 0);
    if (isThere) present.push(toCoordinate(id, have));
    else if (newest !== undefined) choose(newest, []);
    else throw new PackError('E_NOT_FOUND', `${target}: no index offers this version.`);
  }
  return { packs: [...chosen.values()], present: [...new Set(present)] };
}

function groupById(offered: readonly OfferedPack[]): ReadonlyMap<string, readonly OfferedPack[]> {
  const groups = new Map<string, OfferedPack[]>();
  for (const offer of offered) {
    const group = groups.get(offer.id);
    if (group === undefined) groups.set(offer.id, [offer]);
    else group.push(offer);
  }
  return groups;
}
