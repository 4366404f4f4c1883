/** Finds the version under which an import may be installed: what is in a library never changes, so another content is another version. */
import type { CharacterManifest } from '../../protocol/character.ts';
import { MANIFEST_FILE } from '../pack-files.ts';
import type { InstalledPack } from '../types.ts';
import { type ImportedPack, writeManifest } from './build.ts';

const withoutVersion = (manifest: CharacterManifest): string => JSON.stringify({ ...manifest, version: '' });

const partsOf = (version: string): readonly number[] => version.split('.').map(Number);
const compare = (a: string, b: string): number => {
  const [x, y] = [partsOf(a), partsOf(b)];
  return x[0]! - y[0]! || x[1]! - y[1]! || x[2]! - y[2]!;
};

function versionFor({ manifest }: ImportedPack, installed: readonly InstalledPack[]): string {
  const same = installed.filter(({ id }) => id === manifest.id);
  const equal = same.find(
    (each) => each.manifest !== null && withoutVersion(each.manifest) === withoutVersion(manifest),
  );
  if (equal !== undefined) return equal.version;
  if (!same.some(({ version }) => version === manifest.version)) return manifest.version;
  const [major, minor, patch] = partsOf(
    same
      .map(({ version }) => version)
      .toSorted(compare)
      .at(-1)!,
  );
  return `${major}.${minor}.${patch! + 1}`;
}

/** The pack as it can be installed beside `installed`: the same import again is the same version, a changed one the next. */
export function versioned(pack: ImportedPack, installed: readonly InstalledPack[]): ImportedPack {
  const version = versionFor(pack, installed);
  if (version === pack.manifest.version) return pack;
  const manifest = { ...pack.manifest, version };
  const files = new Map(pack.files).set(MANIFEST_FILE, writeManifest(manifest));
  return { manifest, files, report: { ...pack.report, version } };
}
