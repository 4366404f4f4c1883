/** Row 10: from the start of the browser's process to the first contentful paint of the page. */
import { type Place, startDefault, writePages } from './bare.ts';
import type { Bench, Section } from './bench.ts';
import { startCompanion } from './companion.ts';
import { type Figure, judge } from './figure.ts';
import { interleave, sleep } from './stats.ts';
import { startedAt } from './tree.ts';

const PLACE: Place = { x: 0, y: 0, width: 480, height: 720 };
const POLL_MS = 20;
const LIMIT_MS = 20_000;

/** Epoch ms, or null as long as nothing has been painted. */
const FIRST_PAINT = `(() => {
  const [entry] = performance.getEntriesByName('first-contentful-paint');
  return entry === undefined ? null : performance.timeOrigin + entry.startTime;
})()`;

/** Milliseconds from the start of process `pid` to the first paint of the page that `evaluate` asks. */
async function toFirstPaint(pid: number, evaluate: (expression: string) => Promise<unknown>): Promise<number> {
  const by = performance.now() + LIMIT_MS;
  for (;;) {
    const paintedAt = (await evaluate(FIRST_PAINT)) as number | null;
    if (paintedAt !== null) return paintedAt - startedAt(pid);
    if (performance.now() > by) throw new Error('nothing was painted');
    await sleep(POLL_MS);
  }
}

async function measure({ quick, folder, launch }: Bench): Promise<Figure[]> {
  const pages = writePages(folder);
  let program = '';
  const product = async (): Promise<number> => {
    const companion = await startCompanion(launch);
    program = companion.browser.program;
    const ms = await toFirstPaint(companion.browser.pid, (expression) => companion.ask('evaluate', expression));
    await companion.stop();
    return ms;
  };
  const bare = async (): Promise<number> => {
    const { browser, page, pid } = await startDefault(program, pages.still, { folder, env: launch.env, place: PLACE });
    // While it goes to its address there is nothing to ask.
    const ms = await toFirstPaint(pid, (expression) => page.evaluate(expression).catch(() => null));
    await browser.close();
    return ms;
  };
  await product();
  const taken = await interleave(quick ? 3 : 9, { product, bare });
  return [
    judge({
      row: 10,
      name: 'overlay, cold start to first contentful paint',
      unit: 'ms',
      floorName: "bare window, puppeteer's default flags",
      floor: taken.bare,
      product: taken.product,
      goal: { ratioAtMost: 0.8 },
    }),
    judge({
      row: 10,
      name: 'the same, alone',
      unit: 'ms',
      product: taken.product,
      goal: { atMost: 1_100 },
    }),
  ];
}

export const coldStart: Section = { rows: [10], measure };
