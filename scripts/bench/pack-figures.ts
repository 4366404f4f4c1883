/** Rows 23 and 24: how soon a newly chosen character is on the screen, and what those cost that are not. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { launch, type Page } from 'puppeteer-core';
import type { Bench, Section } from './bench.ts';
import { type Companion, startCompanion } from './companion.ts';
import { type Figure, judge } from './figure.ts';
import { addIndex, figureSheet, installArgs, makeIndex, type PackUser, packUser, writePack } from './pack-folder.ts';
import { DIST } from './programs.ts';
import { folders } from './serve.ts';
import { interleave, sleep } from './stats.ts';
import { memoryOf, treeOf } from './tree.ts';

const HOME = 'builtin.nib';
const SECOND = 'builtin.simmer';
const EXTRA = 40;
/** As large as sheets people have: 8 x 9 cells of 192 px, 10 MB once it is decoded. */
const SHEET = { columns: 8, rows: 9, cellPx: 192 };
const QUIET_MS = 4_000;

const idOf = (number: number): string => `org.example.extra${number}`;

/** Folders of somebody who has the first `count` packs of an index; copies of it are new homes. */
async function owner(folder: string, index: string, count: number): Promise<PackUser & { readonly home: string }> {
  const home = join(folder, `owner-${count}`);
  const user = packUser(home);
  await addIndex(user, index);
  await user.speak(...installArgs(Array.from({ length: count }, (_, number) => idOf(number))));
  return { ...user, home };
}

function newHome(folder: string, like: PackUser): string {
  const home = mkdtempSync(join(folder, 'home-'));
  const { XDG_DATA_HOME } = folders(home);
  mkdirSync(XDG_DATA_HOME!, { recursive: true, mode: 0o700 });
  cpSync(like.dataFolder, join(XDG_DATA_HOME!, 'companion'), { recursive: true });
  return home;
}

/** A page that does nothing but what must be done: fetch the sheets, decode them, draw a cell. */
const barePage = `<!doctype html><meta charset="utf-8"><title>bare</title><canvas width="96" height="96"></canvas><script>
const context = document.querySelector('canvas').getContext('2d');
const painted = () => new Promise((resolve) => requestAnimationFrame(() => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => { port1.close(); resolve(); };
  port2.postMessage(null);
}));
const decode = async (path) => createImageBitmap(await (await fetch(path, { cache: 'no-store' })).blob());
const show = async (paths) => {
  const startedAt = performance.now();
  const sheets = await Promise.all(paths.map(decode));
  context.clearRect(0, 0, 96, 96);
  context.drawImage(sheets[0], 0, 0, 192, 192, 0, 0, 96, 96);
  await painted();
  for (const sheet of sheets) sheet.close();
  return performance.now() - startedAt;
};
</script>`;

/** A server of the bare page and of pictures by their path. */
const serveBare = (pictures: ReadonlyMap<string, Buffer>): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer(({ url = '' }, response) => {
      const picture = pictures.get(url);
      response.setHeader('content-type', picture === undefined ? 'text/html' : 'image/png').end(picture ?? barePage);
    });
    server.listen(0, '127.0.0.1', () => resolve(server));
  });

/** The bare page in a browser that is started like the product's own. */
async function openBare({ browser }: Companion, { folder, launch: { env } }: Bench, port: number): Promise<Page> {
  const profile = mkdtempSync(join(folder, 'profile-'));
  const own = ['--user-data-dir=', '--app=', '--host-resolver-rules='];
  const args = browser.args.filter((arg) => !own.some((prefix) => arg.startsWith(prefix)));
  const bare = await launch({
    executablePath: browser.program,
    pipe: true,
    ignoreDefaultArgs: true,
    env: { ...env, HOME: profile } as Record<string, string>,
    args: [...args, `--user-data-dir=${profile}`, `--app=http://127.0.0.1:${port}/`],
  });
  const target = await bare.waitForTarget((candidate) => candidate.type() === 'page');
  const page = (await target.page())!;
  await page.waitForFunction('typeof show === "function"');
  return page;
}

/** One character that is chosen, and the files its first picture needs. */
interface Choice {
  readonly name: string;
  readonly id: string;
  readonly files: readonly string[];
}

/** Our second character, whose idle and greeting are in two sheets, and two with all in one large sheet. */
function writeChoices(index: string): readonly Choice[] {
  const { columns, rows, cellPx } = SHEET;
  const inOne = (name: string, number: number, flat: boolean): Choice => {
    const folder = writePack(index, idOf(number), [figureSheet(columns, rows, cellPx, flat)]);
    return { name, id: idOf(number), files: [join(folder, 'sheet0.png')] };
  };
  const own = join(DIST, 'overlay', 'characters', SECOND);
  return [
    { name: SECOND, id: SECOND, files: ['idle.png', 'enter.png'].map((file) => join(own, file)) },
    inOne('drawn in few tones', 0, true),
    inOne('shaded', 1, false),
  ];
}

