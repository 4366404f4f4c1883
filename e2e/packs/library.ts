/** Libraries that several processes share, and indexes to fill them from. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIndex } from '../../server/packs/build-index.ts';
import { openLibrary } from '../../server/packs/library.ts';
import { TEST_MANIFEST, writeTestCharacter } from '../../server/packs/testing.ts';
import type { Library, PackError } from '../../server/packs/types.ts';

const BUNDLE = join(import.meta.dirname, '..', '..', 'dist', 'packs.cjs');
const ACT = join(import.meta.dirname, 'act.cjs');
const folders: string[] = [];

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'companion-packs-'));
  folders.push(folder);
  return folder;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** An index with these versions of `org.example.ghost`. */
export async function newIndex(...versions: readonly string[]): Promise<string> {
  const folder = newFolder();
  for (const version of versions)
    writeTestCharacter(folder, { ...TEST_MANIFEST, id: 'org.example.ghost', version }, `ghost-${version}`);
  await buildIndex(folder, new AbortController().signal);
  return folder;
}

/** A library that knows the index at `url`. */
export async function newLibrary(url: string): Promise<{ readonly library: Library; readonly dataFolder: string }> {
  const dataFolder = join(newFolder(), 'data');
  const library = openLibrary(dataFolder);
  await library.addIndex({ name: 'here', url });
  return { library, dataFolder };
}

/**
 * Lets a process of its own do `action` (`install GHOST`, `remove ID@VERSION`, `index NAME`) and kill itself at its `killAt`-th
 * touch of the disk. Resolves to how many touches it took in all; null: it was killed. Rejects when it failed.
 */
export function act(dataFolder: string, action: string, killAt = -1): Promise<number | null> {
  const child = spawn(process.execPath, [ACT, BUNDLE, dataFolder, action, String(killAt)], { stdio: 'pipe' });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(null);
      else if (code === 0) resolve(Number(out));
      else reject(new Error(`${action} ended with ${code ?? signal}: ${err}`));
    });
  });
}

/** Installs `target` from the library's indexes, in this process. */
export async function install(dataFolder: string, target: string): Promise<void> {
  const library = openLibrary(dataFolder);
  const { signal } = new AbortController();
  const { offered } = await library.offers(signal);
  const quiet = { signal, unpaused: async () => {}, onDownloads: () => {} };
  const onPack = (_coordinate: string, error: PackError | null): void => {
    if (error !== null) throw error;
  };
  await library.install(library.plan([target], offered), { use: true }, { ...quiet, onPack });
}

/** Makes the locks that a killed process left as old as if a minute had passed. */
export function ageLocks(dataFolder: string): void {
  for (const folder of [dataFolder, join(dataFolder, 'tmp')])
    for (const name of statSync(folder, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(folder))
      if (name.endsWith('.lock')) utimesSync(join(folder, name), 0, 0);
}
