import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_ID, type NoteIds, openNoteIds } from './note-ids.ts';

let base: string;
let folder: string;
let ids: NoteIds;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'note-ids-'));
  folder = join(base, 'ids');
  ids = openNoteIds(folder);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** What replacing `id` once more hands out. */
function held(id: number): readonly string[] {
  const replaced: string[] = [];
  ids.put(id, 'probe', (requestId) => replaced.push(requestId));
  return replaced;
}

describe('numbers of notifications', () => {
  it('begin at one and go up, over a new start', () => {
    expect([ids.add('a'), ids.add('b'), openNoteIds(folder).add('c')]).toEqual([1, 2, 3]);
    expect([held(1), held(2), held(3)]).toEqual([['a'], ['b'], ['c']]);
  });

  it('that a script has chosen itself are kept, and replaced once', () => {
    ids.put(9_999, 'first', () => expect.fail('nothing was there'));
    expect(held(9_999)).toEqual(['first']);
    expect(held(9_999)).toEqual(['probe']);
    expect(ids.add('next')).toBe(10_000);
  });

  it('after the last there is begin again where there is room', () => {
    ids.put(MAX_ID, 'last', () => {});
    ids.put(1, 'one', () => {});
    expect(ids.add('next')).toBe(2);
  });

  it('are kept for their owner alone, and no more of them than a few hundred, the newest', () => {
    for (let id = 1; id <= 300; id += 1) {
      writeFileSync(join(folder, String(id)), `r${id}`);
      utimesSync(join(folder, String(id)), id, id);
    }
    expect(ids.add('new')).toBe(301);
    const names = readdirSync(folder).map(Number);
    expect([names.length, Math.min(...names)]).toEqual([257, 45]);
    expect([statSync(folder).mode & 0o777, statSync(join(folder, '301')).mode & 0o777]).toEqual([0o700, 0o600]);
  });

  it('are not disturbed by files that are none', () => {
    writeFileSync(join(folder, 'x'), 'x');
    writeFileSync(join(folder, '7.8.new'), 'left behind');
    expect(ids.add('a')).toBe(1);
  });
});
