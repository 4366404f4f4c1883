/** The library of one data folder: the parts put together. Knows nothing that they do not. */
import { resolve } from 'node:path';
import { adoptPack } from './adopt.ts';
import { follow, unfollow } from './follow.ts';
import { addIndex, removeIndex } from './indexes.ts';
import { installPlan } from './install.ts';
import { listInstalled, listWithMissing } from './installed.ts';
import { readLibraryFile } from './library-file.ts';
import { withLibrary } from './lock.ts';
import { readOffers } from './offers.ts';
import { type Places, placesOf } from './places.ts';
import { planInstall } from './plan.ts';
import { removePack, requiredBy } from './remove.ts';
import type { Library } from './types.ts';
import { useVersion } from './use-version.ts';
import {
  activeWardrobe,
  createWardrobe,
  listWardrobes,
  removeWardrobe,
  setCurrent,
  switchWardrobe,
} from './wardrobes.ts';

/** The library in `dataFolder`, which need not exist yet: reading finds it empty, and the first write makes it. */
export function openLibrary(dataFolder: string): Library {
  const places: Places = placesOf(resolve(dataFolder));
  const never = new AbortController().signal;
  const locked = <Result>(work: () => Result): Promise<Result> => withLibrary(places, never, work);
  return {
    installed: () => listWithMissing(places, activeWardrobe(places)),
    wardrobes: () => listWardrobes(places),
    active: () => activeWardrobe(places),
    createWardrobe: (name, folder) => locked(() => createWardrobe(places, name, folder)),
    switchWardrobe: (name) => locked(() => switchWardrobe(places, name)),
    removeWardrobe: (name) => locked(() => removeWardrobe(places, name)),
    useVersion: (id, version) => locked(() => useVersion(places, id, version)),
    setCurrent: (character) => locked(() => setCurrent(places, character)),
    follow: (followed) => locked(() => follow(places, followed)),
    unfollow: (name) => locked(() => unfollow(places, name)),
    indexes: () => readLibraryFile(places).indexes,
    addIndex: (index) => locked(() => addIndex(places, index)),
    removeIndex: (name) => locked(() => removeIndex(places, name)),
    offers: async (signal) => readOffers(readLibraryFile(places).indexes, signal),
    plan: (targets, offered) => planInstall(targets, offered, listInstalled(places), activeWardrobe(places)),
    install: (plan, options, steering) => installPlan(places, plan, options, steering),
    adopt: (source, options, steering) => adoptPack(places, source, options, steering),
    requiredBy: (id) => requiredBy(places, id),
    remove: (id, version) => removePack(places, id, version, never),
  };
}
