/** What is heard of folders that are there, that come, that go, and that are put in another one's place. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFolderWatch, type FolderWatch } from './watch-folders.ts';

/** A machine that is busy with others takes its time. */
const BUSY = { timeout: 15_000 };

let root: string;
let heard: number;
let watch: FolderWatch;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'companion-watch-'));
  heard = 0;
  watch = createFolderWatch(
    () => {
      heard += 1;
    },
    () => {},
  );
});
afterEach(() => {
  watch.close();
  rmSync(root, { recursive: true });
});

const folder = (...parts: readonly string[]): string => {
  const path = join(root, ...parts);
  mkdirSync(path, { recursive: true });
  return path;
};
/** Does something and waits until it has been heard of. */
async function hears(change: () => void): Promise<void> {
  const before = heard;
  change();
  await vi.waitFor(() => expect(heard).toBeGreaterThan(before), BUSY);
}

test('a file that comes, changes and goes is heard of', async () => {
  const at = folder('a');
  watch.set([{ folder: at, names: null }]);
  await hears(() => writeFileSync(join(at, 'x'), '1'));
  await hears(() => writeFileSync(join(at, 'x'), '2'));
  await hears(() => rmSync(join(at, 'x')));
});

test('names that do not matter are not', async () => {
  const at = folder('a');
  watch.set([{ folder: at, names: ['wanted'] }]);
  writeFileSync(join(at, 'other'), '1');
  // In the order of the changes: had the other been heard of, it would be by now.
  await hears(() => writeFileSync(join(at, 'wanted'), '1'));
  const after = heard;
  rmSync(join(at, 'other'));
  await hears(() => rmSync(join(at, 'wanted')));
  expect([after > 0, heard > after]).toEqual([true, true]);
});

test('a file that takes the place of another in one step is heard of', async () => {
  const at = folder('a');
  writeFileSync(join(at, 'wanted'), '1');
  writeFileSync(join(at, 'new'), '2');
  watch.set([{ folder: at, names: ['wanted'] }]);
  await hears(() => renameSync(join(at, 'new'), join(at, 'wanted')));
});

test('a folder that is not there is heard of as it comes, step by step', async () => {
  const wanted = [{ folder: join(root, 'a', 'b'), names: ['file'] }];
  watch.set(wanted);
  await hears(() => folder('a'));
  watch.set(wanted);
  await hears(() => folder('a', 'b'));
  watch.set(wanted);
  await hears(() => writeFileSync(join(root, 'a', 'b', 'file'), ''));
});

test('a folder that goes, and one that comes in its place, are heard of', async () => {
  const wanted = [{ folder: folder('a', 'b'), names: null }];
  watch.set(wanted);
  await hears(() => rmSync(join(root, 'a', 'b'), { recursive: true }));
  folder('a', 'b');
  watch.set(wanted);
  await hears(() => writeFileSync(join(root, 'a', 'b', 'file'), ''));
  expect(watch.isWhole()).toBe(true);
});

test('what is no longer wanted is no longer heard of', async () => {
  const [a, b] = [folder('a'), folder('b')];
  watch.set([{ folder: a, names: null }]);
  watch.set([{ folder: b, names: null }]);
  writeFileSync(join(a, 'x'), '');
  await hears(() => writeFileSync(join(b, 'x'), ''));
  const after = heard;
  writeFileSync(join(a, 'y'), '');
  await hears(() => rmSync(join(b, 'x')));
  expect(heard).toBeGreaterThan(after);
});
