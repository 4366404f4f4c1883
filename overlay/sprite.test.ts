/** The sprite against a fake canvas and a clock that stands still: what is drawn when, and which timers run. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CharacterManifest, Clip, Frame } from '../server/protocol/character.ts';
import type { Cells, createCells } from './cells.ts';
import { createTestClock, type TestClock } from './clock.ts';
import type { Size } from './cut.ts';
import { createSprite, type Sprite, type SpriteReports } from './sprite.ts';

const clip = (
  loop: Clip['loop'],
  stillFrame: number,
  ...frames: readonly [cell: number, duration: number][]
): Clip => ({
  frames: frames.map(([cell, duration]) => ({ image: 'main', cell, duration })),
  loop,
  stillFrame,
});

const manifest: CharacterManifest = {
  schema: 'desktop-companion.character/1',
  id: 'test.sprite',
  version: '1.0.0',
  displayName: { default: 'Sprite' },
  description: { default: 'Sprite' },
  authors: [{ name: 'x' }],
  license: 'MIT',
  canvas: { w: 128, h: 128, scale: 2, scaling: 'smooth' },
  anchor: { x: 0.5, y: 1 },
  contentBox: { x: 0, y: 0, w: 128, h: 128 },
  images: [{ id: 'main', file: 'sheet.png', w: 1024, h: 512, grid: { columns: 4, rows: 2, cellW: 256, cellH: 256 } }],
  clips: {
    idle: clip(true, 1, [0, 3_000], [1, 1_000]),
    wave: { ...clip(false, 1, [2, 100], [3, 200]), fallback: 'bow' },
    bow: clip(2, 0, [4, 50]),
    busy: clip(true, 0, [5, 100], [5, 100], [6, 100]),
  },
  capabilities: {},
  substitutes: {},
};

/** Cells in the order they were drawn. */
let drawn: number[];
let clock: TestClock;
let sprite: Sprite;
let ratioChanged: () => void;
let late: boolean;
let bring: () => void;
let breakSheet: () => void;
/** What the sprite told of itself. */
let told: string[];
/** What was wanted, in words. */
let wants: string[];
let served: (address: string) => { ok: boolean; status: number; json?: () => unknown; blob?: () => unknown };

interface FakeBitmap {
  readonly cell: number;
  readonly width: number;
  readonly height: number;
}

/** Cells that are there as soon as they are wanted, or when the test brings them; they know only their number. */
function fakeCells(...[, , , { onCut, onBroken }]: Parameters<typeof createCells>): Cells {
  breakSheet = () => onBroken('sheet.png');
  const kept = new Map<number, FakeBitmap>();
  const cut = (frames: readonly Frame[], { width, height }: Size): void => {
    for (const { cell = 0 } of frames) if (kept.get(cell)?.width !== width) kept.set(cell, { cell, width, height });
  };
  return {
    open: async () => {},
    want(frames, size, onlyThese) {
      wants.push(
        `${[...new Set(frames.map(({ cell }) => cell))].join(' ')} at ${size.width}${onlyThese ? ' only' : ''}`,
      );
      if (onlyThese)
        for (const cell of kept.keys()) if (!frames.some((frame) => frame.cell === cell)) kept.delete(cell);
      if (!late) return cut(frames, size);
      bring = () => {
        cut(frames, size);
        onCut();
      };
    },
    find: ({ cell = 0 }) => kept.get(cell) as unknown as ImageBitmap | undefined,
    cover: (frames) => frames.every(({ cell = 0 }) => kept.has(cell)),
    close: () => kept.clear(),
  };
}

const newSprite = (): Sprite => {
  const canvas = fakeCanvas();
  const tell: SpriteReports = {
    onCharacter: ({ id }) => told.push(`character ${id}`),
    onClip: (character, clip) => Object.assign(canvas.dataset, { character, clip }),
    onBroken: (folder, file) => told.push(`broken ${folder}${file}`),
  };
  return createSprite(canvas, clock, undefined, tell, fakeCells);
};

