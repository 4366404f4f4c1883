import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Adapter, Line, WatchEvent } from '../../cli/doors/watch/adapter.ts';
import { ADAPTERS } from '../../cli/doors/watch/adapters/all.ts';
import { endAll, startProgram } from '../faults/processes.ts';
import { isInstalled, serveClip, type ToolRun, toolEnv, toolRuns } from './tool-runs.ts';

// The formats against the programs that write them: read directly, without the companion.
const { server, url } = await serveClip();
const folders: string[] = [];
afterAll(async () => {
  await endAll();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tool-'));
  folders.push(folder);
  return folder;
}

/** Runs it in a shell's stead: in its folder, with an environment of its own. */
async function outputOf(run: ToolRun): Promise<{ code: number | string; lines: readonly Line[] }> {
  const folder = newFolder();
  run.prepare(folder);
  const env = { HOME: folder, ...toolEnv(folder) };
  const started = startProgram('env', ['-C', folder, run.program, ...run.args], env);
  started.child.stdin!.end();
  const code = await started.ended;
  const cut = (text: string, stream: Line['stream']): Line[] =>
    text.split('\n').map((line) => ({ text: line, stream, cut: false }));
  return { code, lines: [...cut(started.err(), 'stderr'), ...cut(started.out(), 'stdout')] };
}

/** As `companion watch` finds it: the first line that is somebody's. */
const found = (lines: readonly Line[]): Adapter | undefined =>
  lines.flatMap((line) => ADAPTERS.find((adapter) => adapter.recognizes(line)) ?? [])[0];

const percents = (events: readonly WatchEvent[]): readonly number[] =>
  events.flatMap((event) => (event.kind === 'progress' && event.percent !== null ? [event.percent] : []));

describe('what a real program writes', () => {
  for (const run of toolRuns(url)) {
    const without = isInstalled(run.program) ? '' : ` (skipped: there is no ${run.program} here)`;
    it.skipIf(without !== '')(`is understood: ${run.name}${without}`, async () => {
      const { code, lines } = await outputOf(run);
      expect(code).toBe(run.code);
      const adapter = found(lines);
      expect(adapter?.name).toBe(run.adapter);
      const reading = adapter!.start();
      const events = lines.flatMap((line) => reading.read(line));
      const shown = percents(events);
      expect(shown).toEqual([...shown].sort((one, other) => one - other));
      if (run.percent !== undefined) expect(shown.at(-1) ?? null).toBe(run.percent);
      const verdict = reading.verdict({ code: run.code, signal: null });
      expect([verdict?.outcome, verdict?.message]).toEqual([run.outcome, expect.stringMatching(run.message)]);
      expect(JSON.stringify([events, verdict])).not.toContain('not to be seen');
    });
  }
});
