/** Rows 12 and 14: what the overlay costs while nothing moves, and what one card costs on the browser's pipe. */
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, Section } from './bench.ts';
import { startCompanion } from './companion.ts';
import type { CompanionReady } from './companion-role.ts';
import { type Figure, judge } from './figure.ts';
import { end, start } from './programs.ts';
import { median, sleep } from './stats.ts';

const TICKS_PER_SECOND = 100;
/** A browser that has just started goes on starting for a while. */
const SETTLED_PERCENT = 4;
const SETTLE_LIMIT_MS = 30_000;
const CARDS = 10;
/** Longer than a card's painting, its report and what follows from it. */
const QUIET_MS = 250;

interface Use {
  /** Of one core, while it was watched. */
  readonly cpuPercent: number;
  readonly wakeUpsPerSecond: number;
}

/** A process and all that descend from it. */
function treeOf(root: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        return [[Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])] as const];
      } catch {
        return [];
      }
    });
  const tree = [root];
  for (const member of tree) tree.push(...parents.filter(([, parent]) => parent === member).map(([pid]) => pid));
  return tree;
}

/** CPU seconds and voluntary context switches so far, of all threads. What has ended meanwhile counts nothing. */
function spent(pids: readonly number[]): { cpu: number; switches: number } {
  let [cpu, switches] = [0, 0];
  for (const pid of pids) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      cpu += (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
      for (const thread of readdirSync(`/proc/${pid}/task`)) {
        const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8');
        switches += Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1] ?? 0);
      }
    } catch {}
  }
  return { cpu, switches };
}

/** Watches several groups of processes over the same seconds. */
async function watch(groups: readonly (readonly number[])[], seconds: number): Promise<Use[]> {
  const before = groups.map(spent);
  const startedAt = performance.now();
  await sleep(seconds * 1000);
  const elapsed = (performance.now() - startedAt) / 1000;
  return groups.map(spent).map(({ cpu, switches }, index) => ({
    cpuPercent: ((cpu - before[index]!.cpu) / elapsed) * 100,
    wakeUpsPerSecond: (switches - before[index]!.switches) / elapsed,
  }));
}

/** The product's browser once more, started the same way, with a blank page and a profile of its own. */
function startBlank(
  { program, args }: CompanionReady['browser'],
  folder: string,
  env: NodeJS.ProcessEnv,
): ChildProcess {
  const profile = join(folder, 'blank');
  mkdirSync(profile, { recursive: true });
  const changed = args.map((arg) => {
    if (arg.startsWith('--user-data-dir=')) return `--user-data-dir=${profile}`;
    return arg.startsWith('--app=') ? '--app=about:blank' : arg;
  });
  const stdio = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] as const;
  return start(program, changed, { env: { ...env, HOME: profile }, stdio: [...stdio] });
}

async function atRest({ quick, folder, launch }: Bench): Promise<Figure[]> {
  const companion = await startCompanion(launch, true);
  const blank = startBlank(companion.browser, folder, launch.env);
  const groups = () => [treeOf(companion.browser.pid), treeOf(blank.pid!), [companion.pid]];
  const settledBy = performance.now() + SETTLE_LIMIT_MS;
  while ((await watch(groups(), 2)).some(({ cpuPercent }) => cpuPercent > SETTLED_PERCENT)) {
    if (performance.now() > settledBy) break;
  }
  const [breathing] = await watch(groups(), quick ? 6 : 30);
  await companion.ask('keepStill');
  await sleep(1_000);
  const [overlay, floor, host] = await watch(groups(), quick ? 12 : 60);
  const timers = await companion.ask('timers');
  await end(blank);
  await companion.stop();
  const common = { row: 12, floorName: 'blank page' };
  return [
    judge({
      ...common,
      name: 'overlay, nothing moving, CPU of one core',
      unit: '%',
      floor: [floor!.cpuPercent],
      product: [overlay!.cpuPercent],
      goal: { ratioAtMost: 1.2 },
    }),
    judge({
      ...common,
      name: 'overlay, nothing moving, wake-ups',
      unit: '/s',
      floor: [floor!.wakeUpsPerSecond],
      product: [overlay!.wakeUpsPerSecond],
      goal: { atMost: 15 },
    }),
    judge({
      row: 12,
      name: 'overlay, breathing in the first minute of idleness, wake-ups',
      unit: '/s',
      product: [breathing!.wakeUpsPerSecond],
      goal: { note: '(for comparison)' },
    }),
    judge({
      row: 12,
      name: 'host at rest, wake-ups',
      unit: '/s',
      product: [host!.wakeUpsPerSecond],
      goal: { note: '(for comparison)' },
    }),
    judge({
      row: 15,
      name: `host at rest, timers under a minute${timers.length > 0 ? ` (${timers.join('; ')})` : ''}`,
      unit: '',
      product: [timers.length],
      goal: { atMost: 0 },
    }),
  ];
}

/** How often each method is called for one card, on average. */
function breakdown(cards: readonly Readonly<Record<string, number>>[]): string {
  const methods = [...new Set(cards.flatMap((calls) => Object.keys(calls)))];
  const mean = (method: string): number => cards.reduce((sum, calls) => sum + (calls[method] ?? 0), 0) / cards.length;
  return methods.map((method) => `${method} ${mean(method).toFixed(1)}`).join(', ');
}

async function onThePipe(bench: Bench): Promise<Figure[]> {
  const companion = await bench.companion();
  const rounds = bench.quick ? 3 : 9;
  const times = [];
  for (let round = 0; round < rounds; round += 1) times.push(await companion.ask('timeCalls', 200));
  const { client } = await companion.pair();
  const cards: Record<string, number>[] = [];
  for (let card = 0; card < CARDS; card += 1) {
    await sleep(QUIET_MS);
    await companion.ask('takeCalls');
    const { requestId, revision } = await client.create({ capability: 'notice.show', params: { text: `${card}` } });
    const { status } = await client.wait(requestId, { afterRevision: revision, waitMs: 10_000 });
    if (status !== 'running') throw new Error(`the card is ${status}`);
    await sleep(QUIET_MS);
    cards.push(await companion.ask('takeCalls'));
    await client.cancel(requestId);
  }
  await client.call('auth.revokeSelf', {});
  client.close();
  return [
    judge({
      row: 14,
      name: "callFunctionOn with a card's data, p50",
      unit: 'us',
      floorName: 'Runtime.evaluate',
      floor: times.map(({ evaluate }) => median(evaluate)),
      product: times.map(({ callFunctionOn }) => median(callFunctionOn)),
      goal: { ratioAtMost: 1.2 },
    }),
    judge({
      row: 14,
      name: `calls to the browser per card (${breakdown(cards)})`,
      unit: '',
      product: cards.map((calls) => Object.values(calls).reduce((sum, count) => sum + count, 0)),
      goal: { atMost: 1 },
    }),
  ];
}

export const rest: Section = { rows: [12, 15], measure: atRest };
export const pipe: Section = { rows: [14], measure: onThePipe };
