/** Row 11: the memory of the browser's whole tree beside a bare window, and of the host beside an empty Node. */
import { copyFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Place, startDefault, startLean, writePages } from './bare.ts';
import type { Bench, Section } from './bench.ts';
import { startCompanion } from './companion.ts';
import { type Figure, judge } from './figure.ts';
import { CLI, end, start } from './programs.ts';
import { folders, untilUp } from './serve.ts';
import { sleep } from './stats.ts';
import { type Memory, memoryOf, settle, treeOf } from './tree.ts';

const HOST_REST_MS = 10_000;

interface Taken {
  readonly product: Memory;
  readonly bareDefault: Memory;
  readonly bareLean: Memory;
}

/**
 * A copy of the browser's own: pages of its files that other browsers on this machine use as well would count by a share only.
 * One after the other, because they would share with each other too.
 */
function copyBrowser(program: string, folder: string): string {
  const copy = join(folder, 'browser');
  cpSync(dirname(program), copy, { recursive: true });
  return join(copy, basename(program));
}

async function atRest(pid: number): Promise<Memory> {
  await settle(() => [treeOf(pid)]);
  return memoryOf(treeOf(pid));
}

async function take(program: string, { folder, launch }: Bench, pages: { readonly still: string }): Promise<Taken> {
  const env = { ...launch.env, COMPANION_CHROMIUM: program };
  const companion = await startCompanion({ ...launch, env });
  await companion.ask('set', { reduceMotion: true });
  const size = await companion.ask('evaluate', '({ x: 0, y: 0, width: innerWidth, height: innerHeight })');
  const product = await atRest(companion.browser.pid);
  await companion.stop();
  const bare = { folder, env: launch.env, place: size as Place };
  const common = await startDefault(program, pages.still, bare);
  const bareDefault = await atRest(common.pid);
  await common.browser.close();
  const lean = startLean(companion.browser, pages.still, bare);
  const bareLean = await atRest(lean.pid!);
  await end(lean);
  return { product, bareDefault, bareLean };
}

/** MB of an empty Node, and then of the host, each on a Node of its own. */
async function takeHost({ folder, launch }: Bench): Promise<{ readonly empty: number; readonly host: number }> {
  const node = join(folder, 'node');
  copyFileSync(process.execPath, node);
  const idle = start(node, ['-e', 'setInterval(() => {}, 2 ** 30)'], { stdio: 'ignore' });
  await sleep(1_000);
  const empty = memoryOf([idle.pid!]).pssMb;
  await end(idle);
  const home = mkdtempSync(join(folder, 'home-'));
  const env = { ...launch.env, ...folders(home) };
  const args = [CLI, 'serve', ...(launch.headless ? ['--headless'] : [])];
  const serve = start(node, args, { env, stdio: 'ignore' });
  await untilUp(env);
  await sleep(HOST_REST_MS);
  const host = memoryOf([serve.pid!]).pssMb;
  await end(serve);
  rmSync(home, { recursive: true, force: true });
  return { empty, host };
}

async function measure(bench: Bench): Promise<Figure[]> {
  const shared = await bench.companion();
  const program = copyBrowser(shared.browser.program, bench.folder);
  const pages = writePages(bench.folder);
  const taken: Taken[] = [];
  const hosts: { empty: number; host: number }[] = [];
  for (let round = 0; round < (bench.quick ? 1 : 3); round += 1) {
    taken.push(await take(program, bench, pages));
    hosts.push(await takeHost(bench));
  }
  const common = { row: 11, unit: 'MB', floorName: "bare window, puppeteer's default flags" };
  return [
    judge({
      ...common,
      name: 'browser, whole tree at rest, PSS',
      floor: taken.map(({ bareDefault }) => bareDefault.pssMb),
      product: taken.map(({ product }) => product.pssMb),
      goal: { ratioAtMost: 0.85 },
    }),
    judge({
      ...common,
      name: 'browser, whole tree at rest, anonymous and shared memory',
      floor: taken.map(({ bareDefault }) => bareDefault.anonymousMb),
      product: taken.map(({ product }) => product.anonymousMb),
      goal: { ratioAtMost: 0.72 },
    }),
    judge({
      ...common,
      floorName: "bare window, the product's own flags",
      name: 'browser, whole tree at rest, PSS',
      floor: taken.map(({ bareLean }) => bareLean.pssMb),
      product: taken.map(({ product }) => product.pssMb),
      goal: { note: '(for comparison)' },
    }),
    judge({
      row: 11,
      unit: 'MB',
      name: 'host at rest, PSS',
      floorName: 'empty Node',
      floor: hosts.map(({ empty }) => empty),
      product: hosts.map(({ host }) => host),
      goal: { atMost: 45 },
    }),
  ];
}

export const memory: Section = { rows: [11], measure };
