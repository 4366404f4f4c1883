/** Rows 20 to 22: the NDJSON door's start, the installation of a large pack, and the listing of many. */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Packs from '../../cli/packs/entry.ts';
import type { PackError } from '../../server/packs/types.ts';
import type { Section } from './bench.ts';
import { type Figure, judge } from './figure.ts';
import { addIndex, installArgs, makeIndex, noiseSheet, type PackUser, packUser, writePack } from './pack-folder.ts';
import { bootNode, CLI, DIST, run } from './programs.ts';
import { interleave } from './stats.ts';

const LARGE = 'org.example.large';
/** Four sheets of 5 MB each. */
const LARGE_SHEETS = { count: 4, columns: 2, rows: 2, cellPx: 560 };
const FEW = 50;
const MANY = 500;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function takeStart(rounds: number): Promise<Figure> {
  const version = (): Promise<number> => timed(() => run(process.execPath, [CLI, 'interface', '--version']));
  const taken = await interleave(rounds, { boot: bootNode, version });
  return judge({
    row: 20,
    name: '`companion interface --version`, whole process',
    unit: 'ms',
    floorName: 'node -e 0',
    floor: taken.boot,
    product: taken.version,
    goal: { ratioAtMost: 1.6 },
  });
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}

/** What a careful copy of the same files takes: `cp -r`, then each file and their folder on the disk. */
async function copySynced(from: string, to: string): Promise<void> {
  await run('cp', ['-r', from, to]);
  for (const name of readdirSync(to)) sync(join(to, name));
  sync(to);
}

/** The library's own part of an installation, as the bundle does it. */
async function installInside(dataFolder: string): Promise<void> {
  const { openLibrary } = createRequire(import.meta.url)(join(DIST, 'packs.cjs')) as typeof Packs;
  const library = openLibrary(dataFolder);
  const { signal } = new AbortController();
  const { offered } = await library.offers(signal);
  const onPack = (_coordinate: string, error: PackError | null): void => {
    if (error !== null) throw error;
  };
  const quiet = { signal, unpaused: async () => {}, onDownloads: () => {}, onPack };
  await library.install(library.plan([LARGE], offered), { use: true }, quiet);
}

/** Removes a pack that was just installed; throws when it was not. */
function forget({ dataFolder }: PackUser): void {
  if (!existsSync(join(dataFolder, 'packs', LARGE, '1.0.0', 'character.json')))
    throw new Error('nothing was installed');
  for (const part of ['packs', 'wardrobes', 'tmp']) rmSync(join(dataFolder, part), { recursive: true, force: true });
}

async function takeInstall(folder: string, rounds: number): Promise<Figure[]> {
  const { count, columns, rows, cellPx } = LARGE_SHEETS;
  const index = join(folder, 'index-large');
  const sheets = Array.from({ length: count }, () => noiseSheet(columns, rows, cellPx));
  const pack = writePack(index, LARGE, sheets);
  const user = packUser(join(folder, 'user-large'));
  await makeIndex(index);
  await addIndex(user, index);
  const copy = join(folder, 'copy');
  const taken = await interleave(rounds, {
    copy: async () => {
      const ms = await timed(() => copySynced(pack, copy));
      rmSync(copy, { recursive: true });
      return ms;
    },
    boot: bootNode,
    list: () => timed(() => user.speak('--list')),
    install: async () => {
      const ms = await timed(() => user.speak(...installArgs([LARGE])));
      forget(user);
      return ms;
    },
    inside: async () => {
      const ms = await timed(() => installInside(user.dataFolder));
      forget(user);
      return ms;
    },
  });
  const { copy: floor, install, boot: booted, list, inside } = taken;
  const megabytes = (sheets.reduce((sum, { png }) => sum + png.length, 0) / 1e6).toFixed(0);
  const common = { row: 21, unit: 'ms', floorName: 'cp -r + fsync', floor };
  const less = (off: readonly number[]): number[] => install.map((ms, round) => ms - off[round]!);
  return [
    judge({
      ...common,
      name: `install of a pack of ${megabytes} MB, less node -e 0`,
      product: less(booted),
      goal: { ratioAtMost: 3 },
    }),
    judge({
      ...common,
      name: 'the same, less `interface --list`',
      product: less(list),
      goal: { note: '(for comparison)' },
    }),
    judge({ ...common, name: 'the same, the library alone', product: inside, goal: { note: '(for comparison)' } }),
  ];
}

/** A user with the first `count` packs of the index. */
async function owner(folder: string, index: string, count: number): Promise<PackUser> {
  const user = packUser(join(folder, `user-${count}`));
  await addIndex(user, index);
  await user.speak(...installArgs(Array.from({ length: count }, (_, number) => idOf(number))));
  return user;
}

const idOf = (number: number): string => `org.example.pack${number}`;

async function takeListing(folder: string, rounds: number): Promise<Figure> {
  const index = join(folder, 'index-many');
  mkdirSync(index);
  const sheet = noiseSheet(2, 1, 32);
  for (let number = 0; number < MANY; number += 1) writePack(index, idOf(number), [sheet]);
  await makeIndex(index);
  const [few, many] = [await owner(folder, index, FEW), await owner(folder, index, MANY)];
  const listed = async (user: PackUser, count: number): Promise<number> => {
    let text = '';
    const ms = await timed(async () => {
      text = await user.speak('list_packages');
    });
    const result = JSON.parse(text.trim().split('\n').at(-1)!) as { data: { packages: readonly unknown[] } };
    if (result.data.packages.length !== count)
      throw new Error(`${result.data.packages.length} of ${count} packs listed`);
    return ms;
  };
  const taken = await interleave(rounds, { few: () => listed(few, FEW), many: () => listed(many, MANY) });
  return judge({
    row: 22,
    name: `\`interface list_packages\` with ${MANY} packs, whole process`,
    unit: 'ms',
    floorName: `with ${FEW}`,
    floor: taken.few,
    product: taken.many,
    goal: { ratioAtMost: 2 },
  });
}

/** Each row by itself: what one needs must not lose the others. */
export const packs: readonly Section[] = [
  { rows: [20], measure: async ({ quick }) => [await takeStart(quick ? 10 : 50)] },
  { rows: [21], measure: ({ quick, folder }) => takeInstall(folder, quick ? 5 : 20) },
  { rows: [22], measure: async ({ quick, folder }) => [await takeListing(folder, quick ? 5 : 20)] },
];
