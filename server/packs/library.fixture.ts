/** Libraries, packs and indexes for tests, in temporary folders. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { CharacterManifest } from '../protocol/character.ts';
import type { IndexedPack } from './index-file.ts';
import { TEST_MANIFEST, writeTestCharacter } from './testing.ts';
import type { DownloadState, PackError, Steering } from './types.ts';
import { packZip } from './write-zip.ts';

const root = mkdtempSync(join(tmpdir(), 'companion-library-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** It goes with the others when the file of tests is over. */
export const newFolder = (): string => mkdtempSync(join(root, 'folder-'));

/** A pack folder below `root`, of the tiny test character with these changes. */
export const writePack = (root: string, changes: Partial<CharacterManifest>): string => {
  const manifest = { ...TEST_MANIFEST, ...changes };
  return writeTestCharacter(root, manifest, `${manifest.id}-${manifest.version}`);
};

/** Puts a zip of the pack into `folder` and says how an index would list it. */
export async function zipPack(folder: string, changes: Partial<CharacterManifest>): Promise<IndexedPack> {
  mkdirSync(folder, { recursive: true });
  const manifest = { ...TEST_MANIFEST, ...changes };
  const file = `${manifest.id}-${manifest.version}.zip`;
  await packZip(writePack(newFolder(), changes), join(folder, file));
  return {
    id: manifest.id,
    version: manifest.version,
    displayName: manifest.displayName.default,
    description: manifest.description.default,
    license: manifest.license,
    requires: manifest.requires ?? [],
    file,
    size: statSync(join(folder, file)).size,
    sha256: createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex'),
  };
}

/** Writes `index.json` over zips of these packs; returns the folder. `change` may spoil the entries. */
export async function writeIndex(
  packs: readonly Partial<CharacterManifest>[],
  change: (pack: IndexedPack) => IndexedPack = (pack) => pack,
): Promise<string> {
  const folder = newFolder();
  const entries: IndexedPack[] = [];
  for (const pack of packs) entries.push(change(await zipPack(folder, pack)));
  writeFileSync(join(folder, 'index.json'), JSON.stringify({ schema: 'desktop-companion.index/1', packs: entries }));
  return folder;
}

/** Steering that goes straight on and writes down what it hears. */
export function record(signal: AbortSignal = new AbortController().signal): Steering & {
  readonly downloads: (readonly DownloadState[])[];
  readonly packs: (readonly [coordinate: string, code: string | null])[];
  readonly errors: PackError[];
} {
  const downloads: (readonly DownloadState[])[] = [];
  const packs: (readonly [string, string | null])[] = [];
  const errors: PackError[] = [];
  return {
    downloads,
    packs,
    errors,
    signal,
    unpaused: async () => {},
    onDownloads: (files) => downloads.push(files),
    onPack: (coordinate, error) => {
      packs.push([coordinate, error?.code ?? null]);
      if (error !== null) errors.push(error);
    },
  };
}
