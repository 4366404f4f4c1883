/** Unpacks a zipped pack into a folder: its files and nothing else, whole or not at all. */
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ZipFile } from 'yauzl';
import { MANIFEST_FILE, maxBytesOf } from './pack-files.ts';
import { refuse, toPackError } from './system-error.ts';
import { PackError } from './types.ts';
import { syncFolder } from './write-file.ts';
import { listZip, openZip, printable, readZipped, type ZippedFile } from './zip-entries.ts';

const SYNCS_AT_ONCE = 2;

interface Taken {
  /** Plain name it is written under. */
  readonly name: string;
  readonly file: ZippedFile;
}

/** Where the pack begins in the zip: '' for its top, or its one top folder that has a manifest, with the slash. */
function findTop(files: readonly ZippedFile[]): string {
  const tops = files
    .filter(({ name, isFolder }) => !isFolder && (name === MANIFEST_FILE || /^[^/]+\/character\.json$/.test(name)))
    .map(({ name }) => name.slice(0, -MANIFEST_FILE.length));
  if (tops.includes('')) return '';
  const [top] = tops;
  if (top === undefined) throw refuse(`the archive has no ${MANIFEST_FILE} at its top or in a folder there`);
  if (tops.length > 1) throw refuse(`the archive holds ${tops.length} packs, it must be one`);
  return top;
}

function choose(files: readonly ZippedFile[]): {
  readonly taken: readonly Taken[];
  readonly ignored: readonly string[];
} {
  const top = findTop(files);
  const taken: Taken[] = [];
  const ignored: string[] = [];
  for (const file of files.filter(({ isFolder }) => !isFolder)) {
    const name = file.name.startsWith(top) ? file.name.slice(top.length) : '';
    const maxBytes = maxBytesOf(name);
    if (maxBytes === null) ignored.push(printable(file.name));
    else if (file.bytes > maxBytes) throw refuse(`${name} has ${file.bytes} bytes, at most ${maxBytes} are allowed`);
    else taken.push({ name, file });
  }
  return { taken, ignored };
}

/** Adds to `begun` what it has made, and only that. */
async function writeFile(
  zip: ZipFile,
  { name, file }: Taken,
  folder: string,
  begun: string[],
  signal: AbortSignal,
): Promise<void> {
  const path = join(folder, name);
  const target = await open(path, 'wx', 0o600);
  begun.push(path);
  try {
    for await (const chunk of readZipped(zip, file, signal)) await target.writeFile(chunk);
  } finally {
    await target.close();
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Several at once take the disk little longer than one; and not so many that nothing else can be read meanwhile. */
async function syncAll(paths: readonly string[]): Promise<void> {
  const waiting = [...paths];
  const worker = async (): Promise<void> => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) await syncFile(path);
  };
  await Promise.all(Array.from({ length: SYNCS_AT_ONCE }, worker));
}

/** All is written before the first is synced: what the disk then has to do it does in one go. */
async function writeAll(zip: ZipFile, taken: readonly Taken[], folder: string, signal: AbortSignal): Promise<void> {
  const begun: string[] = [];
  try {
    for (const each of taken) {
      if (signal.aborted) throw new PackError('E_CANCELLED', 'cancelled');
      await writeFile(zip, each, folder, begun, signal);
    }
    await syncAll(begun);
    syncFolder(folder);
  } catch (error) {
    for (const path of begun) await rm(path, { force: true });
    throw toPackError(error, 'the archive cannot be unpacked');
  }
}

/**
 * Unpacks the pack's files (manifest, images, sounds, licence and such) from `zipFile` into the existing, empty `folder`,
 * with mode 0600 and synced. `ignored` are the paths of all other files in the zip, fit to be shown; none of them is written. Whether they make
 * a pack is readPack's business. Errors: PackError; then nothing is left in `folder`: E_INVALID_INPUT names the entry and
 * the reason, E_CANCELLED when `signal` aborts, E_DISK_FULL, E_PERMISSION, E_NOT_FOUND.
 */
export async function unpackZip(
  zipFile: string,
  folder: string,
  signal: AbortSignal,
): Promise<{ readonly ignored: readonly string[] }> {
  if (signal.aborted) throw new PackError('E_CANCELLED', 'cancelled');
  const zip = await openZip(zipFile);
  try {
    const { taken, ignored } = choose(await listZip(zip));
    await writeAll(zip, taken, folder, signal);
    return { ignored };
  } finally {
    zip.close();
  }
}
