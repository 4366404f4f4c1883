/** The browser's pipe: how long a call takes, and which calls the product makes. */
import { Connection, type Page } from 'puppeteer-core';
import { sleep } from './stats.ts';

/** As much as a card says. */
const CARD = {
  requestId: 'req_0123456789abcdef',
  title: 'Deploy build 4711 to staging now?',
  options: [
    { id: 'deploy', label: 'Deploy' },
    { id: 'later', label: 'Later' },
  ],
};

/** Times `count` calls of each kind in turn, in microseconds. */
export async function timeCalls(page: Page, count: number): Promise<{ evaluate: number[]; callFunctionOn: number[] }> {
  const session = await page.createCDPSession();
  const { result } = await session.send('Runtime.evaluate', { expression: 'globalThis' });
  const times = { evaluate: [] as number[], callFunctionOn: [] as number[] };
  const timed = async (into: number[], send: () => Promise<unknown>): Promise<void> => {
    const startedAt = performance.now();
    await send();
    into.push((performance.now() - startedAt) * 1000);
  };
  for (let turn = 0; turn < count; turn += 1) {
    await timed(times.evaluate, () => session.send('Runtime.evaluate', { expression: '1' }));
    await timed(times.callFunctionOn, () =>
      session.send('Runtime.callFunctionOn', {
        ...(result.objectId !== undefined && { objectId: result.objectId }),
        functionDeclaration: 'function (card) { return card.requestId }',
        arguments: [{ value: CARD }],
        returnByValue: true,
      }),
    );
  }
  await session.detach();
  return times;
}

/** What every session of puppeteer sends through; its types leave it out. */
interface Raw {
  _rawSend(callbacks: unknown, method: string, ...rest: unknown[]): unknown;
}

/** Counts, by method, what goes to the browser from now on; `take` gives the counts and begins anew. */
export function countCalls(): { take(): Record<string, number> } {
  let counts: Record<string, number> = {};
  const connection = Connection.prototype as unknown as Raw;
  const sendRaw = connection._rawSend;
  connection._rawSend = function (callbacks, method, ...rest) {
    counts[method] = (counts[method] ?? 0) + 1;
    return sendRaw.call(this, callbacks, method, ...rest);
  };
  return {
    take: () => {
      const taken = counts;
      counts = {};
      return taken;
    },
  };
}

/** Events of a page that is drawn, or that runs a timer of its own; named as in Chromium's traces. */
const DRAWING = ['DrawFrame', 'FireAnimationFrame', 'Paint', 'TimerFire'] as const;
const CATEGORIES = ['timeline', 'timeline.frame'].flatMap((name) => [
  `devtools.${name}`,
  `disabled-by-default-devtools.${name}`,
]);

export type Drawing = Readonly<Record<(typeof DRAWING)[number], number>>;

/** Counts, over `seconds`, the frames drawn and the timers run by the page's process. */
export async function traceDrawing(page: Page, seconds: number): Promise<Drawing> {
  await page.tracing.start({ categories: CATEGORIES });
  await sleep(seconds * 1000);
  const trace = JSON.parse(Buffer.from((await page.tracing.stop())!).toString()) as {
    readonly traceEvents: readonly { readonly name: string; readonly pid: number; readonly args?: unknown }[];
  };
  const counts = DRAWING.map((name) => [name, trace.traceEvents.filter((event) => event.name === name).length]);
  return Object.fromEntries(counts) as Drawing;
}

/** Bytes the page's scripts keep once all that can go has gone, and the addresses of all it has ever asked for. */
export async function pageMemory(page: Page): Promise<{ scriptBytes: number; addresses: string[] }> {
  const session = await page.createCDPSession();
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  const addresses = (await page.evaluate(
    "performance.getEntriesByType('resource').map(({ name }) => name)",
  )) as string[];
  return { scriptBytes: usedSize, addresses };
}
