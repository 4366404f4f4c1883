/** Rows 12 and 13: what the whole product costs while hidden, still, idle, in motion and at work, beside bare windows of its size. */
import type { ChildProcess } from 'node:child_process';
import type { Client } from '../../cli/client/client.ts';
import { CLIP, clipFramesPerSecond, type Place, placesBeside, startLean, writePages } from './bare.ts';
import type { Bench, Section } from './bench.ts';
import type { Drawing } from './cdp.ts';
import { type Companion, startCompanion } from './companion.ts';
import { type Figure, judge } from './figure.ts';
import { end } from './programs.ts';
import { sleep } from './stats.ts';
import { settle, treeOf, type Use, watch } from './tree.ts';
import { openScreen } from './x-screen.ts';

/** What a state's entry and leave set going, and the last of the cards before it, take this long. */
const SETTLE_MS = 1_500;
/** A bare clip never rests: its start is over when it has had this long. */
const START_MS = 6_000;
const LOOPS = 20;
const UPDATE_EVERY_MS = 100;

/** Brings the product into a state; what it returns brings it back. */
type Enter = (companion: Companion, client: Client) => Promise<() => Promise<unknown>>;

async function playToEnd(client: Client, loops: number): Promise<void> {
  const { requestId } = await client.create({ capability: CLIP.capability, params: { loops } });
  await client.waitUntilEnd(requestId);
}

const STATES = {
  hidden: async (companion) => {
    await companion.ask('set', { hidden: true });
    return () => companion.ask('set', { hidden: false });
  },
  still: async (companion) => {
    await companion.ask('set', { reduceMotion: true });
    return () => companion.ask('set', { reduceMotion: null });
  },
  idle: async (_, client) => {
    // A minute of idleness begins anew; after it the figure would be still.
    await playToEnd(client, 1);
    return async () => {};
  },
  clip: async (_, client) => {
    const request = { capability: CLIP.capability, params: { loops: LOOPS } };
    const made = [await client.create(request), await client.create(request)];
    return async () => {
      for (const { requestId } of made.reverse()) await client.cancel(requestId);
    };
  },
  progress: async (_, client) => {
    const card = await client.progress('Copying', { percent: 0 });
    let percent = 0;
    let last: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => {
      percent = (percent + 1) % 100;
      last = last.then(() => card.update({ percent, message: `file ${percent} of 100` }));
    }, UPDATE_EVERY_MS);
    return async () => {
      clearInterval(timer);
      await last;
      await card.done();
      await client.cancel(card.requestId).catch(() => {});
    };
  },
} as const satisfies Record<string, Enter>;

type State = keyof typeof STATES;

interface Reading {
  /** Browser and host together. */
  readonly product: Use;
  readonly host: Use;
  readonly still: Use;
  /** Only while the product plays the same clip. */
  readonly clip: Use | null;
  /** Changes of the screen, whoever caused them. */
  readonly changesPerSecond: number;
}

interface Stand {
  readonly companion: Companion;
  readonly client: Client;
  readonly still: ChildProcess;
  readonly startClip: () => ChildProcess;
  readonly display: number | null;
  readonly seconds: number;
}

const add = (one: Use, other: Use): Use => ({
  cpuPercent: one.cpuPercent + other.cpuPercent,
  wakeUpsPerSecond: one.wakeUpsPerSecond + other.wakeUpsPerSecond,
});

/** Counts changes of the screen from now on. */
async function countChanges(display: number | null): Promise<() => number> {
  if (display === null) return () => Number.NaN;
  const screen = await openScreen(display);
  // What is there already is reported once.
  await screen.pixels({ x: 0, y: 0, width: 1, height: 1 });
  let changes = 0;
  screen.onDamage = () => {
    changes += 1;
  };
  return () => {
    screen.close();
    return changes;
  };
}

async function read(state: State, { companion, client, still, startClip, display, seconds }: Stand): Promise<Reading> {
  const clip = state === 'clip' ? startClip() : null;
  if (clip !== null) await sleep(START_MS);
  const leave = await STATES[state](companion, client);
  await sleep(SETTLE_MS);
  const groups = [treeOf(companion.browser.pid), [companion.pid], treeOf(still.pid!)];
  const changes = await countChanges(display);
  const [browser, host, bare, other] = await watch([...groups, ...(clip === null ? [] : [treeOf(clip.pid!)])], seconds);
  const changesPerSecond = changes() / seconds;
  if (clip !== null) await end(clip);
  await leave();
  await sleep(SETTLE_MS);
  return { product: add(browser!, host!), host: host!, still: bare!, clip: other ?? null, changesPerSecond };
}

/** What is drawn and what runs in the page in a state, and how many seconds were looked at. */
async function trace(state: State, { companion, client, seconds }: Stand): Promise<Drawing> {
  const leave = await STATES[state](companion, client);
  await sleep(SETTLE_MS);
  const drawing = await companion.ask('traceDrawing', seconds);
  await leave();
  await sleep(SETTLE_MS);
  return drawing;
}

const inWords = (drawing: Drawing): string =>
  Object.entries(drawing)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

type Readings = Readonly<Record<State, readonly Reading[]>>;

