/** Composition root: builds every room, opens in order (folders, socket, store, page), closes in the reverse one. */
import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { loadCharacters } from './characters/load.ts';
import { catalogDigest } from './characters/resolve.ts';
import { type ConfigFile, readConfig } from './config.ts';
import { createLog } from './log.ts';
import { registerOverlayLink } from './overlay-link/route.ts';
import type { OverlayFacts } from './protocol/overlay.ts';
import { resolvePaths } from './protocol/paths.ts';
import type { Store } from './protocol/store.ts';
import { IMPLEMENTATION } from './protocol/version.ts';
import { CAPABILITIES } from './registry/catalog.ts';
import { serveRpc } from './rpc/serve.ts';
import { AlreadyRunning, prepareSocket } from './rpc/socket.ts';
import { createClock } from './runtime/clock.ts';
import { isListed } from './runtime/overlay-pages.ts';
import { createRuntime, warmSchemas } from './runtime/runtime.ts';
import { openStore, StoreHeld } from './store/open.ts';
import { openSecret } from './store/secret.ts';
import { findChromium } from './window/find-chromium.ts';
import { openWindow, type Window } from './window/open-window.ts';

export interface HostOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** null: headless when there is no display. */
  readonly headless: boolean | null;
  /** Over what `config.json` says. */
  readonly config?: ConfigFile;
  /** Hears every log line too. */
  readonly echo?: (line: string) => void;
  /** The store is lost for good; the caller ends the process. */
  readonly onFatal?: () => void;
}

export interface Host {
  readonly socketPath: string;
  /** There is a Chromium to show anything with. */
  readonly hasBrowser: boolean;
  /** The overlay's puppeteer page; null while it is starting or down. */
  page(): Page | null;
  /** Reports whether the page is ready for requests. */
  isUp(): boolean;
  overlay(): OverlayFacts;
  stop(): Promise<void>;
}

/** The built page and its characters: beside the bundle, or in `dist/` when run from the sources. */
const OVERLAY_FOLDER = join(import.meta.dirname, 'overlay');

/** Makes a folder of the user's own, 0700. Throws when it is a link, somebody else's, or cannot be narrowed. */
function ownFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const stat = lstatSync(path);
  if (!stat.isDirectory()) throw new Error(`${path} is not a folder`);
  if (process.getuid !== undefined && stat.uid !== process.getuid()) throw new Error(`${path} belongs to another user`);
  if ((stat.mode & 0o077) !== 0) chmodSync(path, 0o700);
}

/** Starts the host; resolves once the socket listens and the page is being opened. */
export async function startHost({
  env,
  headless,
  config: override,
  echo = () => {},
  onFatal = () => {},
}: HostOptions): Promise<Host> {
  const paths = resolvePaths(env);
  const config = readConfig(paths.configFolder, override);
  ownFolder(paths.stateFolder);
  const log = createLog(join(paths.stateFolder, 'companion.log'), echo);
  const claim = await prepareSocket(paths.socketPath, log);
  const secret = openSecret(paths.stateFolder);
  const clock = createClock();
  const { characters, unavailable } = loadCharacters(join(OVERLAY_FOLDER, 'characters'));
  for (const { id, reason } of unavailable) log(`character ${id} cannot be used: ${reason}`);
  const open = (): Store => {
    try {
      return openStore({ folder: paths.stateFolder, secret, limits: config.limits, now: clock.now, log, isListed })
        .store;
    } catch (error) {
      // Of several that start at once, the one that holds the database is the companion.
      throw error instanceof StoreHeld ? new AlreadyRunning() : error;
    }
  };
  let window: Window | null = null;
  const facts = (): OverlayFacts =>
    window?.facts() ?? {
      state: 'starting',
      backend: 'headless',
      transparent: false,
      alwaysOnTop: false,
      clickThrough: false,
      positioned: false,
    };
  const runtime = createRuntime({
    openStore: open,
    secret,
    clock,
    limits: config.limits,
    armMs: config.limits.armMs,
    stateFolder: paths.stateFolder,
    characters,
    unavailableCharacters: unavailable,
    builtInFolder: join(OVERLAY_FOLDER, 'characters'),
    catalogDigest: `${catalogDigest(characters)} ${CAPABILITIES.map(({ id, version }) => `${id}@${version}`).join(' ')}`,
    overlayFacts: facts,
    onBounds: (width, height) => {
      // Headless there is nothing to fit, and a tester's view must not change its size under the pointer.
      if (facts().backend === 'headless') return;
      window?.setBounds(width, height).catch(() => log('the window could not take its size'));
    },
    onResetPosition: () => {},
    onFatal: (error) => {
      log(`the store cannot be opened again: ${error instanceof Error ? error.message : 'error'}`);
      onFatal();
    },
    log,
  });
  const token = randomBytes(32).toString('base64url');
  const rpc = await serveRpc({
    claim,
    door: runtime.door,
    limits: config.limits,
    log,
    register: (app) =>
      registerOverlayLink(app, {
        token,
        overlayFolder: OVERLAY_FOLDER,
        onConnect: (peer) => {
          runtime.overlay.connect(peer);
          peer.onMessage((message) => runtime.overlay.receive(peer, message));
          peer.onClose(() => runtime.overlay.disconnect(peer));
        },
      }),
  }).catch((error: unknown) => {
    runtime.close();
    throw error;
  });
  log(`${IMPLEMENTATION.name} ${IMPLEMENTATION.version} listens`);
  warmSchemas();
  const chromiumPath = findChromium(config.chromium, env);
  if (chromiumPath === null) {
    const named = config.chromium ?? env.COMPANION_CHROMIUM;
    log(
      named
        ? `${named} cannot be run: nothing can be shown, and requests are refused`
        : 'no Chromium found (Debian: apt-get install chromium): nothing can be shown, and requests are refused',
    );
    runtime.setOverlayState('failed');
  } else {
    window = openWindow({
      chromiumPath,
      headless: headless ?? config.headless ?? !env.DISPLAY,
      userDataDir: join(paths.stateFolder, 'chromium'),
      inject: rpc.inject,
      socketPath: paths.socketPath,
      token,
      onState: (state) => {
        if (state === 'failed' || state === 'starting') runtime.setOverlayState(state);
      },
      log,
    });
  }
  return {
    socketPath: paths.socketPath,
    hasBrowser: chromiumPath !== null,
    page: () => window?.page() ?? null,
    isUp: () => runtime.isUp(),
    overlay: facts,
    stop: async () => {
      await window?.close();
      await rpc.close();
      runtime.close();
    },
  };
}
