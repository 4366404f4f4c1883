/** Lets the user choose among the versions of a pack that are there. */
import { installedVersions, readInstalled } from './installed.ts';
import type { Places } from './places.ts';
import { wear } from './publish.ts';
import { type InstalledPack, PackError } from './types.ts';
import { newestOf } from './versions.ts';

/** See Library.useVersion. A version that cannot be used is refused with E_INVALID_INPUT. The caller holds the library's lock. */
export function useVersion(places: Places, id: string, wanted: string): InstalledPack {
  const found = newestOf(
    installedVersions(places, id).map((version) => ({ version })),
    wanted,
  );
  if (found === undefined) throw new PackError('E_NOT_FOUND', `${id} is not installed in version ${wanted}.`);
  const pack = readInstalled(places, id, found.version);
  if (pack.manifest === null)
    throw new PackError('E_INVALID_INPUT', `${id} ${found.version} cannot be used: ${pack.reason}`);
  wear(places, [pack], true);
  return pack;
}
