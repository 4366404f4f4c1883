/** Pets of another program beside a running companion: shown from where they lie once the user has said yes, followed as they change, never written to. */
import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { petSheet, pngSheet, V2, writePet } from '../../server/packs/import/pet.fixture.ts';
import { makeLyingPng } from '../../server/packs/import/pictures.fixture.ts';
import { type Client, enableAccess, pairClient } from '../conformance/support.ts';
import { action, click, gone, openMenu } from '../conformance/support-page.ts';
import { CLI, finish, startCli } from '../faults/processes.ts';
import { type LaunchedCompanion, launchCompanion, until } from '../harness.ts';
import { type Colour, colourIs, figureIs, libraryOf } from './live-packs.ts';
import { call, endSessions, type NdjsonServer } from './ndjson-client.ts';

const NIB = 'builtin.nib';
const GHOST = 'pets.codex.ghost';
const RED: Colour = [200, 30, 40];
const BLUE: Colour = [30, 60, 220];
const filled = ([r, g, b]: Colour) => petSheet([r, g, b, 255]);

let companion: LaunchedCompanion;
let client: Client;
beforeAll(async () => {
  companion = await launchCompanion();
  await enableAccess(companion);
});
beforeEach(async () => {
  client = await pairClient(companion);
});
afterEach(async () => {
  const library = libraryOf(companion);
  for (const { name } of library.active().follows) await library.unfollow(name);
  await library.setCurrent(NIB);
  rmSync(join(companion.env.HOME!, '.codex'), { recursive: true, force: true });
  await figureIs(companion, NIB);
});
afterAll(async () => {
  endSessions();
  await companion?.stop();
});

interface List {
  readonly catalogRevision: number;
  readonly current: string;
  readonly characters: readonly {
    readonly id: string;
    readonly displayName: string;
    readonly builtIn: boolean;
    readonly capabilities: readonly string[];
  }[];
  readonly unavailable: readonly { readonly id: string; readonly reason: string }[];
}

const pets = (): string => join(companion.env.HOME!, '.codex', 'pets');
const list = () => client.call<List>('characters.list');
const find = async (id: string) => (await list()).characters.find((each) => each.id === id);
const listed = (id: string) => until(`${id} is listed`, () => find(id), 15_000);
const dropped = (id: string) => until(`${id} is gone`, async () => (await find(id)) === undefined, 15_000);
const unusable = (id: string) =>
  until(`${id} cannot be used`, async () => (await list()).unavailable.find((each) => each.id === id)?.reason, 15_000);
const run = (...args: readonly string[]) => finish(startCli(companion.env, ...args));

/** Everything below a folder: what it is called, what is in it, when it was written. */
const stateOf = (folder: string): unknown =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const stat = lstatSync(join(folder, name));
      const digest = stat.isFile()
        ? createHash('sha256')
            .update(readFileSync(join(folder, name)))
            .digest('hex')
        : '';
      return [name, stat.mode, stat.mtimeMs, digest];
    });

