/** Characters that come, go and change while the runtime runs: what is told of them, and what becomes of requests (spec §2, §7, R11). */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TEST_MANIFEST } from '../packs/testing.ts';
import { HOST } from '../protocol/actor.ts';
import type { CharacterManifest } from '../protocol/character.ts';
import type { HostMessage } from '../protocol/link.ts';
import type { Snapshot } from '../protocol/snapshot.ts';
import { bootRuntime, castOf, type TestRuntime, testMember } from './runtime.fixture.ts';

const SPIN = 'vendor.org.example.spin';
const { hop, idle } = TEST_MANIFEST.clips as { hop: CharacterManifest['clips'][string]; idle: typeof hop };

/** Has the clip for `spin`, and lacks most others. */
const spinner = testMember({
  id: 'test.spinner',
  declares: { [SPIN]: { description: { default: 'Spins round.' } } },
  capabilities: { [SPIN]: { clip: 'hop', basis: 'declared' }, 'animation.wait': { clip: 'idle', basis: 'declared' } },
  substitutes: {},
});
const dot = testMember();

let test: TestRuntime;
beforeEach(async () => {
  test = bootRuntime();
  await test.ready();
});
afterEach(() => test.runtime.close());

interface List {
  readonly catalogRevision: number;
  readonly current: string;
  readonly characters: readonly { readonly id: string; readonly capabilities: string[]; readonly styles: string[] }[];
  readonly unavailable: readonly { readonly id: string; readonly reason: string }[];
}
interface Capabilities {
  readonly catalogRevision: number;
  readonly capabilities: readonly { readonly id: string; readonly characters: unknown; readonly styles: string[] }[];
}

const create = (capability: string, more: object = {}) =>
  test.call<Snapshot>(HOST, 'requests.create', { capability, params: {}, ...more });
const get = (requestId: string) => test.call<Snapshot>(HOST, 'requests.get', { requestId });
const list = () => test.call<List>(HOST, 'characters.list');
const capabilities = () => test.call<Capabilities>(HOST, 'capabilities.list');
const set = async (...cast: Parameters<typeof castOf>): Promise<void> => {
  test.runtime.setCast(castOf(...cast));
  await test.settled();
};
const staged = (requestId: string) => vi.waitFor(() => expect(test.lastScene().clip?.requestId).toBe(requestId));

describe('the catalogue', () => {
  it('has another revision after every change that matters, and the same one without', async () => {
    const revisions = [(await list()).catalogRevision];
    for (const cast of [
      castOf([dot, spinner], 'test.dot'),
      castOf([dot, spinner], 'test.spinner'),
      castOf([dot, testMember({ id: 'test.spinner', version: '2.0.0' })], 'test.spinner'),
      { ...castOf([dot], 'test.spinner'), unavailable: [{ id: 'test.spinner', reason: 'sheet.png is missing' }] },
    ]) {
      test.runtime.setCast(cast);
      revisions.push((await list()).catalogRevision);
      expect((await capabilities()).catalogRevision).toBe(revisions.at(-1));
    }
    expect(new Set(revisions).size).toBe(revisions.length);
    test.runtime.setCast({
      ...castOf([dot], 'test.spinner'),
      unavailable: [{ id: 'test.spinner', reason: 'sheet.png is missing' }],
    });
    expect((await list()).catalogRevision).toBe(revisions.at(-1));
  });

  it('says what is not to be used and why, and that another one stands in for it', async () => {
    const unavailable = [{ id: 'test.spinner', reason: 'sheet.png is missing' }];
    test.runtime.setCast({ ...castOf([dot], 'test.spinner'), unavailable });
    expect(await list()).toMatchObject({ current: 'test.dot', unavailable });
  });

  it('has an animation that a pack declares, with the contract of all animations and its characters', async () => {
    await set([dot, spinner], 'test.spinner');
    const { capabilities: all } = await capabilities();
    expect(all.find(({ id }) => id === SPIN)).toMatchObject({
      kind: 'animation',
      description: 'Spins round.',
      requiredScopes: ['animate'],
      characters: ['test.spinner'],
      completion: 'clip_end',
    });
    expect((await list()).characters.find(({ id }) => id === 'test.spinner')?.capabilities).toContain(SPIN);
    expect(await test.call(HOST, 'capabilities.describe', { id: SPIN })).toMatchObject({ id: SPIN });
    expect(await create(SPIN)).toMatchObject({ resolvedCapability: SPIN, resolvedCharacter: 'test.spinner' });
    await expect(create(SPIN, { params: { loops: 0 } })).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  });

  it('has one capability for two packs that declare the same', async () => {
    await set([spinner, testMember({ ...spinner.manifest, id: 'test.other' })], 'test.spinner');
    const { capabilities: all } = await capabilities();
    expect(all.filter(({ id }) => id === SPIN).map(({ characters }) => characters)).toEqual([
      ['test.spinner', 'test.other'],
    ]);
  });

  it('keeps to itself what the current character lacks, and describes it all the same', async () => {
    await set([dot, spinner], 'test.dot');
    expect((await capabilities()).capabilities.map(({ id }) => id)).not.toContain(SPIN);
    expect(await test.call(HOST, 'capabilities.describe', { id: SPIN })).toMatchObject({
      characters: ['test.spinner'],
    });
    await expect(create(SPIN)).rejects.toMatchObject({
      code: 'UNSUPPORTED_CAPABILITY',
      details: { capability: SPIN, character: 'test.dot' },
    });
    expect(await create(SPIN, { character: 'test.spinner' })).toMatchObject({ resolvedCharacter: 'test.spinner' });
  });

  it('forgets it with the pack, and lets a request of it be read still', async () => {
    await set([dot, spinner], 'test.spinner');
    const { requestId } = await create(SPIN);
    await staged(requestId);
    await set([dot], 'test.dot');
    await expect(create(SPIN)).rejects.toMatchObject({ code: 'UNSUPPORTED_CAPABILITY' });
    await expect(test.call(HOST, 'capabilities.describe', { id: SPIN })).rejects.toMatchObject({
      code: 'UNSUPPORTED_CAPABILITY',
    });
    expect(await get(requestId)).toMatchObject({ capability: SPIN, resolvedCharacter: 'test.spinner' });
    await expect(
      test.call(HOST, 'requests.update', { requestId, expectedRevision: 1, params: {} }),
    ).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  });
});

