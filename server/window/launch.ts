/** Starts one Chromium over a pipe, with a profile of its own, whose every request the host answers (design §2). */
import { mkdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Browser, CDPSession, Page, Protocol } from 'puppeteer-core';
import { PAGE_ORIGIN, PAGE_PATH } from '../protocol/link.ts';
import { endGroup } from './processes.ts';

/** Answers a request of the page by its path and query. */
export type Inject = (
  path: string,
) => Promise<{ status: number; headers: Readonly<Record<string, string>>; body: Uint8Array }>;

export interface LaunchOptions {
  readonly chromiumPath: string;
  readonly headless: boolean;
  /** Of the host: it says which display, and whose. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ours alone: emptied before each start and removed afterwards. */
  readonly userDataDir: string;
  readonly inject: Inject;
  readonly deviceScaleFactor?: number;
  /** Sandboxing is given up only where Chromium cannot do it: for root. */
  readonly noSandbox: boolean;
  /** How its window stands on the screen; nothing for a headless one. */
  readonly windowArgs: readonly string[];
  readonly extraArgs?: readonly string[];
  readonly signal: AbortSignal;
}

export interface Chromium {
  readonly browser: Browser;
  readonly page: Page;
  /** The host's own CDP session; puppeteer's users have others. */
  readonly session: CDPSession;
  /** Resolves when every process of it is gone and the profile is removed. */
  end(): Promise<void>;
}

/**
 * Set A of the measurements: a third less memory than puppeteer's flags, and a start that is a quarter shorter. And no process kept
 * from which to fork helpers that have no sandbox, as for sound: they are started afresh, which saves another 25 MB.
 */
const LEAN = [
  '--disable-gpu',
  '--in-process-gpu',
  '--renderer-process-limit=1',
  '--enable-features=NetworkServiceInProcess2',
  '--disable-extensions',
  '--no-unsandboxed-zygote',
];

/** Nothing asks, tells, stores or looks anything up that the page has not caused. */
const QUIET = [
  '--no-first-run',
  '--no-default-browser-check',
  '--no-pings',
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-client-side-phishing-detection',
  '--disable-component-update',
  '--disable-crash-reporter',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-features=Translate,MediaRouter,OptimizationHints,AcceptCHFrame,SystemNotifications,NativeNotifications',
  '--disable-hang-monitor',
  '--disable-notifications',
  '--disable-prompt-on-repost',
  '--disable-quic',
  '--disable-search-engine-choice-screen',
  '--disable-session-crashed-bubble',
  '--disable-sync',
  '--metrics-recording-only',
  '--password-store=basic',
  // No name is ever looked up, not even the page's own before its requests are answered here.
  '--host-resolver-rules=MAP * ~NOTFOUND',
];

/** High enough for a pairing card to stand whole beside cards that the pointer was left on. */
const HEADLESS_VIEWPORT = { width: 480, height: 1_280 };
const START_TIMEOUT_MS = 30_000;

/** Starts Chromium and resolves when requests are answered and `session` is ready; the page is not loaded yet. */
export async function launchChromium(options: LaunchOptions): Promise<Chromium> {
  await emptyFolder(options.userDataDir);
  await writePreferences(options.userDataDir);
  // 60 ms and 16 MB that need not be spent before programs can connect.
  const { launch } = await import('puppeteer-core');
  const browser = await launch({
    executablePath: options.chromiumPath,
    pipe: true,
    ignoreDefaultArgs: true,
    args: argumentsFor(options),
    defaultViewport: options.headless
      ? { ...HEADLESS_VIEWPORT, deviceScaleFactor: options.deviceScaleFactor ?? 1 }
      : null,
    handleSIGHUP: false,
    handleSIGINT: false,
    handleSIGTERM: false,
    timeout: START_TIMEOUT_MS,
    // Crash reports go where everything else of this run goes, not into the user's own Chromium folder.
    env: { ...options.env, BREAKPAD_DUMP_LOCATION: options.userDataDir },
    signal: options.signal,
  }).catch(async (error: unknown) => {
    await removeFolder(options.userDataDir);
    throw error;
  });
  const end = async (): Promise<void> => {
    const pid = browser.process()?.pid;
    if (pid !== undefined) await endGroup(pid);
    await removeFolder(options.userDataDir);
  };
  try {
    const page = await firstPage(browser);
    const session = await page.createCDPSession();
    await answerRequests(session, options.inject);
    return { browser, page, session, end };
  } catch (error) {
    await end();
    throw error;
  }
}

function argumentsFor({ headless, userDataDir, noSandbox, windowArgs, extraArgs = [] }: LaunchOptions): string[] {
  return [
    ...LEAN,
    ...QUIET,
    ...(headless
      ? ['--headless=new', '--hide-scrollbars', '--mute-audio']
      : ['--autoplay-policy=no-user-gesture-required']),
    ...windowArgs,
    ...(noSandbox ? ['--no-sandbox'] : []),
    `--user-data-dir=${userDataDir}`,
    ...extraArgs,
    // Empty until its requests are answered here: the page's own address would first show that it cannot be reached.
    '--app=data:text/html,',
  ];
}

/** Without a title bar of Chromium's own the page has the whole window. */
async function writePreferences(profile: string): Promise<void> {
  const folder = join(profile, 'Default');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'Preferences'), JSON.stringify({ browser: { custom_chrome_frame: false } }));
}

async function removeFolder(path: string): Promise<void> {
  await removeSingleton(path);
  // Processes that are just dying may still write into it.
  await rm(path, { recursive: true, force: true, maxRetries: 5 });
}

/**
 * A killed Chromium leaves a folder with its lock's socket in the temporary directory, to which a link in the profile leads.
 * It cannot be made to lie inside the profile, as then the socket's path is soon longer than the system allows.
 */
async function removeSingleton(profile: string): Promise<void> {
  const socket = await readlink(join(profile, 'SingletonSocket')).catch(() => null);
  if (socket === null) return;
  const folder = dirname(socket);
  const isIts = dirname(folder) === tmpdir() && /^(org\.chromium|com\.google)\.Chrom/.test(basename(folder));
  if (isIts) await rm(folder, { recursive: true, force: true });
}

async function emptyFolder(path: string): Promise<void> {
  await removeFolder(path);
  await mkdir(path, { recursive: true, mode: 0o700 });
}

async function firstPage(browser: Browser): Promise<Page> {
  const target = await browser.waitForTarget((candidate) => candidate.type() === 'page', { timeout: START_TIMEOUT_MS });
  const page = await target.page();
  if (page === null) throw new Error('Chromium has no page');
  return page;
}

async function answerRequests(session: CDPSession, inject: Inject): Promise<void> {
  session.on('Fetch.requestPaused', (event) => {
    // The page may be gone by the time its answer is there.
    answer(session, inject, event).catch(() => {});
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
}

async function answer(
  session: CDPSession,
  inject: Inject,
  { requestId, request }: Protocol.Fetch.RequestPausedEvent,
): Promise<void> {
  const { origin, pathname, search } = new URL(request.url);
  if (request.method !== 'GET' || origin !== PAGE_ORIGIN || !pathname.startsWith(PAGE_PATH)) {
    await session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    return;
  }
  const { status, headers, body } = await inject(pathname + search);
  await session.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: status,
    responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
    body: Buffer.from(body).toString('base64'),
  });
}