describe('the pets of Codex', () => {
  it('are not looked at before the user says so, then shown from where they lie, and nothing is written there', async () => {
    writePet(pets(), 'ghost', { manifest: { displayName: 'Ghost 幽灵' }, sheet: filled(RED) });
    const before = stateOf(pets());
    expect(await find(GHOST)).toBeUndefined();
    const { code, out } = await run('characters', 'follow', 'codex');
    expect(code).toBe(0);
    expect(out).toContain(`Ghost 幽灵: companion characters use ${GHOST}`);
    expect(await listed(GHOST)).toMatchObject({
      displayName: 'Ghost 幽灵',
      builtIn: false,
      capabilities: expect.arrayContaining(['animation.greet', 'animation.work', 'notice.show']),
    });
    expect(await run('characters', 'use', GHOST)).toMatchObject({
      code: 0,
      out: 'Ghost 幽灵 is your character now.\n',
    });
    await figureIs(companion, GHOST);
    await colourIs(companion, RED);
    const greeting = await client.create('animation.greet', { loops: 1 });
    expect(await client.ended(greeting.requestId)).toMatchObject({ status: 'completed', resolvedCharacter: GHOST });
    expect(stateOf(pets())).toEqual(before);
    expect(libraryOf(companion).installed()).toEqual([]);
  });

  it('can be chosen in the gallery, change under its eyes, and give way to a built-in one when they go', async () => {
    await libraryOf(companion).follow({ name: 'codex', folder: pets() });
    expect(await unusable('pets.codex')).toBe(`${pets()} is not there`);
    writePet(pets(), 'ghost', { sheet: filled(RED) });
    await listed(GHOST);
    await openMenu(companion.page);
    await click(companion.page, `[data-role="menu"] ${action('characters')}`);
    const tile = `[data-panel="characters"] [data-character-id="${GHOST}"]`;
    await companion.page.waitForSelector(tile);
    await companion.page.$eval(tile, (element) => element.scrollIntoView());
    await companion.page.waitForSelector(`${tile} canvas:not([width="1"])`);
    await click(companion.page, `${tile} ${action('use-character')}`);
    await companion.page.keyboard.press('Escape');
    await gone(companion.page, '[data-panel="characters"]');
    await figureIs(companion, GHOST);
    await colourIs(companion, RED);
    const { catalogRevision } = await list();

    writeFileSync(join(pets(), 'ghost', 'next'), filled(BLUE));
    renameSync(join(pets(), 'ghost', 'next'), join(pets(), 'ghost', 'spritesheet.webp'));
    await colourIs(companion, BLUE);
    expect((await list()).catalogRevision).toBeGreaterThanOrEqual(catalogRevision);

    rmSync(join(pets(), 'ghost'), { recursive: true });
    await figureIs(companion, NIB);
    expect(await find(GHOST)).toBeUndefined();
    writePet(pets(), 'ghost', { sheet: filled(RED) });
    await figureIs(companion, GHOST);

    expect((await run('characters', 'unfollow', 'codex')).code).toBe(0);
    await figureIs(companion, NIB);
    expect(lstatSync(join(pets(), 'ghost', 'pet.json')).isFile()).toBe(true);
  });

  it('are taken in version 2 and as PNG, wherever CODEX_HOME says', async () => {
    const home = join(companion.env.HOME!, '.codex', 'elsewhere');
    writePet(join(home, 'pets'), 'owl', {
      sheet: pngSheet([30, 60, 220, 255], V2),
      sheetName: 'art.png',
      manifest: { spritesheetPath: 'art.png', spriteVersionNumber: 2 },
    });
    const { code } = await finish(startCli({ ...companion.env, CODEX_HOME: home }, 'characters', 'follow', 'codex'));
    expect(code).toBe(0);
    await listed('pets.codex.owl');
    await run('characters', 'use', 'pets.codex.owl');
    await figureIs(companion, 'pets.codex.owl');
    await colourIs(companion, BLUE);
  });

  it('that are hostile or broken are named with their reason and harm nobody', async () => {
    const outside = writePet(join(companion.env.HOME!, '.codex'), 'outside');
    writePet(pets(), 'ghost', { sheet: filled(RED) });
    writePet(pets(), 'bomb', { sheet: makeLyingPng(30_000, 30_000) });
    writePet(pets(), 'escape', { manifest: { spritesheetPath: '../../outside/spritesheet.webp' } });
    writePet(pets(), 'half', { sheet: filled(RED).subarray(0, -4) });
    writePet(pets(), 'words', { manifest: '{"displayName": ' });
    symlinkSync(outside, join(pets(), 'linked'));
    mkdirSync(join(pets(), 'sneaky'));
    writeFileSync(join(pets(), 'sneaky', 'pet.json'), '{}');
    symlinkSync(join(outside, 'spritesheet.webp'), join(pets(), 'sneaky', 'spritesheet.webp'));
    await run('characters', 'follow', 'codex');
    await listed(GHOST);
    const { unavailable, characters } = await list();
    const reasons = Object.fromEntries(unavailable.map(({ id, reason }) => [id.replace('pets.codex.', ''), reason]));
    expect(reasons).toEqual({
      bomb: expect.stringContaining('30000 x 30000'),
      escape: expect.stringContaining('leads out of the pet'),
      half: expect.stringContaining('spritesheet.webp is cut off'),
      linked: expect.stringContaining('is a link'),
      sneaky: expect.stringContaining('spritesheet.webp is a link'),
      words: expect.stringContaining('pet.json is not JSON'),
    });
    expect(characters.filter(({ id }) => id.startsWith('pets.'))).toHaveLength(1);
    const refused = await run('characters', 'use', 'pets.codex.bomb');
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('30000 x 30000') });
  });

  it('whose picture only looks whole is found out by the page: what showed before stays', async () => {
    const sheet = pngSheet([200, 30, 40, 255]);
    sheet.fill(0xff, 60, sheet.length - 20);
    writePet(pets(), 'ghost', { sheet: filled(RED) });
    await run('characters', 'follow', 'codex');
    await listed(GHOST);
    await libraryOf(companion).setCurrent(GHOST);
    await figureIs(companion, GHOST);
    writeFileSync(join(pets(), 'ghost', 'next'), sheet);
    renameSync(join(pets(), 'ghost', 'next'), join(pets(), 'ghost', 'spritesheet.webp'));
    expect(await unusable(GHOST)).toContain('spritesheet.webp cannot be drawn');
    await figureIs(companion, NIB);
  });

  it('come and go a hundred times, and what is there in the end is what is listed', async () => {
    await run('characters', 'follow', 'codex');
    for (let at = 0; at < 100; at += 1) {
      writePet(pets(), `pet-${at % 7}`, { sheet: filled(RED) });
      if (at % 3 === 0) rmSync(join(pets(), `pet-${at % 7}`), { recursive: true });
    }
    const there = readdirSync(pets()).map((name) => `pets.codex.${name}`);
    await until('what is there is what is listed', async () => {
      const found = (await list()).characters.map(({ id }) => id).filter((id) => id.startsWith('pets.'));
      return String(found) === String(there.sort());
    });
    for (const name of readdirSync(pets())) rmSync(join(pets(), name), { recursive: true });
    for (const id of there) await dropped(id);
  });
});

