/** Cells against sheets that only take notes: what is decoded and cut when, and what is given up. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Cells, createCells } from './cells.ts';
import { createTestClock, type TestClock } from './clock.ts';

const SIDE = 256;
const COLUMNS = 4;
const grid = { columns: COLUMNS, rows: 20, cellW: SIDE, cellH: SIDE };
const manifest = {
  canvas: { w: 128, h: 128, scale: 2, scaling: 'smooth' },
  anchor: { x: 0.5, y: 1 },
  images: ['main', 'other'].map((id) => ({ id, file: `${id}.png`, w: 1_024, h: 5_120, grid })),
} as const;
const frames = (image: string, ...cells: number[]) => cells.map((cell) => ({ image, cell, duration: 100 }));
const square = (side: number) => ({ width: side, height: side });

interface Picture {
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

/** Names of the pictures that are decoded now: `main` is a sheet, `main 5 @128` a cell in its size. */
let decoded: Set<string>;
let decodings: number;
let onCut: ReturnType<typeof vi.fn<() => void>>;
let onBroken: ReturnType<typeof vi.fn<(file: string) => void>>;
let fetched: string[];
let clock: TestClock;
let cells: Cells;

function picture(name: string, width = 0, height = 0) {
  decoded.add(name);
  return { name, width, height, close: () => decoded.delete(name) };
}

/** Knows what is drawn into it by its name, and the cell of a sheet by where that lies. */
class FakeCanvas {
  width = 0;
  height = 0;
  #name = '';
  getContext() {
    return {
      clearRect: () => {},
      transform: () => {},
      translate: () => {},
      drawImage: ({ name }: Picture, x: number, y: number) => {
        const cell = (y / SIDE) * COLUMNS + x / SIDE;
        this.#name = decoded.has(name) && !name.includes('@') ? `${name} ${cell}` : name.replace(/ @.*/, '');
      },
    };
  }
  transferToImageBitmap() {
    return picture(`${this.#name} @${this.width}`, this.width, this.height);
  }
}

const nameOf = (frame: ReturnType<typeof frames>[number]): string | undefined =>
  (cells.find(frame) as unknown as Picture | undefined)?.name;
const opened = () => vi.waitFor(() => expect(onCut).toHaveBeenCalled());

beforeEach(() => {
  decoded = new Set();
  decodings = 0;
  onCut = vi.fn<() => void>();
  clock = createTestClock();
  vi.stubGlobal('OffscreenCanvas', FakeCanvas);
  vi.stubGlobal('createImageBitmap', async (blob: Blob) => {
    decodings += 1;
    if (blob.type === 'broken') throw new Error('no picture');
    return picture(blob.type);
  });
  fetched = [];
  onBroken = vi.fn<(file: string) => void>();
  const files = async (image: string) => {
    fetched.push(image);
    return { file: `${image}.png`, blob: new Blob([], { type: image === 'main' ? 'main' : 'broken' }) };
  };
  cells = createCells(manifest, files, clock, { onCut, onBroken });
});
afterEach(() => vi.unstubAllGlobals());

describe('wanted cells', () => {
  test('are cut at once from an open sheet, and told of when it has to be opened first', async () => {
    const [three] = frames('main', 3);
    cells.want([three!], square(128), false);
    expect(cells.cover([three!])).toBe(false);
    await opened();
    expect(nameOf(three!)).toBe('main 3 @128');
    const [nine] = frames('main', 9);
    cells.want([nine!], square(128), false);
    expect(nameOf(nine!)).toBe('main 9 @128');
    expect(onCut).toHaveBeenCalledOnce();
    expect(decodings).toBe(1);
  });

  test('have no more pixels than the sheet', async () => {
    cells.want(frames('main', 1), { width: 700, height: 200 }, false);
    await opened();
    expect(cells.find(frames('main', 1)[0]!)).toMatchObject({ width: 256, height: 200 });
  });

  test('of another size replace the present ones, which stay until then', async () => {
    const [one] = frames('main', 1);
    cells.want([one!], square(128), false);
    await opened();
    clock.advance(1_000);
    onCut.mockClear();
    cells.want([one!], square(64), false);
    expect(nameOf(one!)).toBe('main 1 @128');
    await opened();
    expect(nameOf(one!)).toBe('main 1 @64');
    expect([...decoded]).toEqual(['main', 'main 1 @64']);
  });

  test('take the size that was wanted last while their sheet was opened', async () => {
    cells.want(frames('main', 1), square(128), false);
    cells.want(frames('main', 1), square(64), false);
    await opened();
    expect([...decoded]).toEqual(['main', 'main 1 @64']);
    expect(decodings).toBe(1);
  });

  test('of a broken sheet count as there, and are not tried again', async () => {
    const [broken] = frames('other', 0);
    cells.want([broken!], square(128), false);
    await opened();
    expect(cells.cover([broken!])).toBe(true);
    expect(cells.find(broken!)).toBeUndefined();
    expect(onBroken.mock.calls).toEqual([['other.png']]);
    cells.want([broken!], square(128), false);
    expect(decodings).toBe(1);
  });

  test('cause nothing to be fetched but the sheets they are on', async () => {
    cells.want(frames('main', 1), square(128), false);
    await opened();
    expect(fetched).toEqual(['main']);
  });
});

describe('what is decoded', () => {
  test('is the sheet for a second after it was last needed', async () => {
    await cells.open(frames('main', 0));
    cells.want(frames('main', 0), square(128), false);
    clock.advance(999);
    expect(decoded).toContain('main');
    clock.advance(1);
    expect([...decoded]).toEqual(['main 0 @128']);
  });

  test('are cells that were wanted lately, within four megabytes', async () => {
    const many = Array.from({ length: 80 }, (_, cell) => cell);
    await cells.open(frames('main', 0));
    for (const cell of many) cells.want(frames('main', cell), square(128), false);
    expect(decoded.size - 1).toBe(64);
    expect(decoded).toContain('main 79 @128');
    expect(decoded).not.toContain('main 15 @128');
  });

  test('is at rest only what is wanted', async () => {
    await cells.open(frames('main', 0));
    cells.want(frames('main', 0, 1, 2), square(128), false);
    cells.want(frames('main', 1), square(128), true);
    clock.advance(1_000);
    expect([...decoded]).toEqual(['main 1 @128']);
  });

  test('is nothing after closing, not even what arrives late', async () => {
    cells.want(frames('main', 0), square(128), false);
    cells.close();
    await new Promise<void>((resolve) => setTimeout(resolve));
    expect(decoded.size).toBe(0);
    expect(onCut).not.toHaveBeenCalled();
  });
});

test('opening rejects for what is no picture', async () => {
  await expect(cells.open(frames('other', 0))).rejects.toMatchObject({ name: 'FileTrouble', file: 'other.png' });
});
