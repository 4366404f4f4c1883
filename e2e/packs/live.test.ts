/** Packs that come, change, break and go while the real overlay runs: it follows by itself, and nothing it is given takes it down. */
import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../server/protocol/snapshot.ts';
import { type Client, enableAccess, pairClient, refusalOf } from '../conformance/support.ts';
import { action, click, closeMenu, gone, openMenu } from '../conformance/support-page.ts';
import { finish, startCli } from '../faults/processes.ts';
import { type LaunchedCompanion, launchCompanion, until } from '../harness.ts';
import { removeFolders } from './library.ts';
import {
  type Colour,
  colourIs,
  figureIs,
  GHOST,
  ghost,
  install,
  libraryOf,
  putByHand,
  SPIN,
  sheetOf,
  writePack,
} from './live-packs.ts';

const NIB = 'builtin.nib';
const WHITE: Colour = [240, 240, 240];
const PINK: Colour = [250, 120, 180];
const TEAL: Colour = [20, 160, 150];

let companion: LaunchedCompanion;
beforeAll(async () => {
  companion = await launchCompanion();
  await enableAccess(companion);
});
afterEach(async () => {
  const library = libraryOf(companion);
  for (const { id, version } of library.installed()) await library.remove(id, version);
  await library.setCurrent(NIB);
  await figureIs(companion, NIB);
});
afterAll(async () => {
  await companion?.stop();
  removeFolders();
});

interface List {
  readonly catalogRevision: number;
  readonly current: string;
  readonly characters: readonly {
    readonly id: string;
    readonly version: string;
    readonly builtIn: boolean;
    readonly capabilities: readonly string[];
    readonly styles: readonly string[];
  }[];
  readonly unavailable: readonly { readonly id: string; readonly reason: string }[];
}

const list = (client: Client) => client.call<List>('characters.list');
const find = async (client: Client, id: string) => (await list(client)).characters.find((each) => each.id === id);
/** Waits until the pack is listed, in that version. */
const listed = (client: Client, id: string, version = '1.0.0') =>
  until(`${id} ${version} is listed`, async () => (await find(client, id))?.version === version, 15_000);
/** Waits until the pack is listed as one that cannot be used; gives the reason. */
const unusable = (client: Client, id: string): Promise<string> =>
  until(
    `${id} cannot be used`,
    async () => (await list(client)).unavailable.find((each) => each.id === id)?.reason,
    15_000,
  );
const run = (...args: readonly string[]) => finish(startCli(companion.env, ...args));

/** Keeps note of every clip the figure begins, oldest first; the returned function gives them. */
async function watchClips(): Promise<() => Promise<readonly string[]>> {
  await companion.page.evaluate(`(() => {
    const { dataset } = document.querySelector('.figure canvas');
    window.clips = [];
    window.clipWatch?.disconnect();
    window.clipWatch = new MutationObserver(() => window.clips.push(dataset.character + ' ' + dataset.clip));
    window.clipWatch.observe(document.querySelector('.figure canvas'), { attributeFilter: ['data-clip', 'data-character'] });
  })()`);
  return () => companion.page.evaluate('window.clips') as Promise<readonly string[]>;
}

