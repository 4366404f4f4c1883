/** Rows 25 to 27: what `companion watch` adds to a program that prints, how fast output passes through it, and what it holds. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, Section } from './bench.ts';
import { keepKey } from './companion.ts';
import { type Figure, judge } from './figure.ts';
import { CLI, start } from './programs.ts';
import { interleave } from './stats.ts';

/** Prints this many lines, with so much work before each that it takes about ten seconds. */
const LINES = 5_000;
const PRINTER = `
  const { writeSync } = require('node:fs');
  const say = (event) => writeSync(1, JSON.stringify(event) + '\\n');
  for (let at = 1; at <= ${LINES}; at += 1) {
    const endAt = process.cpuUsage().user + 2000;
    while (process.cpuUsage().user < endAt);
    say({ kind: 'progress', phase: 'work', percent: Math.floor(100 * at / ${LINES}), message: 'step ' + at });
  }
  say({ kind: 'result', exitCode: 0 });
`;
const PRINTED = ['node', '-e', PRINTER] as const;

const MEGABYTE = 1_000_000;
const PASSED_MB = 200;
const EVENT = JSON.stringify({
  kind: 'log',
  level: 'info',
  message: 'one of very many lines that a program prints '.repeat(3),
});
/** As fast as it can: lines of the interface, and bytes that are no lines at all. */
const FLOODS = {
  events: ['sh', '-c', `yes '${EVENT}' | head -c ${PASSED_MB * MEGABYTE}`],
  bytes: ['head', '-c', String(PASSED_MB * MEGABYTE), '/dev/zero'],
} as const;

interface Taken {
  readonly ms: number;
  /** The most memory it held at once, in MB. */
  readonly peakMb: number;
}

/** The high-water mark of a process's memory so far, in MB; 0 when it is gone. */
function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return 0;
  }
}

const LOOK_MS = 50;

/** Runs it to its end, reading and forgetting what it prints. */
async function take([program, ...args]: readonly [string, ...string[]], env: NodeJS.ProcessEnv): Promise<Taken> {
  const startedAt = performance.now();
  const child = start(program, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout!.resume();
  let peakMb = 0;
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid!));
  }, LOOK_MS);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearInterval(timer);
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
  return { ms: performance.now() - startedAt, peakMb };
}

/** Folders and a key with which the command line finds the companion of the bench. */
async function watcherEnv(bench: Bench): Promise<NodeJS.ProcessEnv> {
  const companion = await bench.companion();
  const { key, clientId, client } = await companion.pair();
  client.close();
  const config = mkdtempSync(join(bench.folder, 'watcher-'));
  keepKey({ XDG_CONFIG_HOME: config }, 'bench', { key, clientId, scopes: ['notify', 'interact', 'animate'] });
  return { ...process.env, ...companion.env, XDG_CONFIG_HOME: config };
}

const watched = (words: readonly string[]): readonly [string, ...string[]] => [
  process.execPath,
  CLI,
  'watch',
  '--',
  ...words,
];
const seconds = (taken: readonly Taken[]): readonly number[] => taken.map(({ ms }) => ms / 1_000);
const speeds = (taken: readonly Taken[]): readonly number[] => taken.map(({ ms }) => (1_000 * PASSED_MB) / ms);

async function measure(bench: Bench): Promise<Figure[]> {
  const env = await watcherEnv(bench);
  const long = await interleave(bench.quick ? 1 : 2, {
    bare: () => take([...PRINTED], env),
    product: () => take(watched(PRINTED), env),
  });
  const { events, bytes } = await interleave(bench.quick ? 1 : 5, {
    events: () => take(watched(FLOODS.events), env),
    bytes: () => take(watched(FLOODS.bytes), env),
  });
  const peaks = [...long.product, ...events, ...bytes].map(({ peakMb }) => peakMb);
  const fast = { row: 26, unit: 'MB/s', goal: { atLeast: 50 } } as const;
  return [
    judge({
      row: 25,
      name: `a program of about 10 s that prints ${LINES} events, watched`,
      unit: 's',
      floorName: 'alone',
      floor: seconds(long.bare),
      product: seconds(long.product),
      goal: { ratioAtMost: 1.05 },
    }),
    judge({ ...fast, name: 'pass-through of events', product: speeds(events) }),
    judge({ ...fast, name: 'pass-through of bytes', product: speeds(bytes) }),
    judge({
      row: 27,
      name: '`companion watch`, the most memory held in rows 25 and 26',
      unit: 'MB',
      product: [Math.max(...peaks)],
      goal: { atMost: 120 },
    }),
  ];
}

export const watch: Section = { rows: [25, 26, 27], measure };
