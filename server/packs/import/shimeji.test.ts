/** Shimeji packs in both languages become the same; scripts are counted and left, and nothing outside the pack is opened. */
import { describe, expect, test } from 'vitest';
import type { Draft } from './draft.ts';
import { makePng, solid } from './pictures.fixture.ts';
import { findShimeji } from './shimeji.ts';
import { type Files, fakeLook, memoryTree, taken, times, told } from './source.fixture.ts';

const PICTURE = makePng(8, 8, solid([9, 9, 9, 255]));
const pose = (image: string, more = 'ImageAnchor="4,8" Velocity="0,0" Duration="6"'): string =>
  `<Pose Image="${image}" ${more} />`;
const action = (name: string, poses: string, more = 'Type="Stay" BorderType="Floor"'): string =>
  `<Action Name="${name}" ${more}><Animation>${poses}</Animation></Action>`;
const actions = (...list: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Mascot xmlns="http://www.group-finity.com/Mascot"><ActionList>${list.join('')}</ActionList></Mascot>`;
const STAND = action('Stand', pose('/shime1.png'));

const pack = (xml: string | Uint8Array, more: Files = {}): Files => ({
  'conf/actions.xml': xml,
  'conf/behaviors.xml': '<Mascot/>',
  'img/Puff/shime1.png': PICTURE,
  'img/Puff/shime2.png': makePng(10, 12),
  ...more,
});

const read = async (files: Files): Promise<Draft> => findShimeji(memoryTree(files))[0]!.read(fakeLook());

describe('a Shimeji', () => {
  test('in English is read by the names of its actions, and counts in ticks of 40 ms', async () => {
    const draft = await read(
      pack(
        actions(
          STAND,
          action('Walk', pose('/shime1.png') + pose('/shime2.png')),
          action('Sprawl', pose('/shime1.png')),
          action('Jumping', pose('/shime2.png')),
          action('Bouncing', pose('/shime1.png') + pose('/shime2.png')),
          action('ClimbWall', pose('/shime1.png')),
        ),
      ),
    );
    expect(draft.name).toBe('Puff');
    expect(draft.facing).toBe('left');
    expect(taken(draft)).toEqual({
      idle: 'Stand (named)',
      move: 'Walk (named)',
      sleep: 'Sprawl (guessed)',
      celebrate: 'Jumping + Bouncing (guessed)',
    });
    expect(times(draft, 'move')).toEqual([240, 240]);
    expect(times(draft, 'celebrate')).toHaveLength(3);
    expect(draft.takes[0]?.poses[0]?.anchor).toEqual({ x: 4, y: 8 });
    expect(told(draft)).toContain('1 action was left out, nothing here calls for them: ClimbWall');
    expect(told(draft)).toContain('behaviors.xml: behaviours were left out');
  });

  test('in Japanese is the same, also when its pictures lie directly in img/', async () => {
    const xml =
      '<マスコット><動作リスト>' +
      '<動作 名前="立つ" 種類="静止" 枠="地面"><アニメーション><ポーズ 画像="/shime1.png" 基準座標="4,8" 移動速度="0,0" 長さ="250" /></アニメーション></動作>' +
      '<動作 名前="歩く" 種類="移動" 枠="地面"><アニメーション><ポーズ 画像="/shime2.png" 基準座標="5,12" 移動速度="-2,0" 長さ="6" /></アニメーション></動作>' +
      '</動作リスト></マスコット>';
    const pictures = Object.fromEntries([1, 2, 3, 4, 5, 6].map((number) => [`img/shime${number}.png`, PICTURE]));
    const draft = await read({ 'conf/動作.xml': xml, 'conf/行動.xml': '<マスコット/>', ...pictures });
    expect(taken(draft)).toEqual({ idle: '立つ (named)', move: '歩く (named)' });
    expect(times(draft, 'idle')).toEqual([10_000]);
    expect(draft.takes[1]?.poses[0]?.anchor).toEqual({ x: 5, y: 12 });
    expect(told(draft)).toContain('行動.xml: behaviours were left out');
  });

  test('is read whatever encoding its words are in', async () => {
    const text = actions(STAND).replace('UTF-8', 'UTF-16');
    const draft = await read(pack(Buffer.from(`\uFEFF${text}`, 'utf16le')));
    expect(taken(draft)).toEqual({ idle: 'Stand (named)' });
    const marked = await read(pack(`\uFEFF${actions(STAND)}`));
    expect(taken(marked)).toEqual({ idle: 'Stand (named)' });
  });

  test('never has a condition evaluated: the one without is taken, else the middle one', async () => {
    const animation = (image: string, condition: string): string =>
      `<Animation Condition="${condition}">${pose(image)}</Animation>`;
    const evil = '#{java.lang.Runtime.getRuntime().exec(1)}';
    const xml = actions(
      `<Action Name="Stand" Type="Stay">${animation('/shime2.png', evil)}<Animation>${pose('/shime1.png')}</Animation></Action>`,
      `<Action Name="Pinched" Type="Embedded">${['/shime1.png', '/shime2.png', '/shime1.png'].map((image) => animation(image, evil)).join('')}</Action>`,
    );
    const draft = await read(pack(xml));
    const picture = (target: string) => draft.takes.find((take) => take.target === target)?.poses[0]?.picture;
    expect(picture('idle')).toBe('img/Puff/shime1.png');
    expect(picture('drag')).toBe('img/Puff/shime2.png');
    expect(told(draft)).toContain('4 elements with scripts (the first is here); none was run');
  });

  test('finds pictures whose names differ in case, and says so', async () => {
    const draft = await read(pack(actions(action('Stand', pose('/Shime1.PNG')))));
    expect(draft.takes[0]?.poses[0]?.picture).toBe('img/Puff/shime1.png');
    expect(told(draft)).toContain('in other letters than the pack says');
  });

  test('goes without the poses whose pictures are missing, which are told once with their line', async () => {
    const draft = await read(
      pack(actions(`${STAND}\n`, action('Walk', pose('/no.png') + pose('/no.png') + pose('/shime1.png')))),
    );
    expect(times(draft, 'move')).toHaveLength(1);
    expect(draft.notes.filter(({ text }) => text.includes('is missing'))).toEqual([
      { file: 'conf/actions.xml', line: 2, text: 'img/Puff/no.png is missing' },
    ]);
  });

  test('skips what it does not know: poses without a picture, strange durations, far anchors, second actions', async () => {
    const xml = actions(
      action(
        'Stand',
        `<Pose Duration="5" />${pose('/shime1.png', 'ImageAnchor="4,8" Duration="-3"')}${pose('/shime1.png', 'ImageAnchor="999999,0" Duration="1"')}`,
      ),
      action('Stand', pose('/shime2.png')),
      '<Action Name="Odd" Type="Teleport" Class="evil.Code" />',
    );
    const draft = await read(pack(xml));
    expect(times(draft, 'idle')).toEqual([40]);
    expect(told(draft)).toContain('a second action called Stand was left out');
    expect(told(draft)).toContain('ImageAnchor is far outside');
  });

  test('stands by any action on the floor when none is called so', async () => {
    const draft = await read(
      pack(
        actions(
          action('Hang', pose('/shime1.png'), 'Type="Stay" BorderType="Ceiling"'),
          action('Chill', pose('/shime2.png')),
        ),
      ),
    );
    expect(taken(draft)).toEqual({ idle: 'Chill (guessed)' });
  });

  test('of several is each one, with a conf/ of its own before the shared one', async () => {
    const files = pack(actions(STAND), {
      'img/Mint/shime1.png': PICTURE,
      'img/Mint/conf/actions.xml': actions(STAND, action('Sit', pose('/shime1.png'))),
      'img/unused/shime1.png': PICTURE,
    });
    const found = findShimeji(memoryTree(files));
    expect(found.map(({ name }) => name)).toEqual(['Mint', 'Puff']);
    expect(taken(await found[0]!.read(fakeLook()))).toHaveProperty('rest');
  });

  test('is found as a folder of its own, deep in an archive', async () => {
    const files = { 'a/b/Puff/shime1.png': PICTURE, 'a/b/Puff/conf/actions.xml': actions(STAND) };
    expect((await read(files)).name).toBe('Puff');
  });

  test.each<[string, string, string]>([
    ['an absolute picture on a drive', actions(action('Stand', pose('C:/x.png'))), 'names a picture outside the pack'],
    [
      'a picture that leads out',
      actions(action('Stand', pose('/../../../../x.png'))),
      'names a picture outside the pack',
    ],
    ['a document type', '<!DOCTYPE a [<!ENTITY b "c">]><Mascot/>', 'line 1: a document type (DOCTYPE) is not allowed'],
    ['an unknown entity', '<Mascot>\n&lol;</Mascot>', 'line 2: is not well-formed XML'],
    ['XML that is cut in the middle', actions(STAND).slice(0, 120), 'is not well-formed XML'],
    ['something else', '<html/>', 'is no file of Shimeji actions'],
    [
      'nothing to stand still with',
      actions(action('Walk', pose('/shime1.png'), 'Type="Move"')),
      'no action to stand still with',
    ],
  ])('with %s is refused', async (_, xml, reason) => {
    await expect(read(pack(xml))).rejects.toThrow(reason);
  });

  test('whose pictures are links is refused', async () => {
    const tree = memoryTree(pack(actions(action('Stand', pose('/shime9.png')))), { closed: ['img/Puff/shime9.png'] });
    await expect(findShimeji(tree)[0]!.read(fakeLook())).rejects.toThrow('is a link');
  });
});
