import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ClientId } from '../protocol/ids.ts';
import { createWorld, tempFolder } from './fixture.ts';

const KILLS = 3;
const ALICE = 'alice' as ClientId;

let folder: string;
let script: string;
beforeAll(async () => {
  // Inside node_modules, so that the bundle's bare imports resolve as the project's own.
  folder = mkdtempSync(join(import.meta.dirname, '../../node_modules/.kill-loop-'));
  script = join(folder, 'kill-loop.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'kill-loop.ts')],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the loop until it has told `lines` lines, kills it there and then, and returns all it had told. */
async function runAndKill(stateFolder: string, lines: number): Promise<string[]> {
  const child = spawn(process.execPath, [script, stateFolder, join(import.meta.dirname, 'migrations')]);
  const told: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    told.push(line);
    if (told.length === lines) child.kill('SIGKILL');
  }
  return told;
}

test('whatever was told to be stored is there after a kill, with its key, and no end is undone', async () => {
  const stateFolder = tempFolder();
  const ended = new Set<string>();
  const accepted = new Set<string>();
  for (let kill = 0; kill < KILLS; kill += 1) {
    const told = await runAndKill(stateFolder, 5 + kill * 20);
    expect(told.length).toBeGreaterThanOrEqual(5 + kill * 20);
    for (const line of told) {
      const [what, requestId] = line.split(' ') as [string, string];
      (what === 'completed' ? ended : accepted).add(requestId);
    }
  }
  const { store, setAside } = createWorld(stateFolder).open();
  expect(setAside).toBeNull();
  for (const requestId of accepted) {
    const found = store.find(requestId);
    expect(store.findIdempotency(ALICE, requestId)?.requestId).toBe(requestId);
    // Killed between a commit and its telling, a request may have ended without anybody having heard of it.
    if (ended.has(requestId)) expect(found).toMatchObject({ record: { status: 'completed', result: requestId } });
    else expect(found).toMatchObject({ record: { status: expect.stringMatching(/^(completed|failed)$/) } });
  }
}, 60_000);
