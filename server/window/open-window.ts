/** Keeps one window with the page open: starts Chromium, starts it again when it dies or hangs, and gives up in time (design §2, §3). */
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { PAGE_ORIGIN, PAGE_PATH } from '../protocol/link.ts';
import { NOTHING_SEEN, type OverlayFacts } from '../protocol/overlay.ts';
import type { DesktopReport } from '../protocol/window.ts';
import { type Frame, headlessFrame, plainFrame, shapedFrame } from './frame.ts';
import { type Chromium, type Inject, launchChromium } from './launch.ts';
import { type Relay, startRelay } from './relay.ts';
import { restartDelay, startWatchdog } from './watchdog.ts';
import type { Desktop } from './x/desktop.ts';

export type WindowState = 'starting' | 'up' | 'down' | 'failed';

/** Where the page is to be seen. */
export type Where =
  | { readonly kind: 'headless' }
  /** `open` connects to the X display; it is called again when the display has gone away. */
  | { readonly kind: 'x11'; readonly open: () => Promise<Desktop> }
  | { readonly kind: 'wayland' };

export interface WindowOptions {
  readonly chromiumPath: string;
  readonly where: Where;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userDataDir: string;
  readonly inject: Inject;
  readonly socketPath: string;
  readonly token: string;
  readonly onState: (state: WindowState) => void;
  /** The facts have been looked at anew. */
  readonly onFacts: () => void;
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
  /** All that was seen of this desktop. */
  report(): Omit<DesktopReport, 'pid' | 'at'>;
  /** Brings up another program's window on this desktop; false where that cannot be, or there is none of that ID. Never rejects. */
  raise(windowId: string): Promise<boolean>;
  /** The user's settings have changed: looks again at what may be seen. */
  review(): void;
  /** Resolves when every process of Chromium is gone and its profile is removed. */
  close(): Promise<void>;
}

/** How long Chromium may take from its start to the page's first message. */
const UP_WITHIN_MS = 30_000;
/** How long a page that is loaded again may be silent. */
const BACK_WITHIN_MS = 10_000;
/** How soon a display that cannot be reached is tried again. */
const DISPLAY_RETRY_MS = 2_000;
/** What it will be, before anything has been seen. */
const BACKENDS = { headless: 'headless', x11: 'x11', wayland: 'window' } as const;
const CLOSED = 'the window was closed';
const LACKS = 'the X server lacks';

/** Chromium refuses its sandbox to root. */
const isRoot = (): boolean => process.getuid?.() === 0;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'error').split('\n', 1)[0]!;

