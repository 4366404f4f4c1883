import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from './log.ts';

function open() {
  const folder = mkdtempSync(join(tmpdir(), 'log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const echoed: string[] = [];
  const path = join(folder, 'companion.log');
  return { path, echoed, log: () => createLog(path, (line) => echoed.push(line)) };
}

it('writes each line with its instant, for its owner alone', () => {
  const { path, echoed, log } = open();
  const write = log();
  write('one');
  write('two');
  expect(readFileSync(path, 'utf8')).toMatch(/^\S+Z one\n\S+Z two\n$/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(echoed).toEqual(['one', 'two']);
});

it.each([
  ['a folder', mkdirSync, 'EISDIR'],
  ['a pipe nobody reads', (path: string) => execFileSync('mkfifo', [path]), 'ENXIO'],
])('with %s in its place goes on, and says so once', (_what, put, code) => {
  const { path, echoed, log } = open();
  put(path);
  const write = log();
  write('one');
  write('two');
  expect(echoed).toEqual(['one', `the log cannot be written to ${path} (${code})`, 'two']);
});
