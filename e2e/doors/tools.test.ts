import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Adapter, Line, WatchEvent } from '../../cli/doors/watch/adapter.ts';
import { ADAPTERS } from '../../cli/doors/watch/adapters/all.ts';
import { endAll, finish, startProgram } from '../faults/processes.ts';
import { isInstalled, serveClip, type ToolRun, toolEnv, toolRuns } from './tool-runs.ts';
import { startWatching, type Watching } from './watching.ts';

// The formats against the programs that write them: read directly, and shown by a real companion.
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

/** What is typed to run it in a folder of its own, with nothing of this user's settings. */
function typed({ prepare, program, args }: ToolRun): readonly string[] {
  const folder = newFolder();
  prepare(folder);
  const env = Object.entries({ HOME: folder, ...toolEnv(folder) }).map(([name, value]) => `${name}=${value}`);
  return ['env', '-C', folder, ...env, program, ...args];
}

async function outputOf(run: ToolRun): Promise<{ code: number | string; lines: readonly Line[] }> {
  const [command, ...args] = typed(run);
  const started = startProgram(command!, args);
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

/** Registers a test per run; one without its program says so. */
function each(title: string, test: (run: ToolRun) => Promise<void>): void {
  for (const run of toolRuns(url)) {
    const without = isInstalled(run.program) ? '' : ` (skipped: there is no ${run.program} here)`;
    it.skipIf(without !== '')(`${title}: ${run.name}${without}`, () => test(run));
  }
}

describe('what a real program writes', () => {
  each('is understood', async (run) => {
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
});

describe('a real program that is watched', () => {
  let w: Watching;
  beforeAll(async () => {
    w = await startWatching();
  });
  afterAll(() => w?.stop());

  each('ends as it does, and is told of as it says', async (run) => {
    const program = w.shell.start('watch', '--title', run.name, '--', ...typed(run));
    program.child.stdin?.end();
    const told = w.card(`the notice of ${run.name}`, ({ view, text }) => view === 'notice' && text.includes(run.name));
    const { code, out, err } = await finish(program);
    expect(code).toBe(run.code);
    expect(out + err).toMatch(/^\{".*\}$/m);
    const { text } = await told;
    const said = text.split(run.name)[1]!.split(' · ');
    expect([said[0], said[1]]).toEqual([
      run.outcome === 'done' ? 'Done' : 'Failed',
      expect.stringMatching(run.message),
    ]);
  });
});