/** Opens the window; `onState` tells how it goes, beginning with `starting`. Never throws: what fails is tried again or `failed`. */
export function openWindow(options: WindowOptions): Window {
  const closing = new AbortController();
  let state: WindowState = 'starting';
  let chromium: Chromium | undefined;
  let desktop: Desktop | null = null;
  let frame: Frame | null = null;
  let trouble: string | null = null;

  const enter = (next: WindowState): void => {
    state = next;
    options.onState(next);
  };

  const connect = async (open: () => Promise<Desktop>): Promise<void> => {
    const opened = await open();
    desktop = opened;
    void opened.ended.then(() => {
      if (desktop === opened) desktop = null;
    });
  };

  /** What stands around the next Chromium; null: the display cannot be reached now. */
  const nextFrame = async (): Promise<Frame | null> => {
    const { where } = options;
    if (where.kind === 'headless') return headlessFrame;
    if (where.kind === 'wayland') return plainFrame('wayland');
    try {
      if (desktop === null) await connect(where.open);
      trouble = null;
      return shapedFrame(desktop!);
    } catch (error) {
      if (trouble !== messageOf(error)) options.log(`no see-through window: ${messageOf(error)}`);
      trouble = messageOf(error);
      options.onFacts();
      return trouble.startsWith(LACKS) ? plainFrame('x11') : null;
    }
  };

  const factsNow = (): OverlayFacts => ({
    ...(frame?.facts() ?? { backend: BACKENDS[options.where.kind], ...NOTHING_SEEN }),
    state: state === 'failed' ? 'down' : state,
  });

  const pause = (ms: number): Promise<unknown> => delay(ms, undefined, { signal: closing.signal }).catch(() => {});

  const keepOpen = async (): Promise<void> => {
    const crashesAt: number[] = [];
    while (!closing.signal.aborted) {
      enter('starting');
      frame = await nextFrame();
      if (frame === null) {
        await pause(DISPLAY_RETRY_MS);
        continue;
      }
      const reason = await runOnce(
        options,
        frame,
        closing.signal,
        (started) => {
          chromium = started;
        },
        () => {
          enter('up');
          options.onFacts();
        },
      );
      chromium = undefined;
      if (closing.signal.aborted) break;
      options.log(`the overlay ended: ${reason}`);
      // A display that has gone takes Chromium with it: that is no crash to give up on.
      // Nor is a window that somebody has closed.
      const displayWent = options.where.kind === 'x11' && desktop === null && trouble === null;
      const isCrash = !displayWent && reason !== CLOSED;
      if (isCrash) crashesAt.push(performance.now());
      const delayMs = isCrash ? restartDelay(crashesAt) : DISPLAY_RETRY_MS;
      enter(delayMs === null ? 'failed' : 'down');
      if (delayMs === null) return;
      await pause(delayMs);
    }
    enter('down');
  };
  const done = keepOpen().finally(() => desktop?.close());

  return {
    page: () => chromium?.page ?? null,
    facts: factsNow,
    report: () => {
      const { state: _state, ...overlay } = factsNow();
      const { compositor = null, windowManager = null, hotkeys = [] } = desktop?.facts() ?? {};
      const { chromiumPath, noSandbox = isRoot() } = options;
      const chromiumFacts = { path: chromiumPath, sandbox: !noSandbox };
      return { overlay, compositor, windowManager, hotkeys, chromium: chromiumFacts, trouble };
    },
    raise: async (windowId) => (await desktop?.raise(windowId).catch(() => false)) ?? false,
    review: () => desktop?.review(),
    close: () => {
      closing.abort();
      return done;
    },
  };
}

/** One life of Chromium. Resolves with why it ended, when nothing of it is left. */
async function runOnce(
  options: WindowOptions,
  frame: Frame,
  signal: AbortSignal,
  onStarted: (chromium: Chromium) => void,
  onUp: () => void,
): Promise<string> {
  let chromium: Chromium;
  try {
    const noSandbox = options.noSandbox ?? isRoot();
    const { headless, args } = frame;
    chromium = await launchChromium({ ...options, headless, windowArgs: args, noSandbox, signal });
  } catch (error) {
    frame.close();
    return `it did not start (${messageOf(error)})`;
  }
  onStarted(chromium);
  const { browser, page, session } = chromium;
  let end: (reason: string) => void = () => {};
  const ended = new Promise<string>((resolve) => {
    end = resolve;
  });
  let tooLong = setTimeout(() => end('the page did not speak'), UP_WITHIN_MS);
  const watchdog = startWatchdog(
    () => session.send('Runtime.evaluate', { expression: '0' }),
    () => end('it hung'),
  );
  if (signal.aborted) end('closed');
  signal.addEventListener('abort', () => end('closed'), { once: true });
  browser.on('disconnected', () => end('it crashed'));
  page.on('error', () => end('the page crashed'));
  page.on('close', () => end(CLOSED));
  frame.onFailed(end);
  let relay: Relay | undefined;
  try {
    relay = await startRelay({
      session,
      socketPath: options.socketPath,
      token: options.token,
      onSent: watchdog.expect,
      onWindowMessage: frame.receive,
      onUp: () => {
        clearTimeout(tooLong);
        frame.attach((message) => relay?.tell(message));
        onUp();
      },
      onGone: () => {
        clearTimeout(tooLong);
        tooLong = setTimeout(() => end('the page has gone'), BACK_WITHIN_MS);
      },
      onLost: () => end('the link broke'),
    });
    await session.send('Page.navigate', { url: PAGE_ORIGIN + PAGE_PATH + frame.hash });
    return await ended;
  } catch {
    return 'it went away while starting';
  } finally {
    clearTimeout(tooLong);
    watchdog.stop();
    relay?.stop();
    frame.close();
    await chromium.end();
  }
}
