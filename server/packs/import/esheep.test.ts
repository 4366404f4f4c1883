/** eSheep files: base64 sheet, sums, intervals that run from start to end, and links between animations. */
import { describe, expect, test } from 'vitest';
import type { Draft } from './draft.ts';
import { findSheep } from './esheep.ts';
import { makePng } from './pictures.fixture.ts';
import { fakeLook, memoryTree, taken, times, told } from './source.fixture.ts';

const SHEET = makePng(128, 96).toString('base64');
const animation = (
  id: number,
  name: string,
  frames: readonly number[],
  more = '',
  interval = ['100', '100'],
  repeat = '0',
  x = '0',
): string =>
  `<animation id="${id}"><name>${name}</name><start><x>${x}</x><y>0</y><interval>${interval[0]}</interval></start>` +
  `<end><x>${x}</x><y>0</y><interval>${interval[1]}</interval></end>` +
  `<sequence repeat="${repeat}" repeatfrom="1">${frames.map((frame) => `<frame>${frame}</frame>`).join('')}${more}</sequence></animation>`;

const sheep = (
  animations: string,
  image = `<tilesx>4</tilesx><tilesy>3</tilesy><png><![CDATA[${SHEET}]]></png>`,
): string =>
  '<?xml version="1.0"?><animations xmlns="https://esheep.petrucci.ch/">' +
  '<header><author>Ann</author><title>Sheep</title><petname>Schäfchen 🐑</petname><version>1.2</version></header>' +
  `<image>${image}<transparency>Magenta</transparency></image><spawns><spawn id="1" probability="9"/></spawns>` +
  `<animations>${animations}</animations><sounds><sound animationid="1"/></sounds></animations>`;

async function read(xml: string): Promise<Draft> {
  return (await findSheep(memoryTree({ 'animations.xml': xml })))[0]!.read(fakeLook());
}

describe('an eSheep', () => {
  test('is taken by the fixed names, and by habit', async () => {
    const draft = await read(
      sheep(
        animation(1, 'walk', [0, 1], '<next probability="50">3</next>', undefined, undefined, '-2') +
          animation(2, 'Fall', [2]) +
          animation(3, 'pause', [3]) +
          animation(4, 'drag', [4]) +
          animation(5, 'sleep1a', [5]) +
          animation(6, 'kill', [6]),
      ),
    );
    expect(draft.name).toBe('Schäfchen 🐑');
    expect([draft.authors, draft.version, draft.colourKey]).toEqual([['Ann'], '1.2', 'Magenta']);
    expect(taken(draft)).toEqual({
      drag: 'drag (declared)',
      fall: 'fall (declared)',
      move: 'walk (named)',
      sleep: 'sleep1a (named)',
      idle: 'pause (guessed)',
    });
    expect(draft.takes.find(({ target }) => target === 'sleep')?.poses[0]?.region).toEqual({
      x: 32,
      y: 32,
      w: 32,
      h: 32,
    });
    expect(told(draft)).toContain('sounds were left out');
    expect(told(draft)).toContain('places to appear at were left out');
    expect(told(draft)).toContain('nothing here calls for them: kill');
  });

  test('repeats its sequence from where it says, and its interval runs in a straight line', async () => {
    const draft = await read(sheep(animation(1, 'idle', [0, 1, 2], '', ['100', '400'], '1')));
    expect(draft.takes[0]?.poses.map(({ region }) => region.x / 32)).toEqual([0, 1, 2, 1, 2]);
    expect(times(draft, 'idle')).toEqual([100, 175, 250, 325, 400]);
  });

  test('whose steps are all as long goes round by itself', async () => {
    const [take] = (await read(sheep(animation(1, 'idle', [0, 1, 2], '', undefined, '50')))).takes;
    expect([take?.poses.length, take?.loop, take?.loopStart]).toEqual([3, true, 1]);
  });

  test('has its sums worked out; one of luck is its middle, and code is none', async () => {
    const draft = await read(
      sheep(
        animation(1, 'idle', [0], '', ['imageW*2+random', '100']) + animation(2, 'walk', [1], '', ['alert(1)', '50']),
      ),
    );
    expect(times(draft, 'idle')).toEqual([114]);
    expect(times(draft, 'move')).toEqual([100]);
    expect(told(draft)).toContain('walk: an interval that is no sum was ignored');
  });

  test('that repeats for ever ends at what a clip can hold', async () => {
    expect(times(await read(sheep(animation(1, 'idle', [0, 1], '', ['100', '200'], '99999999'))), 'idle')).toHaveLength(
      256,
    );
  });

  test('goes without animations whose tiles there are not, and without second ones', async () => {
    const draft = await read(sheep(animation(1, 'idle', [0]) + animation(2, 'walk', [12]) + animation(1, 'run', [1])));
    expect(taken(draft)).toEqual({ idle: 'idle (named)' });
    expect(told(draft)).toContain('animation walk was left out: it names tile 12, the sheet has 12');
    expect(told(draft)).toContain('a second animation 1 was left out');
    expect(told(draft)).not.toContain('nothing here calls for');
  });

  const image = (tiles: string, png = SHEET): string => `${tiles}<png>${png}</png>`;
  test.each<[string, string, string]>([
    ['no tiles', image('<tilesx>0</tilesx><tilesy>1</tilesy>'), 'tilesx must be a whole number above 0'],
    ['a sum for tiles', image('<tilesx>1+1</tilesx><tilesy>1</tilesy>'), 'tilesx must be a whole number'],
    ['too many tiles', image('<tilesx>100</tilesx><tilesy>90</tilesy>'), 'at most 1024'],
    ['more tiles than pixels', image('<tilesx>129</tilesx><tilesy>1</tilesy>'), 'do not fit into 128 x 96'],
    ['a sheet that is no base64', image('<tilesx>1</tilesx><tilesy>1</tilesy>', '!!'), 'the sheet is no base64'],
    [
      'a sheet that is cut',
      image('<tilesx>1</tilesx><tilesy>1</tilesy>', SHEET.slice(0, 80)),
      '(its sheet) is cut off',
    ],
  ])('with %s is refused', async (_, content, reason) => {
    await expect(read(sheep(animation(1, 'idle', [0]), content))).rejects.toThrow(reason);
  });

  test('that is cut in the middle is refused with its line', async () => {
    const xml = sheep(animation(1, 'idle', [0]));
    await expect(read(xml.slice(0, -40))).rejects.toThrow('animations.xml, line 1: is not well-formed XML');
  });
});
