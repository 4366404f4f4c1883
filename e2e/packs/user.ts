/** A user of packs for tests: folders of their own, an index of small packs, and the real program. */
import { execFileSync } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { expect } from 'vitest';
import { TEST_MANIFEST, writeTestCharacter } from '../../server/packs/testing.ts';
import type { CharacterManifest } from '../../server/protocol/character.ts';
import { CLI } from '../faults/processes.ts';
import { isolatedEnv } from '../harness.ts';
import { call, type NdjsonServer } from './ndjson-client.ts';

const folders: string[] = [];

/** A temporary folder; `removeFolders` removes it. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'companion-packs-'));
  folders.push(folder);
  return folder;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export interface PackUser extends NdjsonServer {
  readonly home: string;
  readonly dataFolder: string;
}

/** Somebody whose data folder begins as a copy of `like`'s. */
export function newUser(like?: PackUser, more: Readonly<Record<string, string>> = {}): PackUser {
  const home = newFolder();
  const env = { ...isolatedEnv(home), ...more };
  const dataFolder = join(home, 'data', 'companion');
  if (like !== undefined && existsSync(like.dataFolder)) cpSync(like.dataFolder, dataFolder, { recursive: true });
  return { command: [process.execPath, CLI], env, home, dataFolder };
}

/** Every file of a folder by its relative path, sorted; [] when there is none. */
export const filesIn = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .sort()
    : [];

/** A picture no compression makes smaller: about 130 kB. */
function noise(): Buffer {
  const png = new PNG({ width: 256, height: 128 });
  randomFillSync(png.data);
  return PNG.sync.write(png);
}

/** Writes a pack folder of about 130 kB. */
export function writeLargePack(root: string, changes: Partial<CharacterManifest>): void {
  const manifest = {
    ...TEST_MANIFEST,
    canvas: { ...TEST_MANIFEST.canvas, w: 128, h: 128 },
    images: [{ id: 'main', file: 'sheet.png', w: 256, h: 128, grid: { columns: 2, rows: 1, cellW: 128, cellH: 128 } }],
    ...changes,
  };
  const folder = writeTestCharacter(root, manifest, `${manifest.id}-${manifest.version}`);
  writeFileSync(join(folder, 'sheet.png'), noise());
}

const named = (id: string, version: string, more: Partial<CharacterManifest> = {}): Partial<CharacterManifest> => ({
  id,
  version,
  displayName: { default: `Pack ${id.split('.').at(-1)}` },
  ...more,
});

/**
 * Makes an index with the real program: org.example.ghost 1.0.0 and 1.1.0, org.example.hat which requires the ghost, two packs
 * called twin, and org.example.large.
 */
export function makeIndex(): string {
  const folder = newFolder();
  const packs = [
    named('org.example.ghost', '1.0.0'),
    named('org.example.ghost', '1.1.0'),
    named('org.example.hat', '2.0.0', { requires: ['org.example.ghost@1'] }),
    named('org.example.twin', '1.0.0'),
    named('net.example.twin', '3.0.0'),
  ];
  for (const pack of packs) {
    const manifest = { ...TEST_MANIFEST, ...pack };
    writeTestCharacter(folder, manifest, `${manifest.id}-${manifest.version}`);
  }
  writeLargePack(folder, named('org.example.large', '1.0.0'));
  const out = execFileSync(process.execPath, [CLI, 'packs', 'index', folder], { encoding: 'utf8' });
  expect(JSON.parse(out)).toMatchObject({ unusable: [] });
  return folder;
}

/** Runs to the end, which must be a good one. */
export async function succeed(server: NdjsonServer, capability: string, args: object = {}) {
  const ended = await call(server, capability, args);
  expect(ended.result.exitCode, JSON.stringify(ended.lines)).toBe(0);
  return ended;
}

/** A user who has added the index at `url` under the name `main`. */
export async function userWithIndex(url: string): Promise<PackUser> {
  const user = newUser();
  await succeed(user, 'add_repo', { name: 'main', url });
  return user;
}
