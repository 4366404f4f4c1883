/** Opens the built overlay page in real Chromium without a host: its files are answered here, its messages are collected. */
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import puppeteer, { type Browser, type HTTPRequest, type Page } from 'puppeteer-core';
import {
  type HostMessage,
  LINK_BINDING,
  LINK_RECEIVE,
  PAGE_ORIGIN,
  PAGE_PATH,
  type PageMessage,
} from '../../server/protocol/link.ts';
import { PAGE_HASH, type PageToWindow, WINDOW_BINDING, type WindowToPage } from '../../server/protocol/window.ts';

/** What the page sends, to the host or to its window. */
export type Sent = PageMessage | PageToWindow;

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
};
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly language?: string;
  readonly dark?: boolean;
  readonly reducedMotion?: boolean;
  /** The soft ground of a plain window. */
  readonly windowed?: boolean;
  /** As in the see-through window, whose part the caller plays. */
  readonly shaped?: boolean;
  /** Device pixels per CSS px; 0: as the browser was launched. */
  readonly scale?: number;
}

export interface OverlayPage {
  readonly page: Page;
  /** Every message of the page, oldest first. */
  readonly sent: readonly Sent[];
  /** Hands the page one message of the host or the window, and waits until it has taken it. */
  tell(message: HostMessage | WindowToPage): Promise<void>;
  /** The first message of this type, from index `from` on, polled for at most 5 s. */
  waitFor<Type extends Sent['type']>(type: Type, from?: number): Promise<Extract<Sent, { type: Type }>>;
  /** Loads the page afresh with other options; far cheaper than another tab. */
  reopen(options?: PageOptions): Promise<void>;
  /** Files below the page besides those that are built, by their path in it: characters of a test's own. */
  readonly files: Map<string, Buffer>;
  close(): Promise<void>;
}

/** Starts one headless Chromium for many pages. `scale`: device pixels per CSS px of its screen; only so are fractions laid out as on a real one. */
export function launchBrowser(scale = 1): Promise<Browser> {
  const executablePath = CHROMIUM.find(existsSync);
  if (executablePath === undefined) throw new Error('No Chromium found: install the package chromium.');
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return puppeteer.launch({
    executablePath,
    headless: true,
    pipe: true,
    args: [...asRoot, '--force-color-profile=srgb', `--force-device-scale-factor=${scale}`],
  });
}

/** Opens the page from `dist/overlay` in a tab of its own. Every address outside it is refused. */
export async function openOverlayPage(browser: Browser, options: PageOptions = {}): Promise<OverlayPage> {
  const root = join(process.cwd(), 'dist/overlay');
  if (!existsSync(join(root, 'main.js'))) throw new Error('The page is not built: run `npm run build` first.');
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const sent: Sent[] = [];
  for (const binding of [LINK_BINDING, WINDOW_BINDING])
    await page.exposeFunction(binding, (text: string) => void sent.push(JSON.parse(text) as Sent));
  await page.setRequestInterception(true);
  const files = new Map<string, Buffer>();
  page.on('request', (request) => void answerFrom(root, files, request));
  const overlay: OverlayPage = {
    page,
    sent,
    files,
    reopen: (next = {}) => load(overlay, sent, next),
    tell: async (message) => {
      await page.evaluate(
        (name, value) => (globalThis as unknown as Record<string, (message: unknown) => void>)[name]!(value),
        LINK_RECEIVE,
        message as unknown,
      );
    },
    waitFor: async (type, from = 0) => {
      type Wanted = Extract<Sent, { type: typeof type }>;
      const find = () => sent.slice(from).find((message): message is Wanted => message.type === type);
      await until(() => find() !== undefined, `a message of type ${type}`);
      return find()!;
    },
    close: () => context.close(),
  };
  await load(overlay, sent, options);
  return overlay;
}

async function answerFrom(root: string, files: ReadonlyMap<string, Buffer>, request: HTTPRequest): Promise<void> {
  const { origin, pathname } = new URL(request.url());
  const name = pathname.slice(PAGE_PATH.length);
  const file = join(root, name || 'index.html');
  const isInside = origin === PAGE_ORIGIN && pathname.startsWith(PAGE_PATH);
  const body = !isInside ? undefined : (files.get(name) ?? (existsSync(file) ? readFileSync(file) : undefined));
  if (body === undefined) {
    await request.respond({ status: 404 });
    return;
  }
  await request.respond({
    body,
    contentType: TYPES[extname(file)] ?? 'application/octet-stream',
    headers: { 'Content-Security-Policy': POLICY },
  });
}

/** Loads the page afresh; nothing of what it was or sent before is left. */
async function load({ page, waitFor }: OverlayPage, sent: Sent[], options: PageOptions): Promise<void> {
  await page.goto('about:blank');
  sent.length = 0;
  await page.setViewport({
    width: options.width ?? 420,
    height: options.height ?? 640,
    deviceScaleFactor: options.scale ?? 1,
  });
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: options.dark ? 'dark' : 'light' },
    { name: 'prefers-reduced-motion', value: options.reducedMotion ? 'reduce' : 'no-preference' },
  ]);
  const language = JSON.stringify(options.language ?? 'en-GB');
  const { identifier } = await page.evaluateOnNewDocument(
    `Object.defineProperty(navigator, 'language', { get: () => ${language} })`,
  );
  await page.mouse.move(0, 0);
  const hash = options.shaped ? PAGE_HASH.shaped : options.windowed ? PAGE_HASH.plain : '';
  await page.goto(`${PAGE_ORIGIN}${PAGE_PATH}${hash}`);
  await page.removeScriptToEvaluateOnNewDocument(identifier);
  await waitFor('ready');
}

const POLL_MS = 10;
const BOUND_MS = 5_000;

/** Polls `holds` for at most 5 s. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + BOUND_MS;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`Waited ${BOUND_MS} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
