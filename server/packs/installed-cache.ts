/** Remembers what the installed packs say, so that listing hundreds of them does not open thousands of files. */
import { existsSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CharacterManifest } from '../protocol/character.ts';
import { MANIFEST_FILE } from './pack-files.ts';
import type { Places } from './places.ts';
import type { InstalledPack } from './types.ts';

/** Raised when what makes a manifest usable changes: what was remembered by other rules is not believed. */
const RULES = 1;
const MAX_BYTES = 67_108_864;

export interface Remembered {
  /** What `stampOf` said when the pack was read. */
  readonly stamp: string;
  readonly manifest: CharacterManifest;
}

/** By `<id>/<version>`. */
export type Memory = ReadonlyMap<string, Remembered>;

interface MemoryFile {
  readonly rules: number;
  readonly packs: Readonly<Record<string, Remembered>>;
}

/** Changes when a file comes into a pack's folder or leaves it, and when its manifest is written; null: there is no manifest. */
export function stampOf(folder: string): string | null {
  const paths = [folder, join(folder, MANIFEST_FILE)];
  const stats = paths.map((path) => lstatSync(path, { throwIfNoEntry: false }));
  if (stats.includes(undefined)) return null;
  return stats.map((stat) => `${stat?.ino}/${stat?.size}/${stat?.mtimeMs}/${stat?.ctimeMs}`).join(' ');
}

/** What is remembered; nothing, when the file is missing, cut off or by other rules: it is never more than a help. */
export function recall(places: Places): Memory {
  try {
    if (lstatSync(places.memoryFile).size > MAX_BYTES) return new Map();
    const { rules, packs } = JSON.parse(readFileSync(places.memoryFile, 'utf8')) as MemoryFile;
    return rules === RULES ? new Map(Object.entries(packs)) : new Map();
  } catch {
    return new Map();
  }
}

/** Remembers those of `packs` that can be used. The caller holds the library's lock. That it cannot be written harms nothing. */
export function remember(places: Places, packs: readonly InstalledPack[]): void {
  const entries = packs.flatMap(({ id, version, folder, manifest }) => {
    const stamp = manifest === null ? null : stampOf(folder);
    return stamp === null ? [] : [[`${id}/${version}`, { stamp, manifest }] as const];
  });
  const draft = `${places.memoryFile}.new`;
  try {
    writeFileSync(draft, JSON.stringify({ rules: RULES, packs: Object.fromEntries(entries) }), { mode: 0o600 });
    renameSync(draft, places.memoryFile);
  } catch {
    rmSync(draft, { force: true });
  }
}

/** Forgets all, which takes up no room any more. True: there was something. */
export function forget(places: Places): boolean {
  const wasThere = existsSync(places.memoryFile);
  rmSync(places.memoryFile, { force: true });
  return wasThere;
}
