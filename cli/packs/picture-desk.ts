/** Has pictures decoded and put together by a browser that lives as long as one import, and cleans up after it. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'puppeteer-core';
import type { Atlas, MakeAtlas } from '../../server/packs/import/build.ts';
import type { Look } from '../../server/packs/import/draft.ts';
import type { Picture } from '../../server/packs/import/picture.ts';
import { PackError } from '../../server/packs/types.ts';
import { type AtlasFacts, PICTURE_DESK, type PictureFacts } from '../../server/protocol/atlas.ts';
import { PAGE_ORIGIN, PAGE_PATH } from '../../server/protocol/link.ts';
import type { Io } from '../io.ts';

const MAX_FRAMES = 2_048;
/** Of the PNG, fetched at a time. */
const SLICE_BYTES = 4 * 1_024 * 1_024;
/** For all pictures of a source together; a picture that never ends decoding would otherwise be waited for for ever. */
const TIME_LIMIT_MS = 60_000;
const BASE = `${PAGE_ORIGIN}${PAGE_PATH}`;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** What the host starts its own browser with. */
interface SetupModule {
  readConfig(folder: string): { readonly chromium: string | null };
  findChromium(configured: string | null, env: Io['env']): string | null;
  launchChromium(options: {
    readonly chromiumPath: string;
    readonly headless: boolean;
    readonly env: Io['env'];
    readonly userDataDir: string;
    inject(path: string): Promise<Answer>;
    readonly noSandbox: boolean;
    readonly windowArgs: readonly string[];
    readonly signal: AbortSignal;
  }): Promise<{ readonly page: Page; end(): Promise<void> }>;
}

// A name the bundler cannot follow: it lies beside this file, and is the host's own code.
const SETUP: string = './setup.js';

export interface PictureDesk {
  readonly look: Look;
  readonly makeAtlas: MakeAtlas;
  /** Ends the browser, if there is one, and removes its folder. */
  close(): Promise<void>;
}

const answer = (status: number, type: string, body: Uint8Array): Answer => ({
  status,
  headers: { 'content-type': type, 'cache-control': 'no-store' },
  body,
});

/** Answers what the page asks for: itself, its code, and the pictures that are on the desk now; nothing else exists. */
function makeAnswers(code: Uint8Array, pictures: ReadonlyMap<string, Picture>) {
  return async (path: string): Promise<Answer> => {
    const name = path.slice(PAGE_PATH.length);
    if (name === '') return answer(200, 'text/html', Buffer.from('<!doctype html><script src="desk.js"></script>'));
    if (name === 'desk.js') return answer(200, 'text/javascript', code);
    const picture = pictures.get(name);
    return picture === undefined
      ? answer(404, 'text/plain', new Uint8Array())
      : answer(200, picture.type, picture.bytes);
  };
}

/** What the page says when it gives up, without what Chromium adds to it; `sources` by their number there. */
function failureOf(error: unknown, sources: readonly Picture[]): PackError {
  const message = error instanceof Error ? error.message : '';
  const number = /picture (\d+) does not decode/.exec(message)?.[1];
  const file = sources[Number(number ?? 0)]?.file ?? 'the new sheet';
  const frames = /it has \d+ frames, at most \d+ are allowed/.exec(message)?.[0];
  return new PackError('E_INVALID_INPUT', frames === undefined ? `${file} cannot be decoded` : `${file}: ${frames}`);
}

async function startBrowser(
  io: Io,
  configFolder: string,
  answers: ReturnType<typeof makeAnswers>,
  signal: AbortSignal,
) {
  const { readConfig, findChromium, launchChromium } = (await import(SETUP)) as SetupModule;
  const chromiumPath = findChromium(readConfig(configFolder).chromium, io.env);
  if (chromiumPath === null)
    throw new PackError(
      'E_INTERNAL',
      'there is no Chromium on this machine to decode the pictures with',
      'companion doctor says how to get one',
    );
  const folder = await mkdtemp(join(tmpdir(), 'companion-import-'));
  try {
    const chromium = await launchChromium({
      chromiumPath,
      headless: true,
      env: io.env,
      userDataDir: join(folder, 'profile'),
      inject: answers,
      // As the overlay's own: given up only where Chromium cannot do it.
      noSandbox: process.getuid?.() === 0,
      windowArgs: [],
      signal,
    });
    const end = async (): Promise<void> => {
      await chromium.end();
      await rm(folder, { recursive: true, force: true });
    };
    return { page: chromium.page, end };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (signal.aborted) throw error;
    throw new PackError(
      'E_INTERNAL',
      'the browser that decodes pictures did not start',
      'companion doctor may know why',
    );
  }
}

/** Rejects with the signal's reason as soon as it aborts, whatever `work` does. */
function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** The browser is started by the first picture. `signal` ends everything. */
export function openPictureDesk(io: Io, configFolder: string, signal: AbortSignal): PictureDesk {
  const pictures = new Map<string, Picture>();
  const timeLimit = AbortSignal.timeout(TIME_LIMIT_MS);
  const either = AbortSignal.any([signal, timeLimit]);
  let browser: ReturnType<typeof startBrowser> | null = null;

  async function start() {
    const code = await readFile(join(dirname(io.program()[1]), 'picture-desk.js'));
    const started = await startBrowser(io, configFolder, makeAnswers(code, pictures), either);
    await started.page.goto(BASE);
    return started;
  }

  /** Calls the page with JSON alone; what does not come back in time is refused. */
  async function call<Value>(expression: string): Promise<Value> {
    browser ??= start();
    try {
      const { page } = await unlessAborted(browser, either);
      return (await unlessAborted(page.evaluate(expression), either)) as Value;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof PackError) throw error;
      if (timeLimit.aborted)
        throw new PackError('E_INVALID_INPUT', `the pictures could not be decoded within ${TIME_LIMIT_MS / 1_000} s`);
      throw failureOf(error, [...pictures.values()]);
    }
  }

  const expression = (method: string, ...args: readonly unknown[]): string =>
    `${PICTURE_DESK}.${method}(${args.map((arg) => JSON.stringify(arg)).join(',')})`;

  async function fetchPng(size: number): Promise<Uint8Array> {
    const slices: Buffer[] = [];
    for (let at = 0; at < size; at += SLICE_BYTES) {
      const text = await call<string>(expression('slice', at, Math.min(size, at + SLICE_BYTES)));
      slices.push(Buffer.from(text, 'base64'));
    }
    return Buffer.concat(slices);
  }

  return {
    look: async (picture) => {
      pictures.clear();
      pictures.set('p0', picture);
      return call<PictureFacts>(expression('probe', `${BASE}p0`, picture.type, MAX_FRAMES));
    },
    makeAtlas: async (plan, sources): Promise<Atlas> => {
      pictures.clear();
      for (const [index, picture] of sources.entries()) pictures.set(`p${index}`, picture);
      const addresses = sources.map(({ type }, index) => ({ url: `${BASE}p${index}`, type }));
      const { w, h, size, boxes } = await call<AtlasFacts>(expression('build', plan, addresses));
      return { png: await fetchPng(size), w, h, boxes };
    },
    close: async () => {
      const started = await browser?.catch(() => null);
      await started?.end();
    },
  };
}
