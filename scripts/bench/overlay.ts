/** Rows 12 and 14: what the overlay costs while nothing moves, and what one card costs on the browser's pipe. */
import { placesBeside, startLean } from './bare.ts';
import type { Bench, Section } from './bench.ts';
import { startCompanion } from './companion.ts';
import { type Figure, judge } from './figure.ts';
import { end } from './programs.ts';
import { median, sleep } from './stats.ts';
import { settle, treeOf, watch } from './tree.ts';

const CARDS = 10;
/** Longer than a card's painting, its report and what follows from it. */
const QUIET_MS = 250;

async function atRest({ quick, folder, launch }: Bench): Promise<Figure[]> {
  const companion = await startCompanion(launch, true);
  const [place] = await placesBeside((expression) => companion.ask('evaluate', expression), 1);
  const blank = startLean(companion.browser, 'about:blank', { folder, env: launch.env, place: place! });
  const groups = () => [treeOf(companion.browser.pid), treeOf(blank.pid!), [companion.pid]];
  await settle(groups);
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
