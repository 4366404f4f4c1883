import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { holdState, StateHeld } from './lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('a state folder has one holder, and can be had again when it is given back', () => {
  const release = holdState(folder);
  expect(() => holdState(folder)).toThrow(StateHeld);
  expect(statSync(join(folder, 'companion.lock')).mode & 0o777).toBe(0o600);
  release();
  holdState(folder)();
});

it('a killed process holds nothing', async () => {
  const sqlite = createRequire(import.meta.url).resolve('better-sqlite3');
  const script = `const db = new (require(${JSON.stringify(sqlite)}))(${JSON.stringify(join(folder, 'companion.lock'))});
    db.pragma('journal_mode = MEMORY'); db.exec('BEGIN EXCLUSIVE'); process.stdout.write('held'); setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  expect(() => holdState(folder)).toThrow(StateHeld);
  child.kill('SIGKILL');
  await vi.waitFor(() => holdState(folder)(), { timeout: 10_000 });
});

it.each([
  ['a folder', mkdirSync],
  ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
])('%s in place of the lock is named, and not waited for', (_what, put) => {
  put(join(folder, 'companion.lock'));
  expect(() => holdState(folder)).toThrow(`${join(folder, 'companion.lock')} is not a regular file; move it away.`);
});
