import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'find-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function program(name: string, mode = 0o755): string {
  const path = join(base, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, '#!/bin/sh\n');
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
    expect(findChromium(null, { PATH: join(base, 'bin') })).toBeNull();
    expect(findChromium(null, {})).toBeNull();
  });
});