function judgeRest({ hidden, still, idle }: Readings, drawn: Readonly<Record<'hidden' | 'still', Drawing>>): Figure[] {
  const cpu = (readings: readonly Reading[], of: 'product' | 'still') =>
    readings.map((reading) => reading[of].cpuPercent);
  const common = { row: 12, unit: '% of a core', floorName: 'bare window, still picture' };
  const nothing = (state: 'hidden' | 'still', readings: readonly Reading[]): Figure[] => [
    judge({
      row: 12,
      name: `${state}, frames and page timers (${inWords(drawn[state])})`,
      unit: '',
      product: [Object.values(drawn[state]).reduce((sum, count) => sum + count, 0)],
      goal: { atMost: 0 },
    }),
    judge({
      row: 12,
      name: `${state}, changes of the screen`,
      unit: '/s',
      product: readings.map(({ changesPerSecond }) => changesPerSecond),
      goal: { atMost: 0 },
    }),
    judge({
      row: 12,
      name: `${state}, browser and host, wake-ups`,
      unit: '/s',
      floorName: common.floorName,
      floor: readings.map((reading) => reading.still.wakeUpsPerSecond),
      product: readings.map(({ product }) => product.wakeUpsPerSecond),
      goal: { note: '(for comparison)' },
    }),
  ];
  return [
    judge({
      ...common,
      name: 'hidden, browser and host',
      floor: cpu(hidden, 'still'),
      product: cpu(hidden, 'product'),
      goal: { aboveFloorAtMost: 0.2 },
    }),
    judge({
      ...common,
      name: 'still, browser and host',
      floor: cpu(still, 'still'),
      product: cpu(still, 'product'),
      goal: { note: '(for comparison)' },
    }),
    judge({
      ...common,
      name: 'idle in its first minute, browser and host',
      floor: cpu(idle, 'still'),
      product: cpu(idle, 'product'),
      goal: { ratioAtMost: 3 },
    }),
    ...nothing('hidden', hidden),
    ...nothing('still', still),
  ];
}

function judgeMotion({ clip, progress }: Readings, drawnPerFrame: number): Figure[] {
  const floorName = 'bare window, the same clip on a page timer';
  return [
    judge({
      row: 13,
      name: `clip at ${clipFramesPerSecond().toFixed(1)} frames/s, browser and host`,
      unit: '% of a core',
      floorName,
      floor: clip.map((reading) => reading.clip!.cpuPercent),
      product: clip.map(({ product }) => product.cpuPercent),
      goal: { ratioAtMost: 2.2 },
    }),
    judge({
      row: 13,
      name: 'the same, wake-ups',
      unit: '/s',
      floorName,
      floor: clip.map((reading) => reading.clip!.wakeUpsPerSecond),
      product: clip.map(({ product }) => product.wakeUpsPerSecond),
      goal: { ratioAtMost: 2.2 },
    }),
    judge({
      row: 13,
      name: "the same, the host's part",
      unit: '% of a core',
      product: clip.map(({ host }) => host.cpuPercent),
      goal: { note: '(for comparison)' },
    }),
    judge({
      row: 13,
      name: 'frames drawn for one frame of the clip',
      unit: '',
      product: [drawnPerFrame],
      goal: { atMost: 1.1 },
    }),
    judge({
      row: 13,
      name: 'progress card, 10 updates/s, browser and host',
      unit: '% of a core',
      floorName: 'bare window, still picture',
      floor: progress.map(({ still }) => still.cpuPercent),
      product: progress.map(({ product }) => product.cpuPercent),
      goal: { note: '(for comparison)' },
    }),
  ];
}

async function readAll(stand: Stand, rounds: number): Promise<Readings> {
  const readings: Record<State, Reading[]> = { hidden: [], still: [], idle: [], clip: [], progress: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const state of Object.keys(STATES) as State[]) readings[state].push(await read(state, stand));
  return readings;
}

async function measure({ quick, folder, desk, launch }: Bench): Promise<Figure[]> {
  const companion = await startCompanion(launch);
  const { client } = await companion.pair();
  const pages = writePages(folder);
  const [left, right] = await placesBeside((expression) => companion.ask('evaluate', expression), 2);
  const bare = (address: string, place: Place) =>
    startLean(companion.browser, address, { folder, env: launch.env, place });
  const stand: Stand = {
    companion,
    client,
    still: bare(pages.still, left!),
    startClip: () => bare(pages.clip, right!),
    display: typeof desk === 'string' ? null : desk.display,
    seconds: quick ? 8 : 30,
  };
  await settle(() => [treeOf(companion.browser.pid), treeOf(stand.still.pid!)]);
  const readings = await readAll(stand, quick ? 1 : 3);
  const drawn = { hidden: await trace('hidden', stand), still: await trace('still', stand) };
  const { DrawFrame } = await trace('clip', stand);
  client.close();
  await end(stand.still);
  await companion.stop();
  return [...judgeRest(readings, drawn), ...judgeMotion(readings, DrawFrame / stand.seconds / clipFramesPerSecond())];
}

export const states: Section = { rows: [12, 13], measure };
