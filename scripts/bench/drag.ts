/** Row 13: how far the figure's window is behind the pointer while the user carries it. */
import { connectX, type XClient } from '../../e2e/desktop/x-client.ts';
import type { Bench, Section } from './bench.ts';
import { type Companion, startCompanion } from './companion.ts';
import { type Figure, judge, notMeasured } from './figure.ts';
import { run } from './programs.ts';
import { percentile, sleep } from './stats.ts';
import { settle, treeOf } from './tree.ts';

const FRAME_MS = 1000 / 60;
const STEP_PX = 8;
const STEPS = 60;
const STEP_MS = 16;
/** Longer than a press that is not a drag. */
const GRIP_PX = 40;
const NAME = 'a drag, the window behind the pointer';

interface Sample {
  readonly at: number;
  readonly pointerX: number;
  readonly windowX: number;
}

/** Where the page's corner and the middle of the figure lie on the screen. */
const FIGURE = `(() => {
  const box = document.querySelector('[data-character]').getBoundingClientRect();
  return { left: screenX, x: screenX + box.x + box.width / 2, y: screenY + box.y + box.height / 2 };
})()`;

/** The product's window: the one in the tree of windows that lies where the page says and has its class. */
async function findWindow(x: XClient, window = x.root): Promise<number | null> {
  const named = await x.text(window, 'WM_CLASS').catch(() => null);
  if (named?.split('\0').includes('companion')) return window;
  const { children } = await x.ask<{ children: readonly number[] }>((X, done) => X.QueryTree(window, done));
  for (const child of [...children].reverse()) {
    const found = await findWindow(x, child).catch(() => null);
    if (found !== null) return found;
  }
  return null;
}

/** Looks at pointer and window as often as the server answers, until `stop`. */
function sample(x: XClient, window: number): { stop(): Promise<readonly Sample[]> } {
  const samples: Sample[] = [];
  let isOver = false;
  const looking = (async () => {
    while (!isOver) {
      const { rootX } = await x.ask<{ rootX: number }>((X, done) => X.QueryPointer(x.root, done));
      const at = performance.now();
      const place = await x.place(window);
      samples.push({ at, pointerX: rootX, windowX: place.x });
      await sleep(1);
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await looking;
      return samples;
    },
  };
}

/** For each place the pointer was first seen at, how long until the window had come as far, ms. */
function lags(samples: readonly Sample[], offset: number): number[] {
  const result: number[] = [];
  let reached = Number.POSITIVE_INFINITY;
  for (const [index, { at, pointerX }] of samples.entries()) {
    if (pointerX >= reached) continue;
    reached = pointerX;
    const caughtUp = samples.slice(index).find(({ windowX }) => windowX <= pointerX - offset + 1);
    if (caughtUp !== undefined) result.push(caughtUp.at - at);
  }
  return result;
}

async function drag(companion: Companion, display: string, env: NodeJS.ProcessEnv): Promise<number[]> {
  const x = await connectX(display);
  try {
    const window = await findWindow(x);
    if (window === null) throw new Error('no window of class companion');
    const figure = (await companion.ask('evaluate', FIGURE)) as { x: number; y: number };
    const xdotool = (...args: (string | number)[]) => run('xdotool', args.map(String), env);
    await xdotool('mousemove', Math.round(figure.x), Math.round(figure.y), 'mousedown', 1);
    await xdotool('mousemove_relative', '--', -GRIP_PX, 0);
    await sleep(500);
    const before = await x.place(window);
    const { rootX } = await x.ask<{ rootX: number }>((X, done) => X.QueryPointer(x.root, done));
    const watching = sample(x, window);
    const step = ['mousemove_relative', '--', -STEP_PX, 0, 'sleep', STEP_MS / 1000];
    await xdotool(...Array.from({ length: STEPS }, () => step).flat());
    await sleep(500);
    const samples = await watching.stop();
    await xdotool('mouseup', 1);
    const last = samples.at(-1)!;
    if (before.x - last.windowX < (STEP_PX * STEPS) / 2) throw new Error('the window does not follow the pointer');
    return lags(samples, rootX - before.x);
  } finally {
    await x.close();
  }
}

async function measure({ desk, launch }: Bench): Promise<Figure[]> {
  if (typeof desk === 'string') return [notMeasured(13, NAME, desk)];
  const companion = await startCompanion(launch);
  try {
    if (companion.backend !== 'x11') return [notMeasured(13, NAME, `the window is not ours (${companion.backend})`)];
    await settle(() => [treeOf(companion.browser.pid)]);
    const behind = await drag(companion, `:${desk.display}`, launch.env);
    return [
      judge({
        row: 13,
        name: `${NAME}, p95 (two frames)`,
        unit: 'ms',
        product: [percentile(behind, 0.95)],
        goal: { atMost: Number((2 * FRAME_MS).toFixed(1)) },
      }),
    ];
  } finally {
    await companion.stop();
  }
}

export const drags: Section = { rows: [13], measure };
