/**
 * `npm run bench [-- --quick] [--json] [--only=ROW,…]`: measures floor and product in one run and prints every goal with met or missed.
 * Ends with 0 either way: a busy machine is no defect.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import type { Bench, Section } from './bench.ts';
import { coldStart } from './cold-start.ts';
import { type Companion, startCompanion } from './companion.ts';
import { type CompanionRole, runCompanion } from './companion-role.ts';
import { openDesk } from './desk.ts';
import { drags } from './drag.ts';
import { type Figure, notMeasured, table } from './figure.ts';
import { type FloorServer, runFloorServer } from './floor-servers.ts';
import { hooks } from './hooks.ts';
import { keyCheck } from './key-check.ts';
import { mcpCalls } from './mcp.ts';
import { memory } from './memory.ts';
import { pipe, rest } from './overlay.ts';
import { packFigures } from './pack-figures.ts';
import { packs } from './packs.ts';
import { pixels } from './pixels.ts';
import { DIST, endAll, missing } from './programs.ts';
import { requests } from './requests.ts';
import { starts } from './starts.ts';
import { states } from './states.ts';
import { watch } from './watch.ts';

const SECTIONS: readonly Section[] = [
  requests,
  keyCheck,
  pixels,
  pipe,
  rest,
  states,
  drags,
  memory,
  coldStart,
  starts,
  ...packs,
  ...packFigures,
  watch,
  mcpCalls,
  hooks,
];
const OUT = join(process.cwd(), 'out');

const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

async function measureAll(sections: readonly Section[], bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const section of sections) {
    say(`rows ${section.rows.join(', ')} …`);
    try {
      figures.push(...(await section.measure(bench)));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      figures.push(...section.rows.map((row) => notMeasured(row, 'failed', why)));
    }
  }
  return figures.sort((left, right) => left.row - right.row);
}

async function bench(args: readonly string[]): Promise<void> {
  const only = args.find((arg) => arg.startsWith('--only='))?.slice('--only='.length);
  const rows = only?.split(',').map(Number);
  if (!existsSync(join(DIST, 'testing.js'))) throw new Error('dist/ is not built: npm run build');
  const sections = SECTIONS.filter((section) => rows?.some((row) => section.rows.includes(row)) ?? true);
  mkdirSync(OUT, { recursive: true });
  const folder = mkdtempSync(join(OUT, 'bench-'));
  const desk = missing('Xvfb') ?? (await openDesk(folder));
  const launch = typeof desk === 'string' ? { headless: true, env: process.env } : { headless: false, env: desk.env };
  let shared: Promise<Companion> | null = null;
  const companion = (): Promise<Companion> => {
    shared ??= startCompanion(launch);
    return shared;
  };
  try {
    const quick = args.includes('--quick');
    const figures = await measureAll(sections, { quick, folder, desk, launch, companion });
    const wanted = figures.filter(({ row }) => rows?.includes(row) ?? true);
    await (shared as Promise<Companion> | null)?.then((started) => started.stop()).catch(() => {});
    const machine = {
      node: process.version,
      cores: cpus().length,
      load: loadavg()[0],
      takenAt: new Date().toISOString(),
    };
    const report = `${JSON.stringify({ machine, quick, figures: wanted }, null, 2)}\n`;
    writeFileSync(join(OUT, 'bench.json'), report);
    process.stdout.write(args.includes('--json') ? report : `${table(wanted)}\n`);
  } finally {
    await endAll();
    rmSync(folder, { recursive: true, force: true });
  }
}

const [first, role, options] = process.argv.slice(2);
if (first !== '--role') await bench(process.argv.slice(2));
else if (role === 'companion') await runCompanion(JSON.parse(options!) as CompanionRole);
else await runFloorServer(JSON.parse(options!) as FloorServer);
