/** Builds the runtime: the engine over a store, the one call, and the overlay's door; whoever calls comes in by one of the two. */
import { createKeyring } from '../auth/keyring.ts';
import { createPairings } from '../auth/pairings.ts';
import type { Cast } from '../protocol/cast.ts';
import type { Door } from '../protocol/door.ts';
import { newRuntimeInstanceId } from '../protocol/ids.ts';
import type { Limits } from '../protocol/limits.ts';
import type { Origin } from '../protocol/origin.ts';
import type { OverlayFacts } from '../protocol/overlay.ts';
import type { Settings } from '../protocol/settings.ts';
import type { Store } from '../protocol/store.ts';
import type { Sight } from '../protocol/window.ts';
import type { Language } from '../protocol/words.ts';
import { CAPABILITIES, findMethod, METHODS } from '../registry/catalog.ts';
import type { Method } from '../registry/define.ts';
import { vendorControl } from '../registry/methods/vendor.internal.companion.control.ts';
import { vendorHook } from '../registry/methods/vendor.internal.companion.hook.ts';
import { warm } from '../registry/validate.ts';
import type { OverlayState } from '../scheduler/state.ts';
import { createCall, type Handlers } from './call.ts';
import { createCatalogue } from './catalogue.ts';
import { createClients } from './clients.ts';
import type { HostClock } from './clock.ts';
import { createControl } from './control.ts';
import { createRequest } from './create.ts';
import { createDescribe } from './describe.ts';
import { createDiscovery } from './discovery.ts';
import { createEngine } from './engine.ts';
import { createFollower } from './follower.ts';
import { createApplause } from './hooks/applause.ts';
import { createHookDesk } from './hooks/desk.ts';
import { type CharacterChoice, createOverlayDoor, type OverlayDoor } from './overlay-door.ts';
import { createPairingDesk } from './pairing.ts';
import { createRequestVerbs } from './requests.ts';
import { startSweeper } from './sweeper.ts';
import { createWaits } from './waits.ts';

export interface RuntimeOptions {
  /** Opens the store with start-up recovery done; called once now, and again after a failed sync (R16). */
  readonly openStore: () => Store;
  readonly secret: Uint8Array;
  readonly clock: HostClock;
  readonly limits: Limits;
  readonly armMs: number;
  readonly stateFolder: string;
  /** The characters there are at first. */
  readonly cast: Cast;
  readonly characters: CharacterChoice;
  /** Of the desktop, for what the host itself words. */
  readonly systemLanguage: Language;
  /** Brings up the terminal at `origin`; false when it cannot be told or found. Never rejects. */
  readonly raise: (origin: Origin) => Promise<boolean>;
  readonly overlayFacts: () => OverlayFacts;
  readonly onFatal: (error: unknown) => void;
  readonly log: (line: string) => void;
}

export interface Runtime {
  readonly door: Door;
  readonly overlay: OverlayDoor;
  /** The window tells that the overlay is gone or given up; that it is up again the page says itself. */
  setOverlayState(state: Exclude<OverlayState, 'up'>): void;
  /** The window tells what can be seen from now on; `clear` until it has. Nothing ends by it (R6). */
  setSight(sight: Sight): void;
  /** Other characters are there now, or another one has been chosen: calls are checked against these from here on (spec §7). */
  setCast(cast: Cast): void;
  /** The user's own hand, by a hotkey: hides what is shown, shows what is hidden. */
  toggleHidden(): void;
  /** As committed. */
  settings(): Settings;
  /** Calls `listen` after each commit that has changed the settings. */
  onSettings(listen: (settings: Settings) => void): void;
  /** Reports whether the page is ready for requests. */
  isUp(): boolean;
  close(): void;
}

