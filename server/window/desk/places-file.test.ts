import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_LAYOUTS, type OwnPlace } from './place.ts';
import { openPlacesFile, parsePlaces } from './places-file.ts';

const place: OwnPlace = {
  layout: 'DP-1=1920x1080+0+0',
  monitor: 'DP-1',
  anchor: { x: 400, y: -300 },
  share: { x: 0.25, y: 1 },
};
const text = (...places: readonly unknown[]): string => JSON.stringify({ places });

let folder: string;
let path: string;
let lines: string[];
const openFile = () => openPlacesFile(path, (line) => lines.push(line));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'companion-places-'));
  path = join(folder, 'places.json');
  lines = [];
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('the file of places', () => {
  it('gives back what was kept, and only its owner can read it', async () => {
    const first = await openFile();
    expect(first.remembered).toEqual([]);
    first.keep([place]);
    await first.close();
    expect((await openFile()).remembered).toEqual([place]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['places.json']);
    expect(lines).toEqual([]);
  });

  it('has the newest of places kept one after another', async () => {
    const file = await openFile();
    for (let x = 0; x < 50; x += 1) file.keep([{ ...place, anchor: { x, y: 0 } }]);
    await file.close();
    expect((await openFile()).remembered[0]?.anchor.x).toBe(49);
  });

  it('is not written when nothing differs', async () => {
    const file = await openFile();
    file.keep([place]);
    await file.close();
    const { ino } = statSync(path);
    file.keep([place]);
    await file.close();
    expect(statSync(path).ino).toBe(ino);
  });

  it('that is broken is dropped with one line, and can be written again', async () => {
    writeFileSync(path, '{"places": [');
    const file = await openFile();
    expect([file.remembered, lines.length]).toEqual([[], 1]);
    file.keep([place]);
    await file.close();
    expect(readFileSync(path, 'utf8')).toContain('DP-1');
  });

  it.each([
    ['a folder', () => mkdirSync(path)],
    ['a pipe', () => execFileSync('mkfifo', [path])],
    ['an endless device', () => symlinkSync('/dev/zero', path)],
  ])('with %s in its place is not waited for, and told of in one line', async (_what, put) => {
    put();
    expect((await openFile()).remembered).toEqual([]);
    expect(lines).toEqual([expect.stringContaining(path)]);
  });

  it('that is endless is not read to its end', async () => {
    writeFileSync(path, `${text(place)}${' '.repeat(1_000_000)}`);
    expect((await openFile()).remembered).toEqual([]);
    expect(lines).toHaveLength(1);
  });

  it('that cannot be written is one line in the log', async () => {
    path = join(folder, 'nowhere', 'places.json');
    const file = await openFile();
    file.keep([place]);
    await file.close();
    expect(lines).toEqual(["the figure's place could not be kept (ENOENT)"]);
  });
});

describe('places in a text', () => {
  it.each<[string, string]>([
    ['no JSON', 'nothing'],
    ['null', 'null'],
    ['a list', '[]'],
    ['no list of places', '{"places":{}}'],
    ['far too long', text(place) + ' '.repeat(70_000)],
    ['a place far from every screen', text({ ...place, anchor: { x: 1e9, y: 0 } })],
    ['a place without a number', text({ ...place, anchor: { x: null, y: 0 } })],
    ['a share beyond 1', text({ ...place, share: { x: 2, y: 0 } })],
    ['no layout', text({ ...place, layout: '' })],
    ['no monitor', text({ ...place, monitor: 7 })],
    ['null as a place', text(null)],
  ])('are none when it holds %s', (_what, content) => {
    expect(parsePlaces(content)).toEqual({ places: [], isBroken: true });
  });

  it('are the good ones when others are broken', () => {
    expect(parsePlaces(text({ ...place, layout: 3 }, place))).toEqual({ places: [place], isBroken: true });
  });

  it('are the newest of each layout, and not too many', () => {
    const moved = { ...place, anchor: { x: 1, y: 1 } };
    expect(parsePlaces(text(place, moved)).places).toEqual([moved]);
    const many = Array.from({ length: 40 }, (_, index) => ({ ...place, layout: `L${index}` }));
    const { places } = parsePlaces(text(...many));
    expect([places.length, places.at(-1)?.layout]).toEqual([MAX_LAYOUTS, 'L39']);
  });
});
