/** Rows 15 and 16: how long the host takes to listen, what it holds, and how soon it serves again after a SIGKILL. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, Section } from './bench.ts';
import { openClient, startCompanion } from './companion.ts';
import { type Figure, judge } from './figure.ts';
import { CLI, end, start } from './programs.ts';
import { folders, heard, listens, socketOf, until, untilUp } from './serve.ts';
import { interleave, sleep } from './stats.ts';

const EMPTY = "process.stdout.write('up'); setInterval(() => {}, 2 ** 30)";
const KEPT = 200;

/** Resident memory in MB. */
const residentOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Ends a host the hard way and waits until its browser, known by the folder, has followed. */
async function kill(host: ChildProcess, home: string): Promise<void> {
  await end(host, 'SIGKILL');
  const isLeft = (): boolean =>
    readdirSync('/proc').some((pid) => {
      try {
        return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(home);
      } catch {
        return false;
      }
    });
  while (isLeft()) await sleep(50);
}

async function emptyNode(resident: boolean): Promise<number> {
  const startedAt = performance.now();
  const child = start(process.execPath, ['-e', EMPTY], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve) => child.stdout!.once('data', resolve));
  const bootMs = performance.now() - startedAt;
  if (resident) await sleep(500);
  const result = resident ? residentOf(child.pid!) : bootMs;
  await end(child, 'SIGKILL');
  return result;
}

/** A product with requests ended and open, killed in the middle of them. */
async function killedProduct({
  launch,
}: Bench): Promise<{ home: string; env: Record<string, string>; key: string; requestId: string }> {
  const companion = await startCompanion(launch);
  const { client, key } = await companion.pair();
  const notice = { capability: 'notice.show', params: { text: 'kept' } };
  const made = await Promise.all(Array.from({ length: KEPT }, () => client.create(notice)));
  await Promise.all(made.slice(0, KEPT / 2).map(({ requestId }) => client.cancel(requestId)));
  client.close();
  const { home, env, child } = companion;
  await kill(child, home);
  return { home, env: { ...env }, key, requestId: made.at(-1)!.requestId };
}

async function measure(bench: Bench): Promise<Figure[]> {
  const serve = (env: Readonly<Record<string, string>>): ChildProcess => {
    const args = [CLI, 'serve', ...(bench.launch.headless ? ['--headless'] : [])];
    return start(process.execPath, args, { env: { ...bench.launch.env, ...env }, stdio: 'ignore' });
  };
  const killed = await killedProduct(bench);
  const resident: number[] = [];
  const fresh = async (): Promise<number> => {
    const home = mkdtempSync(join(bench.folder, 'home-'));
    const env = folders(home);
    const startedAt = performance.now();
    const host = serve(env);
    const listeningMs = await until(startedAt, () => listens(socketOf(env)));
    await untilUp(env);
    await sleep(2_000);
    resident.push(residentOf(host.pid!));
    await kill(host, home);
    rmSync(home, { recursive: true, force: true });
    return listeningMs;
  };
  const again = async (): Promise<number> => {
    const client = await openClient(socketOf(killed.env), killed.key);
    const startedAt = performance.now();
    const host = serve(killed.env);
    const servingMs = await until(startedAt, async () => {
      if (!(await listens(socketOf(killed.env)))) return false;
      return (await heard(client.get(killed.requestId)))?.status === 'failed';
    });
    client.close();
    await kill(host, killed.home);
    return servingMs;
  };
  const taken = await interleave(bench.quick ? 3 : 10, {
    boot: () => emptyNode(false),
    empty: () => emptyNode(true),
    fresh,
    again,
  });
  rmSync(killed.home, { recursive: true, force: true });
  return [
    judge({
      row: 15,
      name: 'host, start to listening',
      unit: 'ms',
      floorName: 'empty Node',
      floor: taken.boot,
      product: taken.fresh,
      goal: { ratioAtMost: 4 },
    }),
    judge({
      row: 15,
      name: 'host, resident memory with the overlay up',
      unit: 'MB',
      floorName: 'empty Node',
      floor: taken.empty,
      product: resident.slice(1),
      goal: { ratioAtMost: 2.3 },
    }),
    judge({
      row: 16,
      name: `restart after SIGKILL to serving, ${KEPT} requests kept`,
      unit: 'ms',
      floorName: 'empty Node',
      floor: taken.boot,
      product: taken.again,
      goal: { ratioAtMost: 6 },
    }),
  ];
}

export const starts: Section = { rows: [15, 16], measure };
