/** Chooses a character in the product's page and watches for its first picture, by the page's own clock. */
import type { Page } from 'puppeteer-core';
import { LINK_BINDING } from '../../server/protocol/link.ts';
import { sleep } from './stats.ts';

export interface Chosen {
  /** From the choice until the page asks for the first file of the character: it has been told by then. */
  readonly toldMs: number;
  /** From the choice until the first picture is painted. */
  readonly paintedMs: number;
}

const CANVAS = '.figure canvas';
const POLL_MS = 50;
const IDLE_MS = 600;

/** Resolves when the character is on the screen and stands idle again: a greeting is not cut short by the next choice. */
export async function choose(page: Page, character: string): Promise<Chosen> {
  const chosen = await page.evaluate(`new Promise((resolve) => {
    const canvas = document.querySelector('${CANVAS}');
    performance.clearResourceTimings();
    const startedAt = performance.now();
    const watch = new MutationObserver(() => {
      if (canvas.dataset.character !== '${character}') return;
      watch.disconnect();
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          port1.close();
          const paintedMs = performance.now() - startedAt;
          const [first] = performance.getEntriesByType('resource').map((entry) => entry.startTime).sort((a, b) => a - b);
          resolve({ toldMs: first - startedAt, paintedMs });
        };
        port2.postMessage(null);
      });
    });
    watch.observe(canvas, { attributeFilter: ['data-character'] });
    ${LINK_BINDING}(${JSON.stringify(JSON.stringify({ type: 'choose', character }))});
  })`);
  // It may stand idle for a moment before it greets, too.
  for (let idleMs = 0; idleMs < IDLE_MS; idleMs += POLL_MS) {
    if ((await page.$(`${CANVAS}[data-clip="idle"]`)) === null) idleMs = 0;
    await sleep(POLL_MS);
  }
  return chosen as Chosen;
}