describe('a pack that is put in place', () => {
  it('is listed at once with what it can do, used when it is chosen, and removed like it came', async () => {
    const client = await pairClient(companion);
    const before = await list(client);
    await install(companion, ghost(), WHITE);
    await listed(client, GHOST);
    const after = await list(client);
    expect(after.catalogRevision).toBeGreaterThan(before.catalogRevision);
    expect(after.current).toBe(NIB);
    expect(after.characters.find(({ id }) => id === GHOST)).toMatchObject({
      builtIn: false,
      capabilities: expect.arrayContaining(['animation.greet', 'notice.show', SPIN]),
    });
    expect((await find(client, GHOST))?.capabilities).not.toContain('animation.work');

    const { code, out } = await run('characters', 'use', GHOST);
    expect([code, out]).toEqual([0, 'Ghost is your character now.\n']);
    await figureIs(companion, GHOST);
    await colourIs(companion, WHITE);
    expect(await list(client)).toMatchObject({ current: GHOST });

    await libraryOf(companion).remove(GHOST, '1.0.0');
    await figureIs(companion, NIB);
    expect(await find(client, GHOST)).toBeUndefined();
    expect((await list(client)).current).toBe(NIB);
  });

  it('changes what programs may ask for, with every change of the character', async () => {
    const client = await pairClient(companion);
    const ids = async () =>
      (await client.call<{ capabilities: { id: string }[] }>('capabilities.list')).capabilities.map(({ id }) => id);
    await install(companion, ghost(), WHITE);
    await listed(client, GHOST);
    expect(await ids()).not.toContain(SPIN);
    expect((await refusalOf(client.create(SPIN, {}))).code).toBe('UNSUPPORTED_CAPABILITY');
    await libraryOf(companion).setCurrent(GHOST);
    await figureIs(companion, GHOST);
    expect(await ids()).toContain(SPIN);
    expect(await ids()).not.toContain('animation.work');
    const spun = await client.create(SPIN, { loops: 2 });
    expect(await client.ended(spun.requestId)).toMatchObject({
      status: 'completed',
      reason: 'clip_ended',
      resolvedCharacter: GHOST,
      resolvedCapability: SPIN,
    });
    expect((await refusalOf(client.create('animation.work', {}))).code).toBe('UNSUPPORTED_CAPABILITY');
    expect((await refusalOf(client.create('animation.celebrate', {}))).code).toBe('UNSUPPORTED_CAPABILITY');
    expect(await client.create('animation.celebrate', {}, { allowSubstitute: true })).toMatchObject({
      resolvedCapability: 'animation.greet',
      substituteReason: 'A ghost only greets.',
    });
  });

  it('is fetched by nobody until it is shown', async () => {
    const client = await pairClient(companion);
    const asked: string[] = [];
    const note = (request: { url(): string }): void => void asked.push(request.url());
    companion.page.on('request', note);
    await install(companion, ghost(), WHITE);
    await install(companion, ghost({ id: 'org.example.other' }), PINK);
    await listed(client, GHOST);
    await listed(client, 'org.example.other');
    await libraryOf(companion).setCurrent(GHOST);
    await figureIs(companion, GHOST);
    companion.page.off('request', note);
    expect(asked.some((url) => url.includes(GHOST))).toBe(true);
    expect(asked.filter((url) => url.includes('org.example.other'))).toEqual([]);
  });
});

describe('a clip that runs', () => {
  const startLong = async (client: Client, capability: string): Promise<Snapshot> => {
    const { requestId } = await client.create(capability, { loops: 8 });
    return client.shown(requestId);
  };

  it('ends before the figure becomes another one', async () => {
    const client = await pairClient(companion);
    await install(companion, ghost(), WHITE);
    await listed(client, GHOST);
    const { requestId } = await client.create('animation.greet', { loops: 2 });
    await client.shown(requestId);
    const clips = await watchClips();
    await libraryOf(companion).setCurrent(GHOST);
    await until('it is the current one', async () => (await list(client)).current === GHOST);
    await figureIs(companion, GHOST);
    expect(await client.get(requestId)).toMatchObject({ reason: 'clip_ended', resolvedCharacter: NIB });
    const seen = await clips();
    const firstOther = seen.findIndex((each) => each.startsWith(GHOST));
    expect(seen.slice(firstOther).every((each) => each.startsWith(GHOST))).toBe(true);
  });

  it('ends before a new version of its character is shown', async () => {
    const client = await pairClient(companion);
    await install(companion, ghost(), WHITE);
    await libraryOf(companion).setCurrent(GHOST);
    await figureIs(companion, GHOST);
    const { requestId } = await startLong(client, SPIN);
    await install(companion, ghost({ version: '1.1.0' }), PINK);
    await listed(client, GHOST, '1.1.0');
    expect(await client.ended(requestId)).toMatchObject({ reason: 'clip_ended', resolvedCharacter: GHOST });
    await colourIs(companion, PINK);
    await figureIs(companion, GHOST);
  });

  it('ends before a built-in character takes over from one that has been removed; who waited for it is told', async () => {
    const client = await pairClient(companion);
    await install(companion, ghost(), WHITE);
    await libraryOf(companion).setCurrent(GHOST);
    await figureIs(companion, GHOST);
    const { requestId } = await startLong(client, SPIN);
    const waiting = await client.create(SPIN, {});
    await libraryOf(companion).remove(GHOST, '1.0.0');
    expect(await client.ended(waiting.requestId)).toMatchObject({
      status: 'failed',
      reason: 'display_failed',
      resolvedCharacter: GHOST,
    });
    expect(await client.ended(requestId)).toMatchObject({ status: 'completed', reason: 'clip_ended' });
    await figureIs(companion, NIB);
    expect((await refusalOf(client.create(SPIN, {}))).code).toBe('UNSUPPORTED_CAPABILITY');
  });
});