describe('a style', () => {
  const ghost = testMember({
    styles: ['terminal', 'comic'],
    clips: { idle, hop, glitch: { ...hop } },
    capabilities: {
      'animation.greet': { clip: 'hop', basis: 'declared', styles: { terminal: 'glitch' } },
      'animation.wait': { clip: 'idle', basis: 'declared' },
    },
    substitutes: {},
  });

  it('is listed for the character, and for every capability it fits', async () => {
    await set([ghost], 'test.dot');
    expect((await list()).characters[0]?.styles).toEqual(['comic', 'terminal']);
    const { styles } = await test.call<{ styles: { id: string; capabilities: string[] }[] }>(HOST, 'styles.list');
    const of = (style: string) => styles.find(({ id }) => id === style)?.capabilities;
    expect(of('terminal')).toContain('animation.greet');
    expect(of('comic')).not.toContain('animation.greet');
    expect(of('comic')).toContain('notice.show');
    expect(of('plain')).not.toContain('notice.show');
    expect(of('plain')).toContain('animation.wait');
    const contracts = (await capabilities()).capabilities;
    expect(contracts.find(({ id }) => id === 'notice.show')?.styles).toEqual(['comic', 'terminal']);
  });

  it('that the character does not fit is refused, or replaced by the first that fits when the caller allows', async () => {
    await set([ghost], 'test.dot');
    const notice = { params: { text: 'Hi' }, style: 'large-text' };
    await expect(create('notice.show', notice)).rejects.toMatchObject({
      code: 'UNSUPPORTED_STYLE',
      details: { styles: ['comic', 'terminal'] },
    });
    expect(await create('notice.show', { ...notice, allowSubstitute: true })).toMatchObject({
      resolvedStyle: 'comic',
      substituteReason: 'style large-text does not fit the character',
    });
    expect(await create('notice.show', { params: { text: 'Hi' } })).toMatchObject({
      resolvedStyle: 'comic',
      substituteReason: null,
    });
  });

  it('brings the clip the character has for it', async () => {
    await set([ghost], 'test.dot');
    const { requestId, resolvedStyle } = await create('animation.greet', { style: 'terminal' });
    expect(resolvedStyle).toBe('terminal');
    await vi.waitFor(() => expect(test.lastScene().clip).toMatchObject({ requestId, clip: 'glitch' }));
    await expect(create('animation.wait', { style: 'terminal' })).rejects.toMatchObject({ code: 'UNSUPPORTED_STYLE' });
  });
});

