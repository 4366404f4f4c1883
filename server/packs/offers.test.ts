/** Indexes as they are read: complete ones, dead ones, hostile ones. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { answer, serve } from './http.fixture.ts';
import type { IndexedPack } from './index-file.ts';
import { newFolder } from './library.fixture.ts';
import { readOffers } from './offers.ts';

const never = new AbortController().signal;
const PACK: IndexedPack = {
  id: 'org.example.ghost',
  version: '1.0.0',
  displayName: '幽灵',
  description: 'شبح',
  license: 'MIT',
  requires: ['org.example.base@1.2'],
  file: 'ghost.zip',
  size: 1_000,
  sha256: 'a'.repeat(64),
};
const textOf = (...packs: unknown[]): string => JSON.stringify({ schema: 'desktop-companion.index/1', packs });

function folderWith(text: string): string {
  const folder = newFolder();
  writeFileSync(join(folder, 'index.json'), text);
  return folder;
}

const read = async (url: string) => {
  const { offered, failed } = await readOffers([{ name: 'here', url }], never);
  return { offered, code: failed[0]?.error.code, message: failed[0]?.error.message };
};

describe('an index', () => {
  it('is read from a folder, a file: URL and over HTTP', async () => {
    const folder = folderWith(textOf(PACK));
    const server = await serve((request, response) => answer(request, response, Buffer.from(textOf(PACK))));
    for (const url of [folder, `${folder}/`, pathToFileURL(folder).href, server.url, `${server.url}/deep/er`])
      expect((await read(url)).offered).toEqual([{ ...PACK, index: 'here' }]);
    expect(server.requests.map(({ path }) => path)).toEqual(['/index.json', '/deep/er/index.json']);
  });

  it.each<[string, Partial<Record<keyof IndexedPack | 'more', unknown>>]>([
    ['/packs/0/file', { file: '../ghost.zip' }],
    ['/packs/0/file', { file: 'a/ghost.zip' }],
    ['/packs/0/file', { file: 'http://example.org/ghost.zip' }],
    ['/packs/0/file', { file: '..' }],
    ['/packs/0/file', { file: '.zip' }],
    ['/packs/0/id', { id: '../../x' }],
    ['/packs/0/version', { version: '1.0' }],
    ['/packs/0/size', { size: 67_108_865 }],
    ['/packs/0/size', { size: -1 }],
    ['/packs/0/size', { size: 1.5 }],
    ['/packs/0/sha256', { sha256: 'A'.repeat(64) }],
    ['/packs/0/displayName', { displayName: 'two\nlines' }],
    ['/packs/0/requires', { requires: 'org.example.base' }],
    ['/packs/0/requires/0', { requires: ['../x'] }],
    ['/packs/0/more', { more: 1 }],
    ['/packs/0/license', { license: undefined }],
  ])('with a wrong entry is refused, naming %s', async (path, change) => {
    const { offered, code, message } = await read(folderWith(textOf({ ...PACK, ...change })));
    expect([offered, code]).toEqual([[], 'E_INVALID_INPUT']);
    expect(message).toContain(`index.json: ${path}`);
  });

  it.each([
    ['is not JSON', '<html>'],
    ['/packs', JSON.stringify({ schema: 'desktop-companion.index/1' })],
    ['/schema', JSON.stringify({ schema: 'desktop-companion.index/2', packs: [] })],
    ['twice', textOf(PACK, { ...PACK, file: 'other.zip' })],
    ['must be an object', 'null'],
    ['bytes that are allowed', ' '.repeat(4_194_305)],
  ])('that is wrong as a whole is refused: %s', async (reason, text) => {
    expect(await read(folderWith(text))).toMatchObject({
      code: 'E_INVALID_INPUT',
      message: expect.stringContaining(reason),
    });
  });

  it('that cannot be reached is E_NETWORK, and harms no other', async () => {
    const folder = folderWith(textOf(PACK));
    const dead = await serve((request) => request.socket.destroy());
    const missing = await serve((_request, response) => void response.writeHead(404).end());
    const indexes = [join(newFolder(), 'gone'), dead.url, folder, missing.url, newFolder()];
    const { offered, failed } = await readOffers(
      indexes.map((url, number) => ({ name: `i${number}`, url })),
      never,
    );
    expect(offered).toEqual([{ ...PACK, index: 'i2' }]);
    expect(failed.map(({ index, error }) => [index.name, error.code])).toEqual([
      ['i0', 'E_NETWORK'],
      ['i1', 'E_NETWORK'],
      ['i3', 'E_NETWORK'],
      ['i4', 'E_NETWORK'],
    ]);
  });

  it('that is a device, reached by a link, is not read', async () => {
    const folder = newFolder();
    symlinkSync('/dev/zero', join(folder, 'index.json'));
    expect(await read(folder)).toMatchObject({
      code: 'E_INVALID_INPUT',
      message: expect.stringContaining('regular file'),
    });
  });

  it('is not waited for once the signal has aborted', async () => {
    const cancel = new AbortController();
    const server = await serve(() => cancel.abort());
    await expect(readOffers([{ name: 'here', url: server.url }], cancel.signal)).rejects.toMatchObject({
      code: 'E_CANCELLED',
    });
  });
});
