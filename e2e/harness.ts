/** `companion/testing`: a whole companion of its own in temporary folders, headless by default, with its page in the tester's hands (R13). */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import type { ConfigFile } from '../server/config.ts';
import type { Host } from '../server/host.ts';

export interface LaunchOptions {
  /** Without a window (default true). */
  readonly headless?: boolean;
  /** Over the tester's own environment; the XDG folders and HOME are always the companion's own. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** As in `config.json`; `armMs` is 0 unless said otherwise. */
  readonly config?: ConfigFile;
  /** Folders of an earlier launch that was stopped with `keep`: the same state again. */
  readonly home?: string;
}

export interface LaunchedCompanion {
  /** The overlay page; the same object until the overlay restarts. */
  readonly page: Page;
  readonly socketPath: string;
  /** HOME and the four XDG folders; hand it to programs that are to find this companion. */
  readonly env: Readonly<Record<string, string>>;
  /** Base of all folders. */
  readonly home: string;
  readonly host: Host;
  /** Ends everything; removes the folders unless `keep`. */
  stop(options?: { readonly keep?: boolean }): Promise<void>;
}

const POLL_MS = 10;
const START_LIMIT_MS = 60_000;

/** Looks again until `find` gives something, at most `limitMs`. Throws when it never does. */
export async function until<T>(
  what: string,
  find: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  limitMs = START_LIMIT_MS,
): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    const found = await find();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** The host as it is shipped: beside this file in the package, in `dist/` when run from the sources. */
const hostUrl = new URL(import.meta.url.endsWith('.ts') ? '../dist/host.js' : './host.js', import.meta.url);

/** HOME and the XDG folders under `home`, made with the modes a login gives them. */
export function isolatedEnv(home: string): Record<string, string> {
  const env = {
    HOME: home,
    XDG_RUNTIME_DIR: join(home, 'run'),
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
  };
  for (const folder of Object.values(env)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(env.XDG_RUNTIME_DIR, 0o700);
  return env;
}

/** Starts a companion and resolves once its page is up. Works as root, and several at once. Ends itself on failure. */
export async function launchCompanion(options: LaunchOptions = {}): Promise<LaunchedCompanion> {
  const home = options.home ?? mkdtempSync(join(tmpdir(), 'companion-'));
  const env = isolatedEnv(home);
  const { startHost } = (await import(hostUrl.href)) as typeof import('../server/host.ts');
  const { COMPANION_SOCKET: _socket, ...outer } = process.env;
  const host = await startHost({
    env: { ...outer, ...options.env, ...env },
    headless: options.headless ?? true,
    config: { armMs: 0, ...options.config },
  });
  const stop = async ({ keep = false } = {}): Promise<void> => {
    await host.stop();
    if (!keep) rmSync(home, { recursive: true, force: true });
  };
  try {
    const page = await until('the overlay is up', () => (host.isUp() ? host.page() : null));
    // Hidden by an earlier run, the figure is not drawn; the way to bring it back is.
    await page.waitForSelector('[data-character][data-clip], [data-action="show"]', { timeout: START_LIMIT_MS });
    return { page, socketPath: host.socketPath, env, home, host, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
