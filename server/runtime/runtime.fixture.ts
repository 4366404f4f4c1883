/** A whole runtime over a store in memory, with a page that a test plays: for tests of what the two sides see of each other. */
import { vi } from 'vitest';
import { makeKey } from '../auth/keys.ts';
import { TEST_MANIFEST, testCharacter } from '../packs/testing.ts';
import { type Actor, HOST } from '../protocol/actor.ts';
import type { Cast, Member } from '../protocol/cast.ts';
import type { CharacterManifest } from '../protocol/character.ts';
import type { ClientId } from '../protocol/ids.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { HostMessage, PageMessage, Scene } from '../protocol/link.ts';
import type { Origin } from '../protocol/origin.ts';
import type { Scope } from '../protocol/words.ts';
import { createRuntime, type Runtime } from './runtime.ts';
import { createManualClock, type ManualClock, MemoryStore } from './testing.ts';

const SECRET = new Uint8Array(32).fill(7);

export interface TestRuntime {
  readonly runtime: Runtime;
  readonly clock: ManualClock;
  readonly store: MemoryStore;
  /** Everything the page was sent. */
  readonly sent: readonly HostMessage[];
  /** The log. */
  readonly lines: readonly string[];
  /** What the page has chosen, and what it could not draw. */
  readonly chosen: readonly string[];
  readonly broken: readonly string[];
  /** Terminals that were to be brought up; those in tmux can be. */
  readonly raised: readonly Origin[];
  /** The page tells that it is ready; resolves when it has its first scene. */
  ready(): Promise<void>;
  page(message: PageMessage): void;
  scenes(): readonly Scene[];
  lastScene(): Scene;
  call<Result = unknown>(actor: Actor, method: string, params?: unknown): Promise<Result>;
  /** Resolves when every event so far has been committed. */
  settled(): Promise<void>;
}

/** A paired client in `store`; returns the header it presents. */
export function addClient(store: MemoryStore, name: string, scopes: readonly Scope[]): string {
  const { key, verifier } = makeKey(SECRET);
  const clientId = name as ClientId;
  store.clientMap.set(clientId, { clientId, name, scopes, verifier, createdAt: 0, lastUsedAt: null });
  return `Bearer ${key}`;
}

/** The test character as the cast has it, with `changes` to its manifest. */
export const testMember = (changes: Partial<CharacterManifest> = {}, stamp = 'a'): Member => ({
  ...testCharacter,
  manifest: { ...TEST_MANIFEST, ...changes },
  builtIn: false,
  stamp,
});

export const castOf = (members: readonly Member[], chosen: string | null = null): Cast => ({
  members,
  unavailable: [],
  chosen,
});

export function bootRuntime(store = new MemoryStore()): TestRuntime {
  store.current = { ...store.current, character: 'test.dot' };
  const sent: HostMessage[] = [];
  const lines: string[] = [];
  const chosen: string[] = [];
  const broken: string[] = [];
  const raised: Origin[] = [];
  const clock = createManualClock();
  const runtime = createRuntime({
    openStore: () => store.reopened(),
    secret: SECRET,
    clock,
    limits: LIMITS,
    armMs: 0,
    stateFolder: '/state',
    cast: castOf([testMember()], TEST_MANIFEST.id),
    characters: {
      choose: async (character) => {
        chosen.push(character);
      },
      reportBroken: (...what) => broken.push(what.join(' ')),
      refresh: async () => {},
    },
    systemLanguage: 'en',
    raise: async (origin) => {
      raised.push(origin);
      return origin.tmuxPane !== undefined;
    },
    overlayFacts: () => ({
      state: 'up',
      backend: 'headless',
      transparent: false,
      alwaysOnTop: false,
      clickThrough: false,
      positioned: false,
    }),
    onFatal: () => {},
    log: (line) => lines.push(line),
  });
  const peer = { send: (message: HostMessage) => sent.push(message) };
  runtime.overlay.connect(peer);
  const scenes = (): Scene[] => sent.flatMap((message) => (message.type === 'scene' ? [message.scene] : []));
  const page = (message: PageMessage): void => runtime.overlay.receive(peer, message);
  const call = <Result>(actor: Actor, method: string, params?: unknown): Promise<Result> =>
    runtime.door.call(actor, method, params, new AbortController().signal) as Promise<Result>;
  return {
    runtime,
    clock,
    store,
    sent,
    lines,
    chosen,
    broken,
    raised,
    page,
    scenes,
    lastScene: () => scenes().at(-1)!,
    call,
    ready: async () => {
      page({ type: 'ready', systemReducedMotion: false });
      await vi.waitFor(() => {
        if (scenes().length === 0) throw new Error('no scene yet');
      });
    },
    settled: async () => {
      await call(HOST, 'requests.cancel', { requestId: 'none' }).catch(() => {});
      await new Promise(setImmediate);
      await new Promise(setImmediate);
    },
  };
}