describe('the scene', () => {
  it('has the figure the user chose, and the settings follow', async () => {
    await set([dot, spinner], 'test.spinner');
    await vi.waitFor(() =>
      expect(test.lastScene()).toMatchObject({
        character: '/overlay/characters/test.spinner/a/',
        settings: { character: 'test.spinner' },
      }),
    );
    expect(test.store.current.character).toBe('test.spinner');
    await set([dot, testMember(spinner.manifest, 'b')], 'test.spinner');
    await vi.waitFor(() => expect(test.lastScene().character).toBe('/overlay/characters/test.spinner/b/'));
  });

  it('keeps a clip that has begun, of a pack that changes or goes; the next one is the new one', async () => {
    await set([dot, spinner], 'test.spinner');
    const first = await create(SPIN);
    await staged(first.requestId);
    await set([dot, testMember({ ...spinner.manifest, version: '2.0.0' }, 'b')], 'test.spinner');
    expect(test.lastScene()).toMatchObject({
      character: '/overlay/characters/test.spinner/b/',
      clip: { requestId: first.requestId, folder: '/overlay/characters/test.spinner/a/', clip: 'hop' },
    });
    await set([dot], 'test.spinner');
    expect(test.lastScene().clip).toMatchObject({ folder: '/overlay/characters/test.spinner/a/' });
    test.page({ type: 'clipEnded', requestId: first.requestId });
    await vi.waitFor(() =>
      expect(test.lastScene()).toMatchObject({ clip: null, character: '/overlay/characters/test.dot/a/' }),
    );
    expect(await get(first.requestId)).toMatchObject({
      status: 'completed',
      reason: 'clip_ended',
      resolvedCharacter: 'test.spinner',
    });
  });

  it('never shows one character in the name of another: what waited for one that has gone fails', async () => {
    await set([dot, spinner], 'test.spinner');
    const first = await create(SPIN);
    const second = await create(SPIN);
    await staged(first.requestId);
    await set([dot], 'test.spinner');
    await vi.waitFor(async () =>
      expect(await get(second.requestId)).toMatchObject({
        status: 'failed',
        reason: 'display_failed',
        resolvedCharacter: 'test.spinner',
      }),
    );
    expect((await get(first.requestId)).status).toBe('queued');
  });

  it('also what was accepted in the same turn', async () => {
    await set([dot, spinner], 'test.spinner');
    const running = await create('animation.wait');
    await staged(running.requestId);
    const accepted = create(SPIN);
    test.runtime.setCast(castOf([dot], 'test.spinner'));
    const { requestId } = await accepted;
    await vi.waitFor(async () => expect((await get(requestId)).status).toBe('failed'));
  });

  it('has no figure when there is no character, and refuses', async () => {
    await set([], null);
    await expect(create('animation.greet')).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    expect((await capabilities()).capabilities).toEqual([]);
    expect(test.lastScene().character).toBe('');
  });
});

describe('the page', () => {
  const gallery = () =>
    test.sent.findLast((message) => message.type === 'characters') as Extract<HostMessage, { type: 'characters' }>;

  it('gets every character with what it can do', async () => {
    await set([dot, spinner], 'test.spinner');
    test.page({ type: 'open', page: 'characters' });
    await vi.waitFor(() => expect(gallery()).toBeDefined());
    const [first, second] = gallery().rows;
    expect(first).toMatchObject({ id: 'test.dot', name: { default: 'Dot', zh: '小点' }, current: false });
    expect(first?.abilities).toEqual([
      { name: 'greet', text: null, instead: null },
      { name: 'celebrate', text: null, instead: 'greet' },
      { name: 'work', text: null, instead: null },
    ]);
    expect(second).toMatchObject({ current: true, license: 'MIT', folder: '/overlay/characters/test.spinner/a/' });
    expect(second?.abilities).toContainEqual({ name: 'spin', text: { default: 'Spins round.' }, instead: null });
  });

  it('hands the user’s choice on, and hears when there is no such character', async () => {
    test.page({ type: 'choose', character: 'test.dot' });
    test.page({ type: 'choose', character: 'test.none' });
    await vi.waitFor(() => expect(test.sent).toContainEqual({ type: 'notChosen', character: 'test.none' }));
    expect(test.chosen).toEqual(['test.dot']);
    const coming = test.sent.filter(({ type }) => type === 'coming');
    expect(coming).toEqual([{ type: 'coming', folder: '/overlay/characters/test.dot/a/' }]);
  });

  it('that cannot draw a character is believed, and who waits for its clip is told', async () => {
    const { requestId } = await create('animation.greet');
    await staged(requestId);
    test.page({ type: 'broken', folder: '/overlay/characters/test.dot/a/', file: 'sheet.png' });
    await vi.waitFor(async () =>
      expect(await get(requestId)).toMatchObject({ status: 'failed', reason: 'display_failed' }),
    );
    expect(test.broken).toEqual(['test.dot a sheet.png']);
  });

  it.each(['', '/overlay/', '/overlay/characters/test.dot/', '/etc/test.dot/a/', '/overlay/characters/a/b/c/'])(
    'that names the folder %j is not',
    async (folder) => {
      test.page({ type: 'broken', folder, file: 'sheet.png' });
      await test.settled();
      expect(test.broken).toEqual([]);
    },
  );
});
