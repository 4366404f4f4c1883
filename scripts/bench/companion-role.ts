/** The product in a process of its own: launches it as a tester would and does to its page what the bench asks for. */
import { createHook } from 'node:async_hooks';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LaunchedCompanion, LaunchOptions } from '../../e2e/harness.ts';
import { LINK_BINDING } from '../../server/protocol/link.ts';
import type { Settings } from '../../server/protocol/settings.ts';
import { countCalls, pageMemory, timeCalls, traceDrawing } from './cdp.ts';
import { choose } from './choose.ts';
import { DIST } from './programs.ts';
import { sleep } from './stats.ts';

export interface CompanionRole extends Pick<LaunchOptions, 'headless' | 'config' | 'home'> {
  /** Notes every timer that is started; for the figures at rest only. */
  readonly watchTimers?: boolean;
}

/** What the child says once the page is up. */
export interface CompanionReady {
  readonly socketPath: string;
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  readonly pid: number;
  readonly browser: { readonly pid: number; readonly program: string; readonly args: readonly string[] };
  readonly backend: string;
}

const SHORT_MS = 60_000;
const SETTLE_MS = 300;
/** A page that is at rest has no animation frame to look at. */
const POLLING = { polling: 50 };

interface NodeTimer {
  readonly _idleTimeout: number;
  readonly _destroyed: boolean;
  readonly _onTimeout: { readonly name?: string } | null;
  hasRef(): boolean;
}

/** Follows timers from now on; gives those still armed and shorter than a minute, in words. */
function followTimers(): () => string[] {
  const timers = new Set<NodeTimer>();
  createHook({
    init: (_id, type, _trigger, resource) => {
      if (type === 'Timeout') timers.add(resource as NodeTimer);
    },
  }).enable();
  return () => {
    for (const timer of timers) if (timer._destroyed || timer._onTimeout === null) timers.delete(timer);
    return [...timers]
      .filter(({ _idleTimeout }) => _idleTimeout >= 0 && _idleTimeout < SHORT_MS)
      .map((timer) => `${timer._idleTimeout} ms ${timer._onTimeout?.name || 'anonymous'}`);
  };
}

/** What the bench may ask of the page; answers are JSON. */
function operations({ page, stop }: LaunchedCompanion, timers: () => string[]) {
  const counter = countCalls();
  const set = (patch: Partial<Settings>): Promise<unknown> =>
    page.evaluate(`${LINK_BINDING}(${JSON.stringify(JSON.stringify({ type: 'settings', patch }))})`);
  return {
    enableAccess: async () => {
      await set({ access: true });
      await page.waitForFunction('document.querySelector(\'[data-action="enable-access"]\') === null', POLLING);
    },
    approve: async (pairingId: string) => {
      const button = await page.waitForSelector(`[data-pairing-id="${pairingId}"] [data-action="approve"]`);
      await button!.evaluate((element) => (element as unknown as { click(): void }).click());
    },
    /** Ends every open request in one commit, as pausing does, and goes on. */
    clear: async () => {
      for (const paused of [true, false]) {
        await set({ paused });
        await page.waitForFunction(`document.querySelector('[data-request-id]') === null`, POLLING);
      }
      await sleep(SETTLE_MS);
    },
    /** As after a minute of idleness: the figure stands on its still frame. */
    keepStill: () => set({ reduceMotion: true }),
    /** What the user may choose in the overlay. */
    set,
    /** Chooses a character as the gallery does, and waits until it has greeted. */
    choose: (character: string) => choose(page, character),
    pageMemory: () => pageMemory(page),
    traceDrawing: (seconds: number) => traceDrawing(page, seconds),
    evaluate: (expression: string) => page.evaluate(expression),
    timeCalls: (count: number) => timeCalls(page, count),
    takeCalls: async () => counter.take(),
    timers: async () => timers(),
    stop: async () => {
      await stop();
      return null;
    },
  };
}

export type Operations = ReturnType<typeof operations>;

/** What the child in this role does: serves the bench's wishes until it is told to stop. */
export async function runCompanion({ watchTimers = false, ...options }: CompanionRole): Promise<void> {
  const timers = watchTimers ? followTimers() : () => [];
  const { launchCompanion } = (await import(
    pathToFileURL(join(DIST, 'testing.js')).href
  )) as typeof import('../../e2e/harness.ts');
  const companion = await launchCompanion(options);
  const known: Record<string, (argument: never) => Promise<unknown>> = operations(companion, timers);
  process.on('message', async ({ id, name, argument }: { id: number; name: string; argument: never }) => {
    try {
      process.send?.({ id, value: (await known[name]!(argument)) ?? null });
    } catch (error) {
      process.send?.({ id, error: String(error) });
    }
    if (name === 'stop') process.disconnect();
  });
  const { socketPath, env, home, page, host } = companion;
  const { pid = 0, spawnfile = '', spawnargs = [] } = page.browser().process() ?? {};
  const browser = { pid, program: spawnfile, args: spawnargs.slice(1) };
  const ready: CompanionReady = { socketPath, env, home, pid: process.pid, browser, backend: host.overlay().backend };
  process.send?.(ready);
}
