/** What processes use, as the kernel tells: a whole tree's processor time, wake-ups and memory. */
import { readdirSync, readFileSync } from 'node:fs';
import { sleep } from './stats.ts';

export interface Use {
  /** Of one core, while it was watched. */
  readonly cpuPercent: number;
  readonly wakeUpsPerSecond: number;
}

/** A process and all that descend from it. */
export function treeOf(root: number): number[] {
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

interface ThreadUse {
  readonly ranNs: number;
  readonly switches: number;
}

/** Processor time in nanoseconds and voluntary context switches so far, thread by thread. */
function threadsOf(pids: readonly number[]): Map<string, ThreadUse> {
  const threads = new Map<string, ThreadUse>();
  for (const pid of pids) {
    try {
      for (const thread of readdirSync(`/proc/${pid}/task`)) {
        const folder = `/proc/${pid}/task/${thread}`;
        // The clock of `stat` ticks 100 times a second: too coarse for a figure at rest.
        const [ran] = readFileSync(`${folder}/schedstat`, 'utf8').split(' ');
        const switches = /^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(`${folder}/status`, 'utf8'))?.[1];
        threads.set(thread, { ranNs: Number(ran), switches: Number(switches ?? 0) });
      }
    } catch {}
  }
  return threads;
}

/** What was used between two readings. A thread that has ended meanwhile counts nothing. */
function between(before: Map<string, ThreadUse>, after: Map<string, ThreadUse>, seconds: number): Use {
  let [ranNs, switches] = [0, 0];
  for (const [thread, now] of after) {
    const then = before.get(thread);
    ranNs += now.ranNs - (then?.ranNs ?? 0);
    switches += now.switches - (then?.switches ?? 0);
  }
  return { cpuPercent: (ranNs / 1e9 / seconds) * 100, wakeUpsPerSecond: switches / seconds };
}

/** Watches several groups of processes over the same seconds. */
export async function watch(groups: readonly (readonly number[])[], seconds: number): Promise<Use[]> {
  const before = groups.map(threadsOf);
  const startedAt = performance.now();
  await sleep(seconds * 1000);
  const elapsed = (performance.now() - startedAt) / 1000;
  return groups.map(threadsOf).map((after, index) => between(before[index]!, after, elapsed));
}

/** A browser that has just started goes on starting for a while. */
const SETTLED_PERCENT = 4;
const SETTLE_LIMIT_MS = 45_000;
/** It has put off some work until it seems to have nothing to do. */
const SETTLE_MS = 20_000;

/** Resolves when all groups are at rest, or have had their time. */
export async function settle(groups: () => readonly (readonly number[])[]): Promise<void> {
  const by = performance.now() + SETTLE_LIMIT_MS;
  await sleep(SETTLE_MS);
  while ((await watch(groups(), 2)).some(({ cpuPercent }) => cpuPercent > SETTLED_PERCENT)) {
    if (performance.now() > by) break;
  }
}

export interface Memory {
  /** Summed PSS: what is shared counts by its share. */
  readonly pssMb: number;
  /** Of it, what no file stands behind. */
  readonly anonymousMb: number;
}

/** The memory of processes, MB. What has ended counts nothing. */
export function memoryOf(pids: readonly number[]): Memory {
  let [pssKb, anonymousKb] = [0, 0];
  for (const pid of pids) {
    try {
      const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
      const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
      pssKb += field('Pss');
      anonymousKb += field('Pss_Anon') + field('Pss_Shmem');
    } catch {}
  }
  return { pssMb: pssKb / 1024, anonymousMb: anonymousKb / 1024 };
}

const TICKS_PER_SECOND = 100;

/** When a process started, epoch ms; right to 10 ms. */
export function startedAt(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  const upSeconds = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
  return Date.now() - upSeconds * 1000 + (ticks / TICKS_PER_SECOND) * 1000;
}
