import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wallOf } from './chromium-places.ts';
import { findChromium } from './find-chromium.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'find-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function program(name: string, mode = 0o755, text = '#!/bin/sh\n'): string {
  const path = join(base, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

describe('findChromium', () => {
  it('takes the configured one first, then the environment’s, then the first on the path', () => {
    const configured = program('mine');
    const named = program('named');
    const found = program('bin/google-chrome');
    const env = { COMPANION_CHROMIUM: named, PATH: join(base, 'bin') };
    expect(findChromium(configured, env)).toBe(configured);
    expect(findChromium(null, env)).toBe(named);
    expect(findChromium(null, { PATH: `:${join(base, 'none')}:${join(base, 'bin')}` })).toBe(found);
  });

  it('prefers the free one, wherever on the path it is', () => {
    program('a/google-chrome');
    const chromium = program('b/chromium');
    expect(findChromium(null, { PATH: `${join(base, 'a')}:${join(base, 'b')}` })).toBe(chromium);
  });

  it('does not take another one than was named', () => {
    program('bin/chromium');
    const env = { PATH: join(base, 'bin') };
    expect(findChromium(join(base, 'gone'), env)).toBeNull();
    expect(findChromium(null, { ...env, COMPANION_CHROMIUM: program('no', 0o644) })).toBeNull();
  });

  it('finds nothing where nothing is', () => {
    mkdirSync(join(base, 'bin', 'chromium'), { recursive: true });
    expect(findChromium(null, { PATH: join(base, 'bin') }, base)).toBeNull();
    expect(findChromium(null, {}, base)).toBeNull();
  });

  it.each([
    'usr/bin/chromium',
    'usr/lib/chromium/chromium',
    'usr/lib64/chromium-browser/chromium-browser',
    'opt/google/chrome/chrome',
    'run/current-system/sw/bin/chromium',
    'run/current-system/profile/bin/chromium',
    'home/.nix-profile/bin/google-chrome-stable',
    'home/.guix-profile/bin/chromium',
    'home/.cache/puppeteer/chrome/linux-136.0.1/chrome-linux64/chrome',
    'snap/bin/chromium',
    'var/lib/flatpak/exports/bin/org.chromium.Chromium',
    'home/.local/share/flatpak/exports/bin/com.google.Chrome',
  ])('finds %s, which no path names', (name) => {
    const found = program(name);
    expect(findChromium(null, { HOME: join(base, 'home'), PATH: join(base, 'bin') }, base)).toBe(found);
  });

  it('does not look for a home where none is named', () => {
    program('home/.nix-profile/bin/chromium');
    expect(findChromium(null, { HOME: '' }, base)).toBeNull();
  });

  it('takes the newest of Puppeteer’s cache, wherever that is', () => {
    program('cache/chrome/linux-99.0.2/chrome-linux64/chrome');
    const newest = program('cache/chrome/linux-136.0.1/chrome-linux64/chrome');
    expect(findChromium(null, { PUPPETEER_CACHE_DIR: join(base, 'cache') }, base)).toBe(newest);
  });

  it('takes a walled-in one only when there is no other, even when that is the one on the path', () => {
    const snap = program('snap/bin/chromium');
    const env = { HOME: join(base, 'home'), PATH: join(base, 'snap', 'bin') };
    expect(findChromium(null, env, base)).toBe(snap);
    const chrome = program('opt/google/chrome/chrome');
    expect(findChromium(null, env, base)).toBe(chrome);
  });
});

describe('wallOf', () => {
  it.each([
    ['snap/bin/chromium', '#!/bin/sh\n', 'snap'],
    ['usr/bin/chromium-browser', '#!/bin/sh\nexec /snap/bin/chromium "$@"\n', 'snap'],
    ['var/lib/flatpak/exports/bin/org.chromium.Chromium', '#!/bin/sh\n', 'flatpak'],
    ['bin/chromium', '#!/bin/sh\nexec /usr/bin/flatpak run org.chromium.Chromium "$@"\n', 'flatpak'],
    ['usr/bin/chromium', '#!/bin/sh\nexec /usr/lib/chromium/chromium "$@"\n', null],
    ['usr/lib/chromium/chromium', '\x7fELF /snap/bin/ flatpak run', null],
  ])('of %s, %j, is %s', (name, text, wall) => {
    expect(wallOf(program(name, 0o755, text))).toBe(wall);
  });

  it('is seen behind a link to the program that starts snaps', () => {
    const link = join(base, 'chromium');
    symlinkSync(program('usr/bin/snap'), link);
    expect(wallOf(link)).toBe('snap');
  });

  it('of what is not there is nothing', () => {
    expect(wallOf(join(base, 'gone'))).toBeNull();
  });
});
