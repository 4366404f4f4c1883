/** Unfinished work: alone with its files, and swept when its process is gone. */
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { partPath, sweep, withJob } from './job.ts';
import { newFolder } from './library.fixture.ts';
import { hold, tryHold, withLibrary } from './lock.ts';
import { placesOf } from './places.ts';

const never = new AbortController().signal;
const SHA = 'a'.repeat(64);

function newPlaces() {
  const places = placesOf(newFolder());
  mkdirSync(places.tmp);
  return places;
}

describe('a job', () => {
  it('has a folder that is gone afterwards, however it ends', async () => {
    const places = newPlaces();
    await withJob(places, [SHA], never, async ({ folder }) => writeFileSync(join(folder, 'x'), 'x'));
    const failing = withJob(places, [], never, async ({ folder }) => {
      writeFileSync(join(folder, 'x'), 'x');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(readdirSync(places.tmp)).toEqual([]);
  });

  it('waits for another one that has the same file on its way, and not for others', async () => {
    const places = newPlaces();
    const order: string[] = [];
    let finish: () => void = () => {};
    const first = withJob(places, [SHA], never, async () => {
      order.push('first');
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      order.push('first ends');
    });
    await expect.poll(() => order).toEqual(['first']);
    const second = withJob(places, ['b'.repeat(64), SHA], never, async () => void order.push('second'));
    await withJob(places, [], never, async () => void order.push('other'));
    finish();
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'other', 'first ends', 'second']);
  });

  it('stops waiting when it is cancelled', async () => {
    const places = newPlaces();
    const held = await hold(partPath(places, SHA), never);
    const cancel = new AbortController();
    const waiting = withJob(places, [SHA], cancel.signal, async () => {});
    cancel.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'E_CANCELLED' });
    await held.release();
  });
});

describe('sweeping', () => {
  it('takes what killed processes left, but neither living work nor a download that may be gone on with', async () => {
    const places = newPlaces();
    const living = join(places.tmp, 'job-living');
    mkdirSync(living);
    const held = await hold(living, never);
    mkdirSync(join(places.tmp, 'job-dead'));
    writeFileSync(join(places.tmp, 'job-dead', 'x'), 'x');
    mkdirSync(join(places.tmp, 'job-killed.lock'));
    utimesSync(join(places.tmp, 'job-killed.lock'), 0, 0);
    writeFileSync(partPath(places, SHA), 'x');
    writeFileSync(partPath(places, 'b'.repeat(64)), 'x');
    utimesSync(partPath(places, 'b'.repeat(64)), 0, 0);
    await sweep(places);
    expect(readdirSync(places.tmp).sort()).toEqual([`${SHA}.part`, 'job-living', 'job-living.lock']);
    await held.release();
  });
});

describe('the library’s lock', () => {
  it('lets one in at a time', async () => {
    const places = newPlaces();
    let inside = 0;
    const work = (): number => {
      inside += 1;
      return inside;
    };
    expect((await Promise.all(Array.from({ length: 8 }, () => withLibrary(places, never, work)))).sort()).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8,
    ]);
    expect(readdirSync(places.dataFolder)).toEqual(['tmp']);
  });

  it('of a process that is gone is taken over', async () => {
    const path = join(newFolder(), 'x');
    mkdirSync(`${path}.lock`);
    expect(await tryHold(path)).toBe(null);
    utimesSync(`${path}.lock`, 0, 0);
    const held = await tryHold(path);
    expect(held).not.toBe(null);
    await held?.release();
  });
});
