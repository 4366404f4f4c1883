/** Makes a folder of packs an index that others can add: a zip of each pack, and `index.json` over all zips. */
import { createHash } from 'node:crypto';
import { createReadStream, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { asPackError, assertGoing } from './failure.ts';
import { INDEX_FILE, INDEX_SCHEMA, type IndexedPack, type IndexFile, parseIndex, ZIP_NAME } from './index-file.ts';
import { assertFreeId } from './own-ids.ts';
import { readPack } from './read-folder.ts';
import { unpackZip } from './read-zip.ts';
import { PackError } from './types.ts';
import { compareVersions } from './versions.ts';
import { replaceFile } from './write-file.ts';
import { packZip } from './write-zip.ts';

export interface BuiltIndex {
  /** What `index.json` now lists, by ID and then by version. */
  readonly packs: readonly IndexedPack[];
  /** Folders and zips that are not in it, by their name, and why. */
  readonly unusable: readonly { readonly file: string; readonly reason: string }[];
}

async function hashFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest('hex');
}

/** Reads what a zip holds by unpacking it into `scratch`, as who installs it will. */
async function describeZip(folder: string, file: string, scratch: string, signal: AbortSignal): Promise<IndexedPack> {
  if (!ZIP_NAME.test(file))
    throw new PackError('E_INVALID_INPUT', 'its name has other characters than letters, digits, dots, _, + and -');
  const path = join(folder, file);
  const unpacked = mkdtempSync(join(scratch, 'zip-'));
  try {
    await unpackZip(path, unpacked, signal);
    const { id, version, displayName, description, license, requires = [] } = readPack(unpacked);
    assertFreeId(id);
    return {
      id,
      version,
      displayName: displayName.default,
      description: description.default,
      license,
      requires,
      file,
      size: statSync(path).size,
      sha256: await hashFile(path, signal),
    };
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}

async function zipFolder(folder: string, name: string): Promise<string> {
  const { id, version } = readPack(join(folder, name));
  assertFreeId(id);
  const file = `${id}-${version}.zip`;
  await packZip(join(folder, name), join(folder, file));
  return file;
}

/** Files and folders directly in `folder`, in the order of their names. */
function list(folder: string): { readonly folders: readonly string[]; readonly files: readonly string[] } {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const names = (kind: 'isFile' | 'isDirectory'): string[] =>
      entries
        .filter((entry) => entry[kind]() && !entry.name.startsWith('.'))
        .map(({ name }) => name)
        .sort();
    return { folders: names('isDirectory'), files: names('isFile') };
  } catch (error) {
    throw asPackError(error, folder);
  }
}

/**
 * Zips every pack folder in `folder` as `<id>-<version>.zip` (same pack, same bytes), and writes `index.json` over all zips
 * there. What is no usable pack is left out and told. Errors: PackError: E_NOT_FOUND without such a folder, E_PERMISSION,
 * E_DISK_FULL, E_CANCELLED; the old index is then as before.
 */
export async function buildIndex(folder: string, signal: AbortSignal): Promise<BuiltIndex> {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new PackError('E_NOT_FOUND', `${folder}: is no folder`);
  const unusable: { file: string; reason: string }[] = [];
  const packs = new Map<string, IndexedPack>();
  /** Runs `step` for one folder or zip; what is wrong with that one alone does not stop the others. */
  const trying = async (file: string, step: () => Promise<void>): Promise<void> => {
    assertGoing(signal);
    try {
      await step();
    } catch (error) {
      assertGoing(signal);
      const refusal = asPackError(error, file);
      if (refusal.code !== 'E_INVALID_INPUT') throw refusal;
      unusable.push({ file, reason: refusal.message });
    }
  };
  for (const name of list(folder).folders) await trying(name, async () => void (await zipFolder(folder, name)));
  const scratch = mkdtempSync(join(tmpdir(), 'companion-index-'));
  try {
    for (const file of list(folder).files.filter((name) => name.endsWith('.zip')))
      await trying(file, async () => {
        const pack = await describeZip(folder, file, scratch, signal);
        const twin = packs.get(`${pack.id}@${pack.version}`);
        if (twin !== undefined)
          throw new PackError('E_INVALID_INPUT', `holds ${pack.id} ${pack.version}, as ${twin.file} does`);
        packs.set(`${pack.id}@${pack.version}`, pack);
      });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return { packs: write(folder, [...packs.values()]), unusable };
}

function write(folder: string, packs: IndexedPack[]): readonly IndexedPack[] {
  packs.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : compareVersions(a.version, b.version)));
  const index: IndexFile = { schema: INDEX_SCHEMA, packs };
  const text = `${JSON.stringify(index)}\n`;
  const path = join(folder, INDEX_FILE);
  // What could not be read by others must not be written.
  parseIndex(text, path);
  try {
    replaceFile(path, text, 0o644);
  } catch (error) {
    throw asPackError(error, path);
  }
  return packs;
}
