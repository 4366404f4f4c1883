/** Folders of Codex pets for tests, with sheets whose every pixel has one colour. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Colour, makePng, makeWebp, solid } from './pictures.fixture.ts';

export const V1 = { w: 1_536, h: 1_872 };
export const V2 = { w: 1_536, h: 2_288 };

/** A WebP sheet in one colour: a few dozen bytes. */
export const petSheet = (colour: Colour, { w, h } = V1): Buffer => makeWebp(w, h, colour);
/** The same as a PNG. */
export const pngSheet = (colour: Colour, { w, h } = V1): Buffer => makePng(w, h, solid(colour));

export interface PetFiles {
  /** What `pet.json` says; text is written as it stands. */
  readonly manifest?: object | string;
  readonly sheet?: Uint8Array | null;
  readonly sheetName?: string;
}

/** Writes the pet `name` into `root`; returns its folder. */
export function writePet(
  root: string,
  name: string,
  { manifest = {}, sheet = petSheet([200, 30, 40, 255]), sheetName = 'spritesheet.webp' }: PetFiles = {},
): string {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  if (sheet !== null) writeFileSync(join(folder, sheetName), sheet);
  writeFileSync(join(folder, 'pet.json'), typeof manifest === 'string' ? manifest : JSON.stringify(manifest));
  return folder;
}