describe('`characters follow`', () => {
  it.each<[string, readonly string[], number, string]>([
    [
      'a folder of pets under a name of its own',
      ['PETS', '--as', 'mine'],
      0,
      'companion characters use pets.mine.ghost',
    ],
    ['a folder by its own name', ['PETS'], 0, 'companion characters use pets.pets.ghost'],
    ['one pet', ['PETS/ghost'], 2, 'is one pet. To follow it and those beside it'],
    ['what is not there', ['PETS/nothing'], 2, 'is not a folder'],
    ['a file', ['PETS/ghost/pet.json'], 2, 'is not a folder'],
    ['under a name that makes no ID', ['PETS', '--as', 'My pets'], 2, 'lower-case letters'],
  ])('follows, or refuses: %s', async (_, words, code, said) => {
    writePet(pets(), 'ghost');
    const ended = await run('characters', 'follow', ...words.map((word) => word.replace('PETS', pets())));
    expect([ended.code, ended.out + ended.err]).toEqual([code, expect.stringContaining(said)]);
    expect(libraryOf(companion).active().follows).toHaveLength(code === 0 ? 1 : 0);
  });

  it('and `unfollow` of what is not followed says what is', async () => {
    await run('characters', 'follow', 'codex');
    expect(await run('characters', 'unfollow', 'mine')).toMatchObject({
      out: '',
      err: expect.stringContaining('followed are: codex'),
    });
  });

  it('is told of by `characters show`', async () => {
    writePet(pets(), 'ghost');
    await run('characters', 'follow', 'codex');
    const { out } = await run('characters', 'show', GHOST);
    expect(out).toContain('A Codex pet, shown from where it lies.');
    expect(out).toContain(`Files: ${join(pets(), 'ghost')} (shown from there`);
  });
});

describe('the NDJSON interface', () => {
  it('says of a pet that it is not managed here', async () => {
    const server: NdjsonServer = { command: [process.execPath, CLI], env: companion.env };
    writePet(pets(), 'ghost');
    await run('characters', 'follow', 'codex');
    for (const capability of ['package_info', 'remove_package', 'list_installed_versions']) {
      const { of, result } = await call(server, capability, { target: 'pets.codex:ghost' });
      expect(of('error')[0], capability).toMatchObject({
        code: 'E_NOT_FOUND',
        message: expect.stringContaining('not managed here'),
      });
      expect(result.exitCode, capability).toBe(1);
    }
    expect((await call(server, 'list_packages')).result).toMatchObject({ exitCode: 0, data: { packages: [] } });
    expect((await call(server, 'list_subos_shims')).result).toMatchObject({ data: { shims: ['pets.codex:ghost'] } });
  });
});
