import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addLauncher, readLauncher, removeLauncher } from './launcher.ts';

const ICON = Buffer.from('a picture');
let base: string;
let dataHome: string;
let start: readonly string[];
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'launcher-'));
  dataHome = join(base, 'data');
  start = [join(base, 'node'), join(base, 'cli.cjs')];
  for (const path of start) writeFileSync(path, '');
  chmodSync(start[0]!, 0o755);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const entry = () => join(dataHome, 'applications', 'companion.desktop');
const icon = () => join(dataHome, 'icons/hicolor/256x256/apps/companion.png');
const everything = () => readdirSync(base, { recursive: true, encoding: 'utf8' }).sort();
const refusal = expect.objectContaining({ code: 'REFUSED' });

describe('add', () => {
  it('writes an entry that opens the companion, with its icon and two actions', () => {
    const status = { added: true, file: entry(), icon: icon(), exec: [...start, 'open'], repair: null };
    expect(addLauncher(dataHome, start, ICON)).toEqual(status);
    expect(readFileSync(icon()).equals(ICON)).toBe(true);
    const text = readFileSync(entry(), 'utf8');
    const commands = [...text.matchAll(/^Exec=(.*)$/gm)].map(([, line]) => line!.slice(start.join(' ').length + 1));
    expect(commands).toEqual(['open', 'hide', 'dnd on']);
    expect(text).toMatch(/^\[Desktop Entry\]\nType=Application\nName=Companion\n/);
    expect(text).toContain('\nActions=hide;dnd;\n');
  });

  it('run again changes nothing, brings an older icon up to date, and mends what points elsewhere', () => {
    const first = addLauncher(dataHome, ['/gone/node', '/gone/cli.cjs'], Buffer.from('older'));
    expect(first.repair).toBe('/gone/node is gone');
    const before = everything();
    expect(addLauncher(dataHome, start, ICON).repair).toBeNull();
    expect(readFileSync(icon()).equals(ICON)).toBe(true);
    expect(everything()).toEqual(before);
    expect(readLauncher(dataHome, ['/other', '/cli.cjs']).repair).toContain('another');
    rmSync(icon());
    expect(readLauncher(dataHome, start)).toMatchObject({ icon: null, repair: 'its icon is gone' });
  });

  it.each([
    ['entry', entry],
    ['icon', icon],
  ])('refuses to put its %s over a file that is not ours', (_what, path) => {
    mkdirSync(dirname(path()), { recursive: true });
    writeFileSync(path(), 'mine');
    const before = everything();
    expect(() => addLauncher(dataHome, start, ICON)).toThrow(refusal);
    expect(everything()).toEqual(before);
    expect(readFileSync(path(), 'utf8')).toBe('mine');
    expect(readLauncher(dataHome, start).added).toBe(false);
    expect(removeLauncher(dataHome)).toEqual([]);
    expect(everything()).toEqual(before);
  });
});

describe('remove', () => {
  it('leaves nothing, no folder either', () => {
    const before = everything();
    addLauncher(dataHome, start, ICON);
    rmSync(icon());
    addLauncher(dataHome, start, ICON);
    expect(removeLauncher(dataHome)).toEqual([entry(), icon()]);
    expect(everything()).toEqual(before);
    expect(readLauncher(dataHome, start)).toMatchObject({ added: false, file: null, repair: null });
    expect(removeLauncher(dataHome)).toEqual([]);
  });

  it('keeps folders that were there before, and what others have put into ours', () => {
    mkdirSync(join(dataHome, 'icons', 'hicolor'), { recursive: true });
    addLauncher(dataHome, start, ICON);
    writeFileSync(join(dirname(entry()), 'other.desktop'), '');
    removeLauncher(dataHome);
    expect(everything()).toEqual(
      [
        'cli.cjs',
        'data',
        'data/applications',
        'data/applications/other.desktop',
        'data/icons',
        'data/icons/hicolor',
        'node',
      ].sort(),
    );
  });
});