describe('a wardrobe', () => {
  it('brings its own packs and its own choice, wherever it lies', async () => {
    const client = await pairClient(companion);
    const library = libraryOf(companion);
    await install(companion, ghost(), TEAL);
    await listed(client, GHOST);
    const elsewhere = join(companion.home, 'elsewhere');
    await library.createWardrobe('work', elsewhere);
    await library.switchWardrobe('work');
    await until('the ghost is not worn', async () => (await find(client, GHOST)) === undefined);
    await library.useVersion(GHOST, 'latest');
    await library.setCurrent(GHOST);
    await figureIs(companion, GHOST);
    await library.switchWardrobe('default');
    await figureIs(companion, NIB);
    await library.removeWardrobe('work');
  });
});

describe('a hostile pack', () => {
  /** A good one is chosen first, so that there is something to lose. */
  async function chosen(client: Client): Promise<void> {
    await install(companion, ghost(), WHITE);
    await libraryOf(companion).setCurrent(GHOST);
    await figureIs(companion, GHOST);
    await listed(client, GHOST);
  }
  const BAD = 'org.example.bad';
  const bad = (changes: object = {}) => ghost({ id: BAD, ...changes });

  it.each<[string, RegExp, () => string]>([
    ['whose manifest is no JSON', /character\.json/, () => writePack('{', { 'sheet.png': sheetOf(PINK) })],
    ['without a sheet', /sheet\.png is missing/, () => writePack(bad(), {})],
    [
      'whose sheet is smaller than its cells',
      /sheet\.png is 64 x 32 pixels/,
      () => {
        const images = [{ ...bad().images[0]!, w: 128 }];
        return writePack(bad({ images }), { 'sheet.png': sheetOf(PINK) });
      },
    ],
    [
      'with a negative duration',
      /duration/,
      () => {
        const clips = {
          ...bad().clips,
          idle: { frames: [{ image: 'main', cell: 0, duration: -5 }], loop: true, stillFrame: 0 },
        };
        return writePack(bad({ clips }), { 'sheet.png': sheetOf(PINK) });
      },
    ],
    [
      'that reaches for a file outside',
      /sheet\.png is a link/,
      () => {
        const folder = writePack(bad(), {});
        symlinkSync('/etc/passwd', join(folder, 'sheet.png'));
        return folder;
      },
    ],
    [
      'with a sheet that never ends',
      /sheet\.png is a FIFO/,
      () => {
        const folder = writePack(bad(), {});
        execFileSync('mkfifo', [join(folder, 'sheet.png')]);
        return folder;
      },
    ],
    [
      'that calls itself another one',
      /builtin\.nib/,
      () => writePack(bad({ id: NIB }), { 'sheet.png': sheetOf(PINK) }),
    ],
    [
      'that would redefine what is not its own',
      /declare/,
      () =>
        writePack(bad({ declares: { 'notice.show': { description: { default: 'Mine.' } } } }), {
          'sheet.png': sheetOf(PINK),
        }),
    ],
  ])('%s is listed with its reason and harms nobody', async (_, reason, make) => {
    const client = await pairClient(companion);
    await chosen(client);
    putByHand(companion, BAD, make());
    expect(await unusable(client, BAD)).toMatch(reason);
    expect((await list(client)).current).toBe(GHOST);
    expect((await refusalOf(client.create('animation.greet', {}, { character: BAD }))).code).toBe('INVALID_PARAMS');
    const { requestId } = await client.create(SPIN, {});
    expect((await client.ended(requestId)).status).toBe('completed');
  });

  it('whose sheet is damaged behind its header is found out when it is shown: what showed before stays', async () => {
    const client = await pairClient(companion);
    await chosen(client);
    const { page } = companion;
    const whole = sheetOf(PINK);
    putByHand(companion, BAD, writePack(bad(), { 'sheet.png': whole.subarray(0, 45) }));
    await listed(client, BAD);
    await libraryOf(companion).setCurrent(BAD);
    expect(await unusable(client, BAD)).toMatch(/^sheet\.png cannot be drawn/);
    await figureIs(companion, NIB);
    expect(companion.host.page()).toBe(page);
    // Mended, it is a character like any other.
    putByHand(companion, BAD, writePack(bad(), { 'sheet.png': whole }));
    await figureIs(companion, BAD);
    await colourIs(companion, PINK);
  });

  it('that is asked for by name and cannot be drawn fails, and says so', async () => {
    const client = await pairClient(companion);
    await chosen(client);
    putByHand(companion, BAD, writePack(bad(), { 'sheet.png': sheetOf(PINK).subarray(0, 45) }));
    await listed(client, BAD);
    const { requestId } = await client.create('animation.greet', {}, { character: BAD });
    expect(await client.ended(requestId)).toMatchObject({
      status: 'failed',
      reason: 'display_failed',
      displayedAt: null,
      resolvedCharacter: BAD,
    });
    await unusable(client, BAD);
    await figureIs(companion, GHOST);
  });
});

