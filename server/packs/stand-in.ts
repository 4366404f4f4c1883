/** Stands in for the readers of folders and zips. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CharacterManifest } from '../protocol/character.ts';
import { checkManifest } from './check.ts';
import { PackError } from './types.ts';

export function readPack(folder: string): CharacterManifest {
  const value: unknown = JSON.parse(readFileSync(join(folder, 'character.json'), 'utf8'));
  const reasons = checkManifest(value);
  if (reasons.length > 0) throw new PackError('E_INVALID_INPUT', `character.json: ${reasons[0]}`);
  return value as CharacterManifest;
}
export async function unpackZip(zip: string, folder: string, _signal: AbortSignal): Promise<void> {
  execFileSync('python3', ['-m', 'zipfile', '-e', zip, folder]);
}
export async function packZip(folder: string, zip: string): Promise<void> {
  execFileSync('python3', ['-m', 'zipfile', '-c', zip, `${folder}/.`]);
}
