/** Loose pictures are taken by their names; times come out of the files, never out of their names. */
import { describe, expect, test } from 'vitest';
import { findAnimatedFiles } from './animated-files.ts';
import type { Draft } from './draft.ts';
import { makeGif, makePng, solid } from './pictures.fixture.ts';
import { type Files, fakeLook, memoryTree, taken, times, told } from './source.fixture.ts';

const GIF = makeGif(4, 4, [{ paint: solid([1, 2, 3, 255]), delayMs: 100 }]);
const PNG = makePng(4, 4);

async function read(files: Files, delays = {}, opaque: readonly string[] = []): Promise<Draft> {
  const found = findAnimatedFiles(memoryTree(files, { name: 'crab' }));
  return found[0]!.read(fakeLook(delays, opaque));
}

describe('loose pictures', () => {
  test('are known by the word their names end with', async () => {
    const files = {
      'red_idle_8fps.gif': GIF,
      'red_walk_8fps.gif': GIF,
      'red_walk_fast_8fps.gif': GIF,
      'red_swipe_8fps.gif': GIF,
      'icon.png': PNG,
    };
    const draft = await read(files, { 'red_idle_8fps.gif': [260, 260, 0, 10, 15] });
    expect(taken(draft)).toEqual({
      idle: 'red_idle_8fps.gif (named)',
      move: 'red_walk_8fps.gif (named)',
      greet: 'red_swipe_8fps.gif (guessed)',
    });
    expect(times(draft, 'idle')).toEqual([260, 260, 100, 100, 20]);
    expect(told(draft)).toContain('red_walk_fast_8fps.gif: was left out');
  });

  test('of two colours are two characters', () => {
    const files = { 'red_idle.gif': GIF, 'blue_idle.gif': GIF, 'blue_walk.gif': GIF, 'readme.txt': '' };
    expect(findAnimatedFiles(memoryTree(files, { name: 'crab' })).map(({ name }) => name)).toEqual([
      'crab blue',
      'crab red',
    ]);
  });

  test('that are numbered are frames, in the order of their numbers, with the time their names say', async () => {
    const files = { 'idle_10.png': PNG, 'idle_2.png': PNG, 'walk_0_80.png': PNG, 'walk_1_90.png': PNG };
    const draft = await read(files);
    expect(draft.takes[0]?.poses.map(({ picture }) => picture)).toEqual(['idle_2.png', 'idle_10.png']);
    expect(times(draft, 'idle')).toEqual([125, 125]);
    expect(times(draft, 'move')).toEqual([80, 90]);
  });

  test('that are numbers only are named by their folder', async () => {
    const draft = await read({ 'idle/0.png': PNG, 'idle/1.png': PNG, 'sleep/0.png': PNG, 'sleep/1.png': PNG });
    expect(taken(draft)).toEqual({ idle: 'idle (named)', rest: 'sleep (guessed)', sleep: 'sleep (named)' });
  });

  test.each([
    ['idle.png', makePng(64, 20), 'pixelated'],
    ['idle.png', makePng(65, 20), 'smooth'],
    ['idle.gif', makeGif(100, 20, [{ paint: solid([1, 2, 3, 255]), delayMs: 100 }]), 'pixelated'],
  ])('that are small are pixel art, whatever they are kept in: %s', async (name, bytes, scaling) => {
    expect((await read({ [name]: bytes })).scaling).toBe(scaling);
  });

  test('with an opaque background are taken with a warning', async () => {
    expect(told(await read({ 'idle.gif': GIF }, {}, ['idle.gif']))).toContain('has no transparent background');
  });

  test('one file alone stands there, whatever it is called', async () => {
    const [found] = findAnimatedFiles(
      memoryTree({ 'Mon chat.gif': GIF, 'other.gif': GIF }, { name: 'Mon chat', chosen: 'Mon chat.gif' }),
    );
    const draft = await found!.read(fakeLook());
    expect(draft.name).toBe('Mon chat');
    expect(taken(draft)).toEqual({ idle: 'Mon chat.gif (guessed)' });
  });

  test('with more frames than a clip can have lose the rest, and it is told', async () => {
    const draft = await read({ 'idle.gif': GIF }, { 'idle.gif': Array.from({ length: 2_000 }, () => 50) });
    expect(times(draft, 'idle')).toHaveLength(256);
    expect(told(draft)).toContain('has 2000 frames; those after the 256th were left out');
  });

  test('that say nothing are refused rather than guessed at', async () => {
    await expect(read({ 'Screenshot 1a.png': PNG, 'holiday.png': PNG })).rejects.toThrow(
      'no picture in crab says by its name',
    );
  });

  test('that are no pictures are refused by their names', async () => {
    await expect(read({ 'idle.gif': 'GIF89a' })).rejects.toThrow('idle.gif is cut off');
    await expect(read({ 'idle.gif': 'hello' })).rejects.toThrow('idle.gif is not a PNG, GIF or WebP picture');
  });
});