describe('a sound', () => {
  it('of a clip is fetched only when the user has switched sounds on', async () => {
    const client = await pairClient(companion);
    const clips = { ...ghost().clips, spin: { ...ghost().clips.spin!, sound: 'boo' } };
    const path = writePack(ghost({ clips, sounds: [{ id: 'boo', file: 'boo.ogg' }] }), {
      'sheet.png': sheetOf(TEAL),
      'boo.ogg': Buffer.from('OggS and nothing more'),
    });
    const library = libraryOf(companion);
    const steering = { signal: new AbortController().signal, unpaused: async () => {}, onDownloads() {}, onPack() {} };
    await library.adopt({ kind: 'path', path }, { use: true }, steering);
    await library.setCurrent(GHOST);
    await figureIs(companion, GHOST);
    const asked: string[] = [];
    companion.page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
    const spin = async (): Promise<void> => {
      const { requestId } = await client.create(SPIN, {});
      await client.ended(requestId);
    };
    const sounds = async (): Promise<void> => {
      await openMenu(companion.page);
      await click(companion.page, `[data-role="menu"] ${action('sounds')}`);
      await closeMenu(companion.page);
    };
    await spin();
    expect(asked.filter((path) => path.endsWith('.ogg'))).toEqual([]);
    await sounds();
    await spin();
    await until('the sound is fetched', () => asked.some((path) => path.endsWith('/boo.ogg')));
    await sounds();
  });
});

describe('the gallery', () => {
  it('shows every character, and a press makes it the user’s', async () => {
    const client = await pairClient(companion);
    await install(companion, ghost(), WHITE);
    await listed(client, GHOST);
    const { page } = companion;
    await openMenu(page);
    await click(page, `[data-role="menu"] ${action('characters')}`);
    const tile = `[data-panel="characters"] [data-character-id="${GHOST}"]`;
    await page.waitForSelector(tile);
    await page.$eval(tile, (element) => element.scrollIntoView());
    await page.waitForSelector(`${tile} canvas:not([width="1"])`);
    await click(page, `${tile} ${action('use-character')}`);
    await figureIs(companion, GHOST);
    await page.waitForSelector(`${tile} [aria-pressed="true"]`);
    expect(libraryOf(companion).active().current).toBe(GHOST);
    expect((await list(client)).current).toBe(GHOST);
    // What comes while it is open is shown as well.
    putByHand(companion, 'org.example.bad', writePack('{', {}));
    await page.waitForSelector('[data-unavailable-id="org.example.bad"]');
    await page.keyboard.press('Escape');
    await gone(page, '[data-panel="characters"]');
  });
});

describe('the commands', () => {
  it('`characters use` and `show` need neither key nor host, and name what there is', async () => {
    const env = { ...companion.env, COMPANION_SOCKET: join(companion.home, 'nobody.sock') };
    const offline = (...args: readonly string[]) => finish(startCli(env, ...args));
    await install(companion, ghost(), WHITE);
    const unknown = await offline('characters', 'use', 'org.example.none');
    expect([unknown.code, unknown.err]).toEqual([
      2,
      expect.stringMatching(/There is no such character\. There are: .*builtin\.nib.*org\.example\.ghost\./),
    ]);
    const { code, out } = await offline('characters', 'show', GHOST, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ id: GHOST, builtIn: false, current: false, styles: 'all', license: 'MIT' });
    expect((await offline('characters', 'use', GHOST, '--json')).out).toBe(
      `${JSON.stringify({ current: GHOST, previous: NIB })}\n`,
    );
    expect((await offline('characters', 'show', GHOST)).out).toContain(', on the screen');
    await figureIs(companion, GHOST);
    expect((await offline('characters', 'use', NIB)).code).toBe(0);
    await figureIs(companion, NIB);
  });

  it('`characters use` refuses a broken one with its reason, and a wardrobe that cannot be read', async () => {
    await install(companion, ghost(), WHITE);
    putByHand(companion, 'org.example.bad', writePack('{', {}));
    const broken = await run('characters', 'use', 'org.example.bad');
    expect([broken.code, broken.err]).toEqual([2, expect.stringContaining('This character cannot be used: ')]);
    const wardrobe = join(libraryOf(companion).active().folder, 'wardrobe.json');
    writeFileSync(wardrobe, '{');
    const unread = await run('characters', 'use', NIB);
    expect([unread.code, unread.err]).toEqual([2, expect.stringContaining(wardrobe)]);
    rmSync(wardrobe);
  });
});
