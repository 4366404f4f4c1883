/** The user's side of the runtime: scenes go to the page, and what the user does there comes back as events (design §2, §4). */
import { performance } from 'node:perf_hooks';
import { assertNever, ProtocolError } from '../protocol/errors.ts';
import type { ClientId, PairingId, RequestId } from '../protocol/ids.ts';
import type { Limits } from '../protocol/limits.ts';
import { type HostMessage, type PageMessage, parseCharacterFolder, type SceneClip } from '../protocol/link.ts';
import type { Origin } from '../protocol/origin.ts';
import type { Sight } from '../protocol/window.ts';
import type { Json, JsonObject } from '../protocol/words.ts';
import { faultsWith } from '../registry/validate.ts';
import type { Clients } from './clients.ts';
import type { Engine } from './engine.ts';
import type { HookDesk } from './hooks/desk.ts';
import { accessRows, answerRow, characterRows } from './overlay-pages.ts';
import type { PairingDesk } from './pairing.ts';
import { folderOf, type SceneSources, sceneOf } from './scene.ts';

/** Newest first, on the Answers page. */
const MAX_ANSWER_ROWS = 200;
/** One frame at 60 Hz. */
const MIN_SCENE_GAP_MS = 16;

/** The page, as the link hands it over. */
export interface OverlayPeer {
  send(message: HostMessage): void;
}

export interface OverlayDoor {
  /** A page has connected; scenes go to it from its `ready` on. Replaces an earlier one. */
  connect(peer: OverlayPeer): void;
  disconnect(peer: OverlayPeer): void;
  receive(peer: OverlayPeer, message: PageMessage): void;
  /** Draws again what no commit tells of: a pairing card, other characters. */
  refresh(): void;
  /** null until the page has told. */
  systemReducedMotion(): boolean | null;
  /** The request whose clip the page has been told of; it goes on although its character may have gone. */
  onStage(): string | null;
}

/** What the user's page can do about the characters there are; the runtime hears of the result as of any other change. */
export interface CharacterChoice {
  /** Remembers the user's choice. Rejects when that fails. */
  choose(character: string): Promise<void>;
  /** The page could not draw `file` of these very files of a character. */
  reportBroken(id: string, stamp: string, file: string): void;
  /** Looks again, where changes are not noticed by themselves. */
  refresh(): Promise<void>;
}

export interface OverlayDoorDeps extends SceneSources {
  readonly engine: Engine;
  readonly clients: Clients;
  readonly pairings: PairingDesk;
  readonly limits: Limits;
  readonly stateFolder: string;
  readonly characters: CharacterChoice;
  readonly hooks: Pick<HookDesk, 'lines' | 'mood' | 'isAskedElsewhere' | 'press'>;
  /** Brings up the terminal at `origin`; false when it cannot be told or found. */
  readonly raise: (origin: Origin) => Promise<boolean>;
  readonly log: (line: string) => void;
}