function fakeCanvas(): HTMLCanvasElement {
  const context = {
    clearRect: () => {},
    drawImage: ({ cell }: FakeBitmap) => drawn.push(cell),
  };
  return { dataset: {}, style: {}, width: 0, height: 0, getContext: () => context } as unknown as HTMLCanvasElement;
}

beforeEach(async () => {
  drawn = [];
  wants = [];
  told = [];
  late = false;
  clock = createTestClock();
  served = () => ({ ok: true, status: 200, json: () => manifest, blob: () => ({}) });
  vi.stubGlobal('devicePixelRatio', 1);
  vi.stubGlobal('fetch', async (address: string) => served(address));
  vi.stubGlobal('matchMedia', () => ({
    addEventListener: (_: string, run: () => void) => {
      ratioChanged = run;
    },
  }));
  sprite = newSprite();
  await sprite.load('/overlay/characters/test.sprite/');
  drawn.length = 0;
  wants.length = 0;
});
afterEach(() => {
  sprite.close();
  vi.unstubAllGlobals();
});

const shown = (): string | undefined => sprite.canvas.dataset.clip;

describe('play', () => {
  test('starts with idle and says which character and clip show', () => {
    expect(sprite.canvas.dataset).toEqual({ character: 'test.sprite', clip: 'idle' });
  });

  test('draws each frame at its time and arms one timer for the next', () => {
    sprite.play('busy', null);
    expect(drawn).toEqual([5]);
    expect(clock.waiting()).toBe(1);
    clock.advance(299);
    expect(drawn).toEqual([5, 6]);
    clock.advance(301);
    expect(drawn).toEqual([5, 6, 5, 6, 5]);
    expect(clock.waiting()).toBe(1);
  });

  test('ends a finite clip once, then plays its fallback and at last idle', () => {
    const onEnd = vi.fn();
    sprite.play('wave', null, { onEnd });
    clock.advance(299);
    expect(onEnd).not.toHaveBeenCalled();
    clock.advance(1);
    expect(onEnd).toHaveBeenCalledOnce();
    expect(shown()).toBe('bow');
    clock.advance(100);
    expect(shown()).toBe('idle');
    clock.advance(100_000);
    expect(onEnd).toHaveBeenCalledOnce();
  });

  test('plays an endless clip as many rounds as asked for', () => {
    const onEnd = vi.fn();
    sprite.play('busy', 2, { onEnd });
    clock.advance(599);
    expect(onEnd).not.toHaveBeenCalled();
    clock.advance(1);
    expect(onEnd).toHaveBeenCalledOnce();
    expect(shown()).toBe('idle');
  });

  test('never tells the end of a clip that another one has replaced', () => {
    const onEnd = vi.fn();
    sprite.play('wave', null, { onEnd });
    clock.advance(150);
    sprite.play('busy', null);
    clock.advance(10_000);
    expect(onEnd).not.toHaveBeenCalled();
    expect(shown()).toBe('busy');
  });

  test('keeps the clip that the end of another one starts', () => {
    sprite.play('wave', null, { onEnd: () => sprite.play('busy', null) });
    clock.advance(300);
    expect(shown()).toBe('busy');
    expect(clock.waiting()).toBe(1);
  });

  test.each(['dance', 'constructor'])('plays idle for the unknown clip %s and still tells its end', (name) => {
    const onEnd = vi.fn();
    sprite.play(name, null, { onEnd });
    expect(shown()).toBe('idle');
    clock.advance(4_000);
    expect(onEnd).toHaveBeenCalledOnce();
  });

  test('rests on the still frame of idle after a minute, without a timer, until something is played', () => {
    sprite.play('idle', null);
    clock.advance(60_000);
    expect(drawn.at(-1)).toBe(1);
    expect(clock.waiting()).toBe(0);
    sprite.play('busy', null);
    expect(drawn.at(-1)).toBe(5);
    expect(clock.waiting()).toBe(1);
  });
});

