/** Composition root: builds every room, opens in order (folders, socket, store, page), closes in the reverse one. */
import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { readConfig } from './config.ts';
import { type LivePacks, openLivePacks } from './live-packs.ts';
import { createLog } from './log.ts';
import { answerCharacters, isCharacterPath } from './overlay-link/character-files.ts';
import { registerOverlayLink } from './overlay-link/route.ts';
import { openPackSource } from './pack-source.ts';
import { loadCharacters } from './packs/load.ts';
import { NOTHING_SEEN, type OverlayFacts } from './protocol/overlay.ts';
import { resolvePaths } from './protocol/paths.ts';
import { IMPLEMENTATION } from './protocol/version.ts';
import type { Language } from './protocol/words.ts';
import { vendorHook } from './registry/methods/vendor.internal.companion.hook.ts';
import { type RpcServer, serveRpc } from './rpc/serve.ts';
import { AlreadyRunning, prepareSocket, type SocketClaim } from './rpc/socket.ts';
import { createClock } from './runtime/clock.ts';
import { isListed } from './runtime/overlay-pages.ts';
import { createRuntime, type Runtime, warmSchemas } from './runtime/runtime.ts';
import { type Base, type HostOptions, showPage } from './show-page.ts';
import { holdState, StateHeld } from './store/lock.ts';
import { openStore } from './store/open.ts';
import { openSecret } from './store/secret.ts';
import { selectPane } from './window/desk/raise-terminal.ts';
import type { Inject } from './window/launch.ts';
import type { Window } from './window/open-window.ts';
import { createReporter } from './window/report.ts';

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

const NO_WINDOW: OverlayFacts = { state: 'starting', backend: 'headless', ...NOTHING_SEEN };

/** Makes a folder of the user's own, 0700. Throws when it is a link, somebody else's, or cannot be narrowed. */
function ownFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw new Error(`${path} cannot be made (${code})`);
  }
  const stat = lstatSync(path);
  if (!stat.isDirectory()) throw new Error(`${path} is not a folder`);
  if (process.getuid !== undefined && stat.uid !== process.getuid()) throw new Error(`${path} belongs to another user`);
  if ((stat.mode & 0o077) !== 0) chmodSync(path, 0o700);
}

/** The window, once there is one; the runtime is built before it and asks through this. */
interface Screen {
  window: Window | null;
  /** Leaves word of what was seen of the desktop. */
  readonly report: () => void;
}

/** As the page's browser finds it: Chinese for a Chinese locale, else English. */
const languageOf = ({ LC_ALL, LC_MESSAGES, LANG }: HostOptions['env']): Language =>
  /^zh\b|^zh_/i.test(LC_ALL || LC_MESSAGES || LANG || '') ? 'zh-CN' : 'en';

const factsOf = ({ window }: Screen): OverlayFacts => window?.facts() ?? NO_WINDOW;

const openPacks = ({ paths, log }: Base): LivePacks =>
  openLivePacks({
    builtIn: loadCharacters(join(OVERLAY_FOLDER, 'characters')),
    source: openPackSource(paths.dataFolder),
    log,
  });

function buildRuntime({ options, paths, config, log }: Base, packs: LivePacks, screen: Screen): Runtime {
  const secret = openSecret(paths.stateFolder);
  const clock = createClock();
  const { limits } = config;
  return createRuntime({
    openStore: () => openStore({ folder: paths.stateFolder, secret, limits, now: clock.now, log, isListed }).store,
    secret,
    clock,
    limits,
    armMs: limits.armMs,
    stateFolder: paths.stateFolder,
    cast: packs.cast(),
    characters: packs,
    systemLanguage: languageOf(options.env),
    raise: async (origin) => {
      const isSelected = await selectPane(origin, { ...options.env });
      const { windowId } = origin;
      const isRaised = windowId !== undefined && (await screen.window?.raise(windowId)) === true;
      return isSelected || isRaised;
    },
    overlayFacts: () => factsOf(screen),
    onFatal: (error) => {
      log(`the store cannot be opened again: ${error instanceof Error ? error.message : 'error'}`);
      options.onFatal?.();
    },
    log,
  });
}

const listen = ({ config, log }: Base, claim: SocketClaim, runtime: Runtime, token: string): Promise<RpcServer> =>
  serveRpc({
    claim,
    door: runtime.door,
    hookMethod: vendorHook.name,
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
  });

/** Takes the state folder for this process. Throws AlreadyRunning: of several that start at once, one is the companion. */
function holdOrLeave(folder: string): () => void {
  try {
    return holdState(folder);
  } catch (error) {
    throw error instanceof StateHeld ? new AlreadyRunning() : error;
  }
}

async function open(base: Base, claim: SocketClaim, release: () => void): Promise<Host> {
  const write = createReporter(base.paths.stateFolder);
  const screen: Screen = {
    window: null,
    report: () => {
      if (screen.window !== null) void write({ pid: process.pid, at: Date.now(), ...screen.window.report() });
    },
  };
  const packs = openPacks(base);
  const token = randomBytes(32).toString('base64url');
  let runtime: Runtime | null = null;
  try {
    runtime = buildRuntime(base, packs, screen);
    packs.onChange(runtime.setCast);
    const rpc = await listen(base, claim, runtime, token);
    return openScreen(base, { runtime, rpc, packs, token, screen, release });
  } catch (error) {
    runtime?.close();
    packs.close();
    throw error;
  }
}

interface Rooms {
  readonly runtime: Runtime;
  readonly rpc: RpcServer;
  readonly packs: LivePacks;
  readonly token: string;
  readonly screen: Screen;
  readonly release: () => void;
}

/** The page, last of all; from here on the host stands. */
function openScreen(base: Base, { runtime, rpc, packs, token, screen, release }: Rooms): Host {
  base.log(`${IMPLEMENTATION.name} ${IMPLEMENTATION.version} listens`);
  warmSchemas();
  const answerCharacter = answerCharacters(packs.find);
  const inject: Inject = (path) => (isCharacterPath(path) ? answerCharacter : rpc.inject)(path);
  screen.window = showPage({ base, runtime, inject, token, report: screen.report });
  return {
    socketPath: base.paths.socketPath,
    hasBrowser: screen.window !== null,
    page: () => screen.window?.page() ?? null,
    isUp: () => runtime.isUp(),
    overlay: () => factsOf(screen),
    stop: async () => {
      await screen.window?.close();
      await rpc.close();
      packs.close();
      runtime.close();
      release();
    },
  };
}

/** Starts the host; resolves once the socket listens and the page is being opened. Errors: AlreadyRunning, SocketRefused, ConfigError, and what the store says. */
export async function startHost(options: HostOptions): Promise<Host> {
  const paths = resolvePaths(options.env);
  const config = readConfig(paths.configFolder, options.config);
  ownFolder(paths.stateFolder);
  const log = createLog(join(paths.stateFolder, 'companion.log'), options.echo ?? (() => {}));
  const claim = await prepareSocket(paths.socketPath, log);
  const release = holdOrLeave(paths.stateFolder);
  try {
    return await open({ options, paths, config, log }, claim, release);
  } catch (error) {
    release();
    throw error;
  }
}