export function createOverlayDoor(deps: OverlayDoorDeps): OverlayDoor {
  const { engine, clients, pairings, limits, log, catalogue, characters } = deps;
  let peer: OverlayPeer | null = null;
  let isReady = false;
  let seq = 0;
  let reducedMotion: boolean | null = null;
  let lastScene = '';
  let clip: SceneClip | null = null;
  let drawnSight: Sight = 'clear';
  let lastSentAt = Number.NEGATIVE_INFINITY;
  let later: NodeJS.Timeout | null = null;

  /** Draws now, or, when the page has just been sent a scene, once it has had a frame's time: a flood makes one scene a frame. */
  const draw = (): void => {
    if (later !== null) return;
    const waitMs = lastSentAt + MIN_SCENE_GAP_MS - performance.now();
    if (waitMs <= 0) sendScene();
    else later = setTimeout(drawLater, waitMs);
  };

  const drawLater = (): void => {
    later = null;
    sendScene();
  };

  /** Sends the present scene, unless it is the one the page already has. */
  const sendScene = (): void => {
    if (peer === null || !isReady) return;
    const scene = sceneOf(deps, engine.state(), 0, clip);
    clip = scene.clip;
    const text = JSON.stringify(scene);
    if (text === lastScene) return;
    lastScene = text;
    drawnSight = scene.sight;
    seq += 1;
    lastSentAt = performance.now();
    peer.send({ type: 'scene', scene: { ...scene, seq } });
  };

  const sendAccess = (): void => {
    peer?.send({
      type: 'access',
      clients: accessRows(clients.all(), engine.state()),
      resultMs: limits.resultRetentionMs,
      tombstoneMs: limits.tombstoneRetentionMs,
      kept: engine.state().kept,
      folder: deps.stateFolder,
    });
  };

  const sendAnswers = (): void => {
    const rows = engine
      .store()
      .recent(MAX_ANSWER_ROWS)
      .flatMap((record) => answerRow(record, deps.nameOf) ?? []);
    peer?.send({ type: 'answers', rows });
  };

  /** Noted first, so that a notice kept back in between counts as missed and is listed; the list is shown even if that cannot be stored. */
  const openAnswers = async (): Promise<void> => {
    try {
      if (engine.state().missed > 0) await engine.submit({ type: 'looked' }, [{ kind: 'looked' }]);
    } finally {
      sendAnswers();
    }
  };

  const sendCharacters = (): void =>
    peer?.send({ type: 'characters', rows: characterRows(catalogue), unavailable: catalogue.cast().unavailable });

  const openPage = (page: Extract<PageMessage, { type: 'open' }>['page']): void | Promise<void> => {
    if (page === 'access') return sendAccess();
    return page === 'answers' ? openAnswers() : characters.refresh().then(sendCharacters);
  };

  const choose = async (character: string): Promise<void> => {
    const member = catalogue.find(character);
    try {
      if (member === undefined) throw new Error('gone');
      // While the choice is being stored the page can fetch.
      peer?.send({ type: 'coming', folder: folderOf(member) });
      await characters.choose(character);
    } catch {
      peer?.send({ type: 'notChosen', character });
    }
  };

  /** What the page cannot draw is no character any more, and a request that waits for it need not wait longer. */
  const broken = async (folder: string, file: string): Promise<void> => {
    const found = parseCharacterFolder(folder);
    if (found === null) return;
    const { sprite } = engine.state();
    const waiting = sprite !== null && clip?.requestId === sprite && clip.folder === folder ? [sprite] : [];
    characters.reportBroken(found.id, found.stamp, file);
    if (waiting.length > 0) await engine.submit({ type: 'unplayable', requestIds: waiting });
  };

  const raise = async (key: string): Promise<void> => {
    const origin = deps.hooks.press(key);
    if (origin === null || !(await deps.raise(origin))) peer?.send({ type: 'notRaised', key });
  };

  /** What the capability says about an answer before it counts; null when it is fine. */
  const answerFault = (requestId: string, result: JsonObject): { readonly field: string | null } | null => {
    const entry = engine.state().entries.get(requestId as RequestId);
    if (entry === undefined) return null;
    const capability = catalogue.recall(entry.record.capability);
    const check = () => capability.checkResult(entry.record.params ?? {}, result as Json);
    const [fault] = faultsWith(capability.output, result, check);
    return fault === undefined ? null : { field: fault.path };
  };

  const answer = async (requestId: string, result: JsonObject): Promise<void> => {
    const fault = answerFault(requestId, result);
    if (fault !== null) return peer?.send({ type: 'refused', requestId, field: fault.field });
    await storing(requestId, engine.submit({ type: 'answer', requestId: requestId as RequestId, result }));
  };

  const act = async (message: PageMessage): Promise<void> => {
    switch (message.type) {
      case 'ready':
        isReady = true;
        lastScene = '';
        reducedMotion = message.systemReducedMotion;
        await engine.submit({ type: 'overlay', state: 'up' });
        return draw();
      case 'systemReducedMotion':
        reducedMotion = message.on;
        return;
      case 'painted':
        await engine.submit({ type: 'painted', requestIds: message.requestIds as readonly RequestId[] });
        return;
      case 'answer':
        return answer(message.requestId, message.result);
      case 'decline':
      case 'dismiss':
        await storing(
          message.requestId,
          engine.submit({ type: message.type, requestId: message.requestId as RequestId }),
        );
        return;
      case 'control':
        await storing(
          message.requestId,
          engine.submit({ type: 'control', requestId: message.requestId as RequestId, action: message.action }),
        );
        return;
      case 'clipEnded':
        await engine.submit({ type: 'clipEnded', requestId: message.requestId as RequestId });
        return;
      case 'hold':
        await engine.submit({ type: 'hold', requestId: message.requestId as RequestId | null });
        return;
      case 'leaf':
        await engine.submit({ type: 'leaf' });
        return;
      case 'approve':
        pairings.approve(message.pairingId as PairingId, { name: message.name, scopes: message.scopes });
        return;
      case 'deny':
        pairings.deny(message.pairingId as PairingId);
        return;
      case 'settings':
        await engine.submit({ type: 'settings', patch: message.patch });
        if (message.patch.access === false) pairings.clear();
        return;
      case 'open':
        return openPage(message.page);
      case 'choose':
        return choose(message.character);
      case 'rename':
        await clients.rename(message.clientId as ClientId, message.name);
        lastScene = '';
        draw();
        return sendAccess();
      case 'revoke':
        await clients.revoke(message.clientId as ClientId);
        return sendAccess();
      case 'erase':
        await engine.write([{ kind: 'erase', clientId: message.clientId as ClientId | null }]);
        sendAccess();
        return sendAnswers();
      case 'session':
        return raise(message.key);
      case 'trouble':
        return log(`overlay page: ${message.where}`);
      case 'broken':
        return broken(message.folder, message.file);
      case 'pong':
        return;
      default:
        return assertNever(message);
    }
  };

  /** A change the user made that could not be stored is told on its card. */
  const storing = async (requestId: string, stored: Promise<unknown>): Promise<void> => {
    try {
      await stored;
    } catch {
      peer?.send({ type: 'notStored', requestId });
    }
  };

  // A card that goes out of sight and comes back within a frame must leave the page in between, or nobody reports its painting again.
  engine.onCommit(({ state }) => (state.sight === drawnSight ? draw() : sendScene()));

  return {
    connect: (next) => {
      lastSentAt = Number.NEGATIVE_INFINITY;
      peer = next;
      isReady = false;
      lastScene = '';
    },
    disconnect: (gone) => {
      if (peer !== gone) return;
      peer = null;
      isReady = false;
      engine.submit({ type: 'overlay', state: 'starting' }).catch(() => {
        // Closing, or recovering the store: both begin with an overlay that is not up.
      });
    },
    receive: (from, message) => {
      if (from !== peer) return;
      act(message).catch((error: unknown) => {
        const name = error instanceof ProtocolError ? error.code : error instanceof Error ? error.name : 'error';
        log(`overlay input ${message.type} failed: ${name}`);
      });
    },
    refresh: draw,
    systemReducedMotion: () => reducedMotion,
    onStage: () => clip?.requestId ?? null,
  };
}