async function takeFirstFrame(bench: Bench): Promise<Figure[]> {
  const { folder, quick, launch } = bench;
  const index = join(folder, 'index-first');
  const choices = writeChoices(index);
  await makeIndex(index);
  const user = await owner(folder, index, 2);
  const companion = await startCompanion({ headless: true, env: launch.env, home: newHome(folder, user) });
  const server = await serveBare(
    new Map(choices.flatMap(({ files }) => files.map((file) => [file, readFileSync(file)]))),
  );
  const page = await openBare(companion, bench, (server.address() as AddressInfo).port);
  const figures: Figure[] = [];
  for (const { name, id, files } of choices) {
    const taken = await interleave(quick ? 4 : 12, {
      bare: () => page.evaluate(`show(${JSON.stringify(files)})`) as Promise<number>,
      product: async () => {
        const chosen = await companion.ask('choose', id);
        await companion.ask('choose', HOME);
        return chosen;
      },
    });
    const megabytes = files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6;
    const common = { row: 23, unit: 'ms', floorName: 'bare page: fetch, decode, draw', floor: taken.bare };
    figures.push(
      judge({
        ...common,
        name: `first frame of a newly chosen character, ${name}, ${megabytes.toFixed(1)} MB`,
        product: taken.product.map(({ paintedMs }) => paintedMs),
        goal: { ratioAtMost: 2 },
      }),
      judge({
        ...common,
        name: 'the same, from when the page is told',
        product: taken.product.map(({ paintedMs, toldMs }) => paintedMs - toldMs),
        goal: { note: '(for comparison)' },
      }),
    );
  }
  await page.browser().close();
  server.close();
  await companion.stop();
  return figures;
}

interface PageMemory {
  readonly privateMb: number;
  readonly scriptKb: number;
  readonly requests: number;
}

async function takePage({ folder, launch: { env } }: Bench, user: PackUser, count: number): Promise<PageMemory> {
  const companion = await startCompanion({ headless: true, env, home: newHome(folder, user) });
  const { client } = await companion.pair();
  const { characters } = (await client.call('characters.list', {})) as { characters: readonly { builtIn: boolean }[] };
  const there = characters.filter(({ builtIn }) => !builtIn).length;
  client.close();
  if (there !== count) throw new Error(`${there} of ${count} packs are there`);
  await sleep(QUIET_MS);
  const { scriptBytes, addresses } = await companion.ask('pageMemory');
  const renderers = treeOf(companion.browser.pid).filter((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer'),
  );
  const { anonymousMb } = memoryOf(renderers);
  await companion.stop();
  const requests = addresses.filter((address) => address.includes(idOf(0).slice(0, -1))).length;
  return { privateMb: anonymousMb, scriptKb: scriptBytes / 1024, requests };
}

/** How far values lie apart although nothing differs. */
const spread = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);

async function takeMemory(bench: Bench): Promise<Figure[]> {
  const index = join(bench.folder, 'index-extra');
  const sheet = figureSheet(SHEET.columns, SHEET.rows, SHEET.cellPx, true);
  for (let number = 0; number < EXTRA; number += 1) writePack(index, idOf(number), [sheet]);
  await makeIndex(index);
  const [one, many] = [await owner(bench.folder, index, 1), await owner(bench.folder, index, EXTRA)];
  const taken = await interleave(bench.quick ? 2 : 6, {
    one: () => takePage(bench, one, 1),
    many: () => takePage(bench, many, EXTRA),
  });
  /** `least`: what no number of rounds can tell from nothing. */
  const compare = (name: string, unit: string, least: number, of: (memory: PageMemory) => number): Figure => {
    const floor = taken.one.map(of);
    const noise = Number(Math.max(least, spread(floor)).toFixed(1));
    const product = taken.many.map(of);
    return judge({ row: 24, name, unit, floorName: 'with 1', floor, product, goal: { aboveFloorAtMost: noise } });
  };
  return [
    compare(`page with ${EXTRA} extra characters, private memory`, 'MB', 1, ({ privateMb }) => privateMb),
    compare('the same, script memory', 'kB', 20, ({ scriptKb }) => scriptKb),
    judge({
      row: 24,
      name: 'the same, files of theirs that were asked for',
      unit: '',
      product: [Math.max(...taken.many.map(({ requests }) => requests))],
      goal: { atMost: 0 },
    }),
  ];
}

export const packFigures: readonly Section[] = [
  { rows: [23], measure: takeFirstFrame },
  { rows: [24], measure: takeMemory },
];
