/** Keeps one window with the page open: starts Chromium, starts it again when it dies or hangs, and gives up in time (design §2, §3). */
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { PAGE_ORIGIN, PAGE_PATH } from '../protocol/link.ts';
import type { OverlayFacts } from '../protocol/overlay.ts';
import { PAGE_HASH } from '../protocol/window.ts';
import { type Chromium, type Inject, launchChromium } from './launch.ts';
import { type Relay, startRelay } from './relay.ts';
import { restartDelay, startWatchdog } from './watchdog.ts';

export type WindowState = 'starting' | 'up' | 'down' | 'failed';

export interface WindowOptions {
  readonly chromiumPath: string;
  readonly headless: boolean;
  readonly userDataDir: string;
  readonly inject: Inject;
  readonly socketPath: string;
  readonly token: string;
  readonly onState: (state: WindowState) => void;
  /** One line, never content. */
  readonly log: (line: string) => void;
  readonly deviceScaleFactor?: number;
  /** Default: only for root, where Chromium refuses its sandbox. */
  readonly noSandbox?: boolean;
  readonly extraArgs?: readonly string[];
}

export interface Window {
  /** Puppeteer's page, for tests; null while there is none. Another one after each restart. */
  page(): Page | null;
  facts(): OverlayFacts;
  /** Gives the content this size, CSS px; nothing happens while there is no page. */
  setBounds(width: number, height: number): Promise<void>;
  /** Resolves when every process of Chromium is gone and its profile is removed. */
  close(): Promise<void>;
}

/** How long Chromium may take from its start to the page's first message. */
const UP_WITHIN_MS = 30_000;
const MAX_SIDE_PX = 4_096;

/** Opens the window; `onState` tells how it goes, beginning with `starting`. Never throws: what fails is tried again or `failed`. */
export function openWindow(options: WindowOptions): Window {
  const closing = new AbortController();
  let state: WindowState = 'starting';
  let chromium: Chromium | undefined;

  const enter = (next: WindowState): void => {
    state = next;
    options.onState(next);
  };

  const keepOpen = async (): Promise<void> => {
    const crashesAt: number[] = [];
    while (!closing.signal.aborted) {
      enter('starting');
      const reason = await runOnce(
        options,
        closing.signal,
        (started) => {
          chromium = started;
        },
        () => enter('up'),
      );
      chromium = undefined;
      if (closing.signal.aborted) break;
      options.log(`the overlay ended: ${reason}`);
      crashesAt.push(performance.now());
      const delayMs = restartDelay(crashesAt);
      enter(delayMs === null ? 'failed' : 'down');
      if (delayMs === null) return;
      await delay(delayMs, undefined, { signal: closing.signal }).catch(() => {});
    }
    enter('down');
  };
  const done = keepOpen();

  return {
    page: () => chromium?.page ?? null,
    facts: () => ({
      state: state === 'failed' ? 'down' : state,
      backend: options.headless ? 'headless' : 'window',
      transparent: false,
      alwaysOnTop: false,
      clickThrough: false,
      positioned: false,
    }),
    setBounds: async (width, height) => {
      // A page that is just going away needs no size; the next one says what it needs.
      if (chromium !== undefined) await resize(chromium, options, side(width), side(height)).catch(() => {});
    },
    close: () => {
      closing.abort();
      return done;
    },
  };
}

/** One life of Chromium. Resolves with why it ended, when nothing of it is left. */
async function runOnce(
  options: WindowOptions,
  signal: AbortSignal,
  onStarted: (chromium: Chromium) => void,
  onUp: () => void,
): Promise<string> {
  let chromium: Chromium;
  try {
    const noSandbox = options.noSandbox ?? process.getuid?.() === 0;
    chromium = await launchChromium({ ...options, noSandbox, signal });
  } catch (error) {
    return `it did not start (${(error as Error).message.split('\n', 1)[0]})`;
  }
  onStarted(chromium);
  const { browser, page, session } = chromium;
  let end: (reason: string) => void = () => {};
  const ended = new Promise<string>((resolve) => {
    end = resolve;
  });
  const tooLong = setTimeout(() => end('the page did not speak'), UP_WITHIN_MS);
  const watchdog = startWatchdog(
    () => session.send('Runtime.evaluate', { expression: '0' }),
    () => end('it hung'),
  );
  if (signal.aborted) end('closed');
  signal.addEventListener('abort', () => end('closed'), { once: true });
  browser.on('disconnected', () => end('it crashed'));
  page.on('error', () => end('the page crashed'));
  page.on('close', () => end('the window was closed'));
  let relay: Relay | undefined;
  try {
    relay = await startRelay({
      session,
      socketPath: options.socketPath,
      token: options.token,
      onSent: watchdog.expect,
      onUp: () => {
        clearTimeout(tooLong);
        onUp();
      },
      // Only a window of our own has a shape and a place.
      onWindowMessage: () => {},
      onLost: () => end('the link broke'),
    });
    // In an ordinary window the page draws a quiet ground of its own.
    await session.send('Page.navigate', { url: PAGE_ORIGIN + PAGE_PATH + (options.headless ? '' : PAGE_HASH.plain) });
    return await ended;
  } catch {
    return 'it went away while starting';
  } finally {
    clearTimeout(tooLong);
    watchdog.stop();
    relay?.stop();
    await chromium.end();
  }
}

async function resize(
  { page, session }: Chromium,
  options: WindowOptions,
  width: number,
  height: number,
): Promise<void> {
  if (options.headless) {
    await page.setViewport({ width, height, deviceScaleFactor: options.deviceScaleFactor ?? 1 });
    return;
  }
  const { windowId } = await session.send('Browser.getWindowForTarget');
  await session.send('Browser.setContentsSize', { windowId, width, height });
}

const side = (px: number): number => Math.min(MAX_SIDE_PX, Math.max(1, Math.ceil(px)));
