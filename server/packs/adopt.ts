/** Takes a pack that is at hand already into the library: a folder, a zip, or files made in memory. */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { CharacterManifest } from '../protocol/character.ts';
import { assertGoing, refusing } from './failure.ts';
import { readInside } from './inside.ts';
import { readInstalled, rememberInstalled } from './installed.ts';
import { type Job, withJob } from './job.ts';
import { withLibrary } from './lock.ts';
import { assertFreeId } from './own-ids.ts';
import { maxBytesOf, noticeFiles, packFiles } from './pack-files.ts';
import { type Places, packFolder } from './places.ts';
import { publish, wear } from './publish.ts';
import { readPack } from './read-folder.ts';
import { unpackZip } from './read-zip.ts';
import { type InstalledPack, PackError, type PackSource, type Steering } from './types.ts';
import { fitsVersion, splitVersion } from './versions.ts';
import { activeWardrobe, assertReadable } from './wardrobes.ts';
import { syncFolder } from './write-file.ts';

/** The pack is read where it lies first, so that nothing without bounds is copied, and nothing that is no part of it. */
function copyFolder(from: string, to: string): void {
  for (const name of [...packFiles(readPack(from)), ...noticeFiles(from)])
    writeSynced(join(to, name), readInside(from, name, maxBytesOf(name) ?? 0));
}

function writeSynced(path: string, data: Uint8Array): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, data);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

async function copyPath(path: string, to: string, signal: AbortSignal): Promise<void> {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new PackError('E_NOT_FOUND', `${path}: is not there`);
  if (stat.isDirectory()) copyFolder(path, to);
  else await unpackZip(path, to, signal);
}

function writeFiles(files: ReadonlyMap<string, Uint8Array>, to: string): void {
  for (const [name, data] of files) {
    if (maxBytesOf(name) === null)
      throw new PackError('E_INVALID_INPUT', `${JSON.stringify(name)} is no name of a pack’s file`);
    writeSynced(join(to, name), data);
  }
}

async function layReady(source: PackSource, job: Job): Promise<{ manifest: CharacterManifest; folder: string }> {
  const folder = join(job.folder, 'pack');
  mkdirSync(folder, { mode: 0o700 });
  if (source.kind === 'path') await copyPath(resolve(source.path), folder, job.signal);
  else writeFiles(source.files, folder);
  assertGoing(job.signal);
  const manifest = readPack(folder);
  assertFreeId(manifest.id);
  syncFolder(folder);
  return { manifest, folder };
}

async function readAt(path: string, signal: AbortSignal): Promise<CharacterManifest> {
  return refusing(path, signal, async () => {
    if (statSync(path).isDirectory()) return readPack(path);
    const folder = mkdtempSync(join(tmpdir(), 'companion-pack-'));
    try {
      await unpackZip(path, folder, signal);
      return readPack(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

/** What adopting the pack at `path` would take, checked as that does; nothing of it stays. Errors: PackError. */
export async function checkPack(path: string, signal: AbortSignal): Promise<CharacterManifest> {
  const manifest = await readAt(path, signal);
  assertFreeId(manifest.id);
  return manifest;
}

function isSameContent(a: string, b: string): boolean {
  const names = readdirSync(a).sort();
  return (
    names.join('/') === readdirSync(b).sort().join('/') &&
    names.every((name) => readFileSync(join(a, name)).equals(readFileSync(join(b, name))))
  );
}

/** What is in the library never changes: another content needs another version. */
function assertNew(places: Places, { id, version }: CharacterManifest, folder: string): void {
  if (readInstalled(places, id, version).manifest === null) return;
  if (isSameContent(folder, packFolder(places, id, version))) return;
  throw new PackError(
    'E_INVALID_INPUT',
    `${id} ${version} is there already, with other content.`,
    'give it another version or ID, or remove the one that is there',
  );
}

/** What it requires must be in the active wardrobe; no index is asked for it here. */
function assertMet(places: Places, { id, version, requires = [] }: CharacterManifest): void {
  const { packs } = activeWardrobe(places);
  for (const required of requires) {
    const { name, wanted } = splitVersion(required);
    if (Object.hasOwn(packs, name) && fitsVersion(packs[name]!, wanted)) continue;
    throw new PackError('E_NOT_FOUND', `${id} ${version} requires ${required}, which is not installed.`);
  }
}

/** See Library.adopt. A version that is there with the very same content is fine, with another one E_INVALID_INPUT. */
export async function adoptPack(
  places: Places,
  source: PackSource,
  { use }: { readonly use: boolean },
  { signal }: Steering,
): Promise<InstalledPack> {
  assertReadable(activeWardrobe(places));
  const what = source.kind === 'path' ? source.path : 'the pack';
  return withJob(places, [], signal, (job) =>
    refusing(what, job.signal, async () => {
      const { manifest, folder } = await layReady(source, job);
      const { id, version } = manifest;
      return withLibrary(places, job.signal, () => {
        assertNew(places, manifest, folder);
        assertMet(places, manifest);
        publish(places, { id, version, folder }, join(job.folder, 'old'));
        wear(places, [{ id, version }], use);
        rememberInstalled(places);
        return readInstalled(places, id, version);
      });
    }),
  );
}