describe('setStill', () => {
  test('shows the one telling frame and needs no timer for an endless clip', () => {
    sprite.setStill(true);
    sprite.play('busy', null);
    expect(drawn.at(-1)).toBe(5);
    expect(clock.waiting()).toBe(0);
    sprite.play('idle', null);
    expect(drawn.at(-1)).toBe(1);
    expect(clock.waiting()).toBe(0);
  });

  test('lets a finite clip end after its nominal time', () => {
    const onEnd = vi.fn();
    sprite.setStill(true);
    sprite.play('wave', 2, { onEnd });
    expect(drawn).toEqual([1, 3]);
    clock.advance(599);
    expect(onEnd).not.toHaveBeenCalled();
    clock.advance(1);
    expect(onEnd).toHaveBeenCalledOnce();
    expect(drawn).toEqual([1, 3, 4]);
  });

  test('taken back, the clip moves on from where it would be', () => {
    sprite.setStill(true);
    sprite.play('busy', null);
    clock.advance(250);
    sprite.setStill(false);
    expect(drawn.at(-1)).toBe(6);
  });
});

describe('setRunning', () => {
  test('leaves no timer while stopped and goes on where it stopped', () => {
    const onEnd = vi.fn();
    sprite.play('wave', null, { onEnd });
    clock.advance(250);
    sprite.setRunning(false);
    expect(clock.waiting()).toBe(0);
    clock.advance(100_000);
    sprite.setRunning(true);
    clock.advance(49);
    expect(onEnd).not.toHaveBeenCalled();
    clock.advance(1);
    expect(onEnd).toHaveBeenCalledOnce();
  });

  test('a clip asked for while stopped starts when running again', () => {
    sprite.setRunning(false);
    sprite.play('busy', null);
    clock.advance(5_000);
    expect(clock.waiting()).toBe(0);
    sprite.setRunning(true);
    clock.advance(199);
    expect(drawn.at(-1)).toBe(5);
    clock.advance(1);
    expect(drawn.at(-1)).toBe(6);
  });
});

describe('setScale', () => {
  test('sets the size on screen and a backing store of as many pixels as the screen has there', () => {
    vi.stubGlobal('devicePixelRatio', 2);
    sprite.setScale(150);
    expect(sprite.canvas).toMatchObject({ width: 384, height: 384, style: { width: '192px', height: '192px' } });
    expect(drawn).toEqual([0]);
  });

  test('follows the screen to another pixel ratio and draws again, but not for nothing', () => {
    ratioChanged();
    expect(drawn).toEqual([]);
    vi.stubGlobal('devicePixelRatio', 1.5);
    ratioChanged();
    expect(sprite.canvas).toMatchObject({ width: 192, height: 192, style: { width: '128px' } });
    expect(drawn).toEqual([0]);
  });
});

