import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { usableAddress } from './bus.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'companion bus-'));
  path = join(folder, 'bus');
  writeFileSync(path, '');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

it('a bus is where its socket is, with or without its identity', () => {
  expect(usableAddress(`unix:path=${encodeURI(path)},guid=0123`)).toBe(`unix:socket=${path}`);
  expect(usableAddress(`unix:path=${folder}/none;unix:guid=0,path=${path}`)).toBe(`unix:socket=${path}`);
});

it('an abstract one is named as Node names it', () => {
  expect(usableAddress('unix:abstract=/tmp/dbus-x,guid=0')).toBe('unix:socket=\0/tmp/dbus-x');
});

it.each(['', 'nonsense', 'unix:', 'unix:path=/nowhere/bus', 'tcp:host=localhost,port=1', 'unixexec:path=/bin/sh'])(
  '“%s” is no bus for us',
  (addresses) => {
    expect(usableAddress(addresses)).toBeNull();
  },
);