export function createRuntime(options: RuntimeOptions): Runtime {
  const { clock, limits, log, secret } = options;
  let instance = { id: newRuntimeInstanceId(), startedAt: clock.now().wallMs };
  let store = options.openStore();
  const catalogue = createCatalogue(options.cast, limits.maxUnfinishedPerClient);
  let revision = store.catalogRevision(catalogue.digest());
  const engine = createEngine({
    store,
    clock,
    limits,
    log,
    onFatal: options.onFatal,
    reopen: () => {
      store.close();
      store = options.openStore();
      instance = { id: newRuntimeInstanceId(), startedAt: clock.now().wallMs };
      revision = store.catalogRevision(catalogue.digest());
      return store;
    },
  });
  const waits = createWaits(engine);
  const clients = createClients(engine, createKeyring(store.clients(), secret), clock);
  const pairings = createPairings(limits, () => clients.all().map(({ name }) => name));
  const desk = createPairingDesk({ engine, clients, pairings, clock, secret, onChange: () => overlay.refresh() });
  const creating = { engine, catalogue, clock, instanceId: () => instance.id };
  const hooks = createHookDesk({
    ...creating,
    waits,
    systemLanguage: options.systemLanguage,
    onChange: () => overlay.refresh(),
    onEnded: createApplause(creating),
  });
  const overlay = createOverlayDoor({
    engine,
    hooks,
    raise: options.raise,
    clients,
    pairings: desk,
    limits,
    log,
    catalogue,
    catalogRevision: () => revision,
    characters: options.characters,
    nameOf: clients.nameOf,
    pairing: desk.card,
    armMs: options.armMs,
    resultRetentionMs: limits.resultRetentionMs,
    stateFolder: options.stateFolder,
  });
  const handlers: Handlers = {
    ...createDiscovery({
      catalogue,
      catalogRevision: () => revision,
      refresh: options.characters.refresh,
    }),
    ...createRequestVerbs({ engine, waits, catalogue }),
    ...desk.verbs,
    'runtime.describe': createDescribe({
      engine,
      limits,
      instance: () => instance,
      overlay: options.overlayFacts,
      systemReducedMotion: overlay.systemReducedMotion,
    }),
    'requests.create': (params, actor) => createRequest(creating, params, actor),
    [vendorControl.name]: createControl(engine),
    [vendorHook.name]: hooks.verb,
    'auth.revokeSelf': async (_params, actor) => {
      await clients.revoke(actor.clientId);
      return { revoked: true };
    },
  };
  let isOwed = false;
  const raise = (): void => {
    try {
      revision = engine.store().catalogRevision(catalogue.digest());
      isOwed = false;
    } catch {
      if (!isOwed) log('catalogue: its revision could not be stored yet');
      isOwed = true;
    }
  };
  engine.onCommit(() => isOwed && raise());
  const follow = createFollower({ engine, catalogue, onStage: overlay.onStage, log });
  follow();
  let sight: Sight = 'clear';
  const tellSight = (): void => {
    engine.submit({ type: 'sight', sight }).catch(() => log('sight: storage is away'));
  };
  // A batch that could not be stored takes the news with it; the next commit asks for it again.
  engine.onCommit(({ state }) => {
    if (state.sight !== sight) tellSight();
  });
  const stopSweeper = startSweeper(engine, clock, log);
  return {
    door: {
      authenticate: clients.authenticate,
      waits: (name) => findMethod(name)?.waits,
      call: createCall(handlers, log),
    },
    overlay,
    setOverlayState: (state) => {
      engine.submit({ type: 'overlay', state }).catch(() => log('overlay state: storage is away'));
    },
    setSight: (seen) => {
      sight = seen;
      tellSight();
    },
    setCast: (cast) => {
      catalogue.replace(cast);
      raise();
      follow();
      overlay.refresh();
    },
    toggleHidden: () => {
      const hidden = !engine.state().settings.hidden;
      engine.submit({ type: 'settings', patch: { hidden } }).catch(() => log('hide or show: storage is away'));
    },
    settings: () => engine.state().settings,
    onSettings: (listen) =>
      engine.onCommit(({ settingsChanged, state }) => {
        if (settingsChanged) listen(state.settings);
      }),
    isUp: () => engine.state().overlay === 'up',
    close: () => {
      stopSweeper();
      hooks.close();
      desk.close();
      engine.close();
      engine.store().close();
    },
  };
}

/** Compiles every schema ahead, one in each turn of the loop: neither the start nor any caller waits for all of them. */
export const warmSchemas = (): void => {
  const schemas = [
    ...(Object.values(METHODS) as unknown as Method[]).map(({ params }) => params),
    ...CAPABILITIES.flatMap(({ input, output, update }) => [input, output, update]),
  ].values();
  const next = (): void => {
    const { value } = schemas.next();
    if (value === undefined) return;
    warm(value);
    setImmediate(next);
  };
  next();
};