describe('cells', () => {
  test('are wanted of what plays and of what follows, at the size of the screen', () => {
    sprite.play('wave', null);
    expect(wants).toEqual(['0 2 3 4 at 128']);
  });

  test('of the one picture that stays are all that is wanted at rest, in reduced motion and while stopped', () => {
    sprite.play('idle', null);
    clock.advance(60_000);
    expect(wants.at(-1)).toBe('1 at 128 only');
    sprite.setStill(true);
    sprite.play('busy', null);
    expect(wants.at(-1)).toBe('1 5 at 128 only');
    sprite.setRunning(false);
    expect(wants.at(-1)).toBe('5 at 128 only');
  });

  test('that are not there yet keep a clip from beginning; what showed before stays', () => {
    const onBegin = vi.fn();
    late = true;
    sprite.play('wave', null, { onBegin });
    clock.advance(5_000);
    expect(drawn).toEqual([]);
    expect(sprite.canvas.dataset.clip).toBe('idle');
    expect(onBegin).not.toHaveBeenCalled();
    bring();
    expect(drawn).toEqual([2]);
    expect(onBegin).toHaveBeenCalledOnce();
    clock.advance(100);
    expect(drawn).toEqual([2, 3]);
  });

  test('of another size replace the present ones when they are there, and the clip loses nothing', () => {
    sprite.play('busy', null);
    late = true;
    sprite.setScale(200);
    expect(sprite.canvas.width).toBe(256);
    expect(drawn).toEqual([5, 5]);
    clock.advance(200);
    expect(drawn).toEqual([5, 5, 6]);
    bring();
    expect(drawn).toEqual([5, 5, 6, 6]);
    expect(clock.waiting()).toBe(1);
  });

  test('that are not there when the figure is let go on keep the clip where it was', () => {
    sprite.play('wave', null);
    clock.advance(150);
    sprite.setRunning(false);
    late = true;
    sprite.setRunning(true);
    clock.advance(5_000);
    expect(drawn).toEqual([2, 3]);
    bring();
    clock.advance(149);
    expect(shown()).toBe('wave');
    clock.advance(1);
    expect(drawn).toEqual([2, 3, 4]);
  });
});

describe('load', () => {
  test('goes on with what was asked for before the character was there', async () => {
    const fresh = newSprite();
    fresh.play('busy', null);
    expect(fresh.canvas.dataset.clip).toBeUndefined();
    await fresh.load('/overlay/characters/test.sprite/');
    expect(fresh.canvas.dataset.clip).toBe('busy');
  });

  test('rejects a missing file and leaves what showed', async () => {
    served = () => ({ ok: false, status: 404 });
    await expect(sprite.load('/overlay/characters/none/')).rejects.toMatchObject({ file: 'character.json' });
    expect(sprite.canvas.dataset.character).toBe('test.sprite');
  });

  test('tells which character it is before it is drawn, and later which of its pictures are missing', () => {
    expect(told).toEqual(['character test.sprite']);
    breakSheet();
    expect(told.at(-1)).toBe('broken /overlay/characters/test.sprite/sheet.png');
  });

  test('gives a clip’s sound with its beginning, once', async () => {
    const wave = { ...manifest.clips.wave!, sound: 'hello' };
    const sounding = { ...manifest, clips: { ...manifest.clips, wave }, sounds: [{ id: 'hello', file: 'hello.ogg' }] };
    served = () => ({ ok: true, status: 200, json: () => sounding, blob: () => ({}) });
    await sprite.load('/folder/');
    const onBegin = vi.fn();
    sprite.play('wave', 3, { onBegin });
    clock.advance(700);
    expect(onBegin.mock.calls).toEqual([['/folder/hello.ogg']]);
    sprite.play('busy', null, { onBegin });
    expect(onBegin.mock.calls.at(-1)).toEqual([null]);
  });

  test('of two loads the last one wins, however late the first arrives', async () => {
    let answerFirst = (): void => {};
    const first = new Promise<void>((resolve) => {
      answerFirst = resolve;
    });
    vi.stubGlobal('fetch', async (address: string) => {
      if (address.includes('/slow/')) await first;
      const id = address.includes('/slow/') ? 'test.slow' : 'test.quick';
      return { ok: true, status: 200, json: () => ({ ...manifest, id }), blob: () => ({}) };
    });
    const slow = sprite.load('/slow/');
    await sprite.load('/quick/');
    answerFirst();
    await slow;
    expect(sprite.canvas.dataset.character).toBe('test.quick');
  });
});

test('a closed sprite has no timer, and draws nothing more', () => {
  sprite.play('busy', null);
  drawn.length = 0;
  sprite.close();
  expect(clock.waiting()).toBe(0);
  sprite.play('wave', null);
  sprite.setStill(true);
  clock.advance(5_000);
  expect(drawn).toEqual([]);
});
