/** Of a pack's folder the page gets what the manifest names, and only by the name of these very files. */
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TEST_MANIFEST, writeTestCharacter } from '../packs/testing.ts';
import type { Member } from '../protocol/cast.ts';
import { characterFolder } from '../protocol/link.ts';
import { answerCharacters, isCharacterPath } from './character-files.ts';

const root = mkdtempSync(join(tmpdir(), 'companion-files-'));
afterAll(() => rmSync(root, { recursive: true }));

const manifest = {
  ...TEST_MANIFEST,
  images: [
    ...TEST_MANIFEST.images,
    { ...TEST_MANIFEST.images[0]!, id: 'link', file: 'link.png' },
    { ...TEST_MANIFEST.images[0]!, id: 'gone', file: 'gone.png' },
    { ...TEST_MANIFEST.images[0]!, id: 'odd', file: 'odd.svg' },
  ],
  sounds: [{ id: 'hop', file: 'hop.ogg' }],
};
let member: Member;
const answer = answerCharacters((id, stamp) => (id === manifest.id && stamp === member.stamp ? member : undefined));
const at = (name: string, stamp = 'abc'): string => `${characterFolder({ id: manifest.id, stamp })}${name}`;

beforeAll(() => {
  const folder = writeTestCharacter(root, manifest);
  member = { manifest, folder, builtIn: false, stamp: 'abc' };
  writeFileSync(join(folder, 'notes.png'), 'not named by the manifest');
  writeFileSync(join(folder, 'hop.ogg'), 'OggS');
  writeFileSync(join(folder, 'odd.svg'), '<svg/>');
  writeFileSync(join(root, 'secret.png'), 'secret');
  symlinkSync(join(root, 'secret.png'), join(folder, 'link.png'));
});

test('gives pictures, sounds, and the manifest that was checked, under the page’s own policy', async () => {
  writeFileSync(join(member.folder, 'character.json'), '{"another":"one"}');
  const sheet = await answer(at('sheet.png'));
  expect(sheet.body).toEqual(readFileSync(join(member.folder, 'sheet.png')));
  expect(sheet).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'image/png',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    },
  });
  expect(await answer(at('hop.ogg'))).toMatchObject({
    headers: { 'content-type': 'audio/ogg' },
    body: Buffer.from('OggS'),
  });
  expect(JSON.parse(String((await answer(at('character.json'))).body))).toEqual(manifest);
});

test('gives a file that is called otherwise where it lies', async () => {
  const folder = writeTestCharacter(root, manifest, 'renamed');
  mkdirSync(join(folder, 'art'));
  renameSync(join(folder, 'sheet.png'), join(folder, 'art', 'My Sheet.webp'));
  const renamed: Member = { ...member, folder, paths: { 'sheet.png': 'art/My Sheet.webp' } };
  const sheet = await answerCharacters(() => renamed)(at('sheet.png'));
  expect(sheet).toMatchObject({ status: 200, headers: { 'content-type': 'image/png' } });
  expect(sheet.body).toEqual(readFileSync(join(folder, 'art', 'My Sheet.webp')));
});

test.each([
  ['of another stamp', () => at('sheet.png', 'abd')],
  ['that the manifest does not name', () => at('notes.png')],
  ['that is a link', () => at('link.png')],
  ['that is not there', () => at('gone.png')],
  ['of another kind', () => at('odd.svg')],
  ['above the folder', () => at('../secret.png')],
  ['above the folder, written another way', () => at('%2e%2e%2fsecret.png')],
  ['further down', () => at('a/sheet.png')],
  ['without a name', () => at('')],
  ['of nobody', () => '/overlay/characters/sheet.png'],
])('gives nothing %s', async (_, path) => {
  expect(await answer(path())).toMatchObject({ status: 404, body: new Uint8Array() });
});

test.each([
  ['/overlay/characters/a/b/sheet.png', true],
  ['/overlay/characters', false],
  ['/overlay/main.js', false],
  ['/rpc', false],
])('%s is a character’s: %j', (path, expected) => {
  expect(isCharacterPath(path)).toBe(expected);
});
