/** Installing when something goes wrong: the library is as before, and nothing is left lying about. */
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerFile, readIndexFile, serve } from './http.fixture.ts';
import { partPath } from './job.ts';
import { newFolder, record, writeIndex } from './library.fixture.ts';
import { openLibrary } from './library.ts';
import { placesOf } from './places.ts';
import type { DownloadState, OfferedPack, PackError } from './types.ts';

const never = new AbortController().signal;
const GHOST = { id: 'org.example.ghost', version: '1.0.0' };
const CAT = { id: 'org.example.cat', version: '1.0.0' };

async function prepare(packs: Parameters<typeof writeIndex>[0], change?: Parameters<typeof writeIndex>[1]) {
  const dataFolder = newFolder();
  const library = openLibrary(dataFolder);
  const index = await writeIndex(packs, change);
  await library.addIndex({ name: 'here', url: index });
  const planFor = async (...targets: string[]) => library.plan(targets, (await library.offers(never)).offered);
  const left = (): readonly string[] => readdirSync(join(dataFolder, 'tmp'));
  return { dataFolder, library, index, planFor, left };
}

describe('installing', () => {
  it('refuses a pack that is not the one the index offers', async () => {
    const { library, planFor, left } = await prepare([GHOST, CAT], (pack) => ({
      ...pack,
      ...(pack.id === GHOST.id ? { version: '2.0.0' } : { requires: [] }),
    }));
    const steering = record();
    expect(await library.install(await planFor('ghost', 'cat'), { use: false }, steering)).toEqual([CAT]);
    expect(steering.errors.map(({ message }) => message)).toEqual([
      'org.example.ghost-1.0.0.zip: holds org.example.ghost 1.0.0, the index says org.example.ghost 2.0.0',
    ]);
    expect(library.installed()).toMatchObject([CAT]);
    expect(left()).toEqual([]);
  });

  it('refuses a pack with an ID of this program’s own', async () => {
    const { library, planFor, left } = await prepare([{ id: 'builtin.nib', version: '1.0.0' }, CAT]);
    const steering = record();
    expect(await library.install(await planFor('builtin.nib', 'cat'), { use: false }, steering)).toEqual([CAT]);
    expect(steering.errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('builtin.nib is an ID of a character that comes with the program'),
    ]);
    expect(left()).toEqual([]);
  });

  it('refuses a pack that needs more than the index says', async () => {
    const { library, planFor } = await prepare([{ ...GHOST, requires: [CAT.id] }], (pack) => ({
      ...pack,
      requires: [],
    }));
    const steering = record();
    expect(await library.install(await planFor('ghost'), { use: false }, steering)).toEqual([]);
    expect(steering.errors[0]).toMatchObject({ code: 'E_INVALID_INPUT' });
  });

  it('refuses a zip that is no pack, and names it', async () => {
    const { library, planFor, index, left } = await prepare([GHOST]);
    const plan = await planFor('ghost');
    writeFileSync(join(index, plan.packs[0]?.file ?? ''), Buffer.alloc(plan.packs[0]?.size ?? 0));
    const steering = record();
    await library.install(plan, { use: false }, steering);
    expect(steering.errors[0]?.message).toMatch(/ghost-1\.0\.0\.zip: .*SHA-256/);
    expect(left()).toEqual([]);
  });

  it('that is cancelled in the middle of a download leaves nothing, not even what came before it', async () => {
    const { dataFolder, library, index, left } = await prepare([GHOST, CAT]);
    const cancel = new AbortController();
    const server = await serve((request, response) => {
      if (!request.url?.includes('cat')) return answerFile(index, request, response);
      response.writeHead(200, { 'content-length': 1_000 });
      return void response.write('begun', () => cancel.abort());
    });
    await library.addIndex({ name: 'here', url: server.url });
    const plan = library.plan(['ghost', 'cat'], (await library.offers(never)).offered);
    const steering = record(cancel.signal);
    await expect(library.install(plan, { use: true }, steering)).rejects.toMatchObject({ code: 'E_CANCELLED' });
    expect([library.installed(), library.active().packs, left()]).toEqual([[], {}, []]);
    expect(existsSync(join(dataFolder, 'packs'))).toBe(false);
    expect(steering.packs).toEqual([]);
  });

  it('goes on when the connection breaks, and asks only for the rest', async () => {
    const { library, index, planFor, left } = await prepare([GHOST]);
    const size = (await planFor('ghost')).packs[0]?.size ?? 0;
    let breakOff: (() => void) | null = null;
    const server = await serve((request, response) => {
      if (request.url?.endsWith('.json') || breakOff !== null) return answerFile(index, request, response);
      breakOff = () => response.destroy();
      response.writeHead(200, { 'content-length': size });
      response.write(readIndexFile(index, request.url).subarray(0, 100));
    });
    await library.addIndex({ name: 'here', url: server.url });
    const plan = await planFor('ghost');
    // Not before they are here: what still lies in a client's memory when the connection breaks is lost.
    const steering = {
      ...record(),
      onDownloads: ([file]: readonly DownloadState[]) => file?.downloadedBytes === 100 && breakOff?.(),
    };
    expect(await library.install(plan, { use: false }, steering)).toEqual([GHOST]);
    expect(server.requests.at(-1)?.range).toBe('bytes=100-');
    expect(left()).toEqual([]);
  });

  it('keeps what came while the network is down, and the next run asks only for the rest', async () => {
    const { dataFolder, library, index, planFor, left } = await prepare([GHOST]);
    let isDown = true;
    const server = await serve((request, response) => {
      if (request.url?.endsWith('.json') || !isDown) answerFile(index, request, response);
      else response.writeHead(503).end();
    });
    await library.addIndex({ name: 'here', url: server.url });
    const plan = await planFor('ghost');
    const [{ file, sha256 }] = plan.packs as [OfferedPack];
    const part = partPath(placesOf(dataFolder), sha256);
    mkdirSync(dirname(part), { recursive: true });
    writeFileSync(part, readIndexFile(index, `/${file}`).subarray(0, 100));
    const steering = record();
    expect(await library.install(plan, { use: false }, steering)).toEqual([]);
    expect(steering.packs).toEqual([['org.example:ghost@1.0.0', 'E_NETWORK']]);
    expect(left()).toHaveLength(1);
    isDown = false;
    expect(await library.install(plan, { use: false }, record())).toEqual([GHOST]);
    expect(server.requests.at(-1)?.range).toBe('bytes=100-');
    expect(left()).toEqual([]);
  });

  it('takes the new version only when told to use it, and the old one can be used again', async () => {
    const { library, planFor } = await prepare([GHOST, { ...GHOST, version: '1.1.0' }]);
    await library.install(await planFor('ghost@1.0.0'), { use: false }, record());
    await library.install(await planFor('ghost'), { use: false }, record());
    expect(library.active().packs).toEqual({ [GHOST.id]: '1.0.0' });
    await library.install(await planFor('ghost'), { use: true }, record());
    expect(library.active().packs).toEqual({ [GHOST.id]: '1.1.0' });
    expect((await library.useVersion(GHOST.id, '1.0')).version).toBe('1.0.0');
    expect((await library.useVersion(GHOST.id, 'latest')).version).toBe('1.1.0');
    await expect(library.useVersion(GHOST.id, '2')).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  });

  it('puts a whole pack in the place of a broken one', async () => {
    const { library, planFor, dataFolder, left } = await prepare([GHOST]);
    const folder = join(dataFolder, 'packs', GHOST.id, GHOST.version);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'character.json'), '{');
    expect(library.installed()).toMatchObject([{ ...GHOST, manifest: null }]);
    await library.install(await planFor('ghost'), { use: false }, record());
    expect(library.installed()).toMatchObject([{ ...GHOST, reason: null }]);
    expect(left()).toEqual([]);
  });

  it('does not download what another wardrobe has', async () => {
    const { library, planFor, index } = await prepare([GHOST]);
    const plan = await planFor('ghost');
    await library.install(plan, { use: false }, record());
    await library.createWardrobe('work');
    await library.switchWardrobe('work');
    const again = await planFor('ghost');
    expect(again.packs).toHaveLength(1);
    writeFileSync(join(index, again.packs[0]?.file ?? ''), 'gone');
    const steering = record();
    expect(await library.install(again, { use: false }, steering)).toEqual([GHOST]);
    expect(steering.downloads.at(-1)).toMatchObject([{ finished: true, success: true }]);
    expect(library.active().packs).toEqual({ [GHOST.id]: '1.0.0' });
  });

  it('twice at once installs once, and both succeed', async () => {
    const { library, planFor, left } = await prepare([GHOST]);
    const plan = await planFor('ghost');
    const both = [1, 2].map(() => library.install(plan, { use: false }, record()));
    expect(await Promise.all(both)).toEqual([[GHOST], [GHOST]]);
    expect(library.installed()).toMatchObject([{ ...GHOST, reason: null }]);
    expect(left()).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0)('into a folder that cannot be written is E_PERMISSION', async () => {
    const { library, planFor, dataFolder } = await prepare([GHOST]);
    const plan = await planFor('ghost');
    chmodSync(dataFolder, 0o500);
    const error: PackError = await library.install(plan, { use: false }, record()).catch((each) => each);
    chmodSync(dataFolder, 0o700);
    expect(error).toMatchObject({ code: 'E_PERMISSION' });
  });
});

describe('requires', () => {
  it('are told by those that require, directly and in the active wardrobe', async () => {
    const top = { id: 'org.example.top', version: '1.0.0', requires: [`${GHOST.id}@1`] };
    const over = { id: 'org.example.over', version: '1.0.0', requires: ['org.example.top'] };
    const { library, planFor } = await prepare([GHOST, top, over]);
    const steering = record();
    await library.install(await planFor('over'), { use: false }, steering);
    expect(steering.packs.map(([coordinate]) => coordinate)).toEqual([
      'org.example:ghost@1.0.0',
      'org.example:top@1.0.0',
      'org.example:over@1.0.0',
    ]);
    expect(library.requiredBy(GHOST.id).map(({ id }) => id)).toEqual(['org.example.top']);
    await library.createWardrobe('work');
    await library.switchWardrobe('work');
    expect(library.requiredBy(GHOST.id)).toEqual([]);
  });
});
