/** State → scene: what the page is told to draw. A pure function; the page keeps nothing the scene does not say (design §3). */

import { type MoodClips, moodClips } from '../characters/resolve.ts';
import type { Character } from '../protocol/character.ts';
import type { ClientId, RequestId } from '../protocol/ids.ts';
import type { Card, PairingCard, Scene, SceneClip } from '../protocol/link.ts';
import type { CardPresentation } from '../protocol/presentation.ts';
import type { JsonObject } from '../protocol/words.ts';
import { animationFail } from '../registry/capabilities/animation.fail.ts';
import { animationGreet } from '../registry/capabilities/animation.greet.ts';
import { animationWait } from '../registry/capabilities/animation.wait.ts';
import { animationWork } from '../registry/capabilities/animation.work.ts';
import { countWaiting } from '../scheduler/stage.ts';
import type { Entry, State } from '../scheduler/state.ts';
import type { Catalogue } from './catalogue.ts';

/** Where the page finds a character's files. */
const characterFolder = (id: string): string => `/overlay/characters/${id}/`;

const MOOD_CAPABILITIES = {
  work: animationWork.id,
  wait: animationWait.id,
  fail: animationFail.id,
  greet: animationGreet.id,
};
const NO_CLIPS: MoodClips = { idle: 'idle', work: 'idle', wait: 'idle', fail: 'idle', greet: null, drag: null };

export interface SceneSources {
  readonly catalogue: Catalogue;
  /** The label of a client from its pairing record. */
  readonly nameOf: (clientId: ClientId) => string;
  readonly pairing: () => { readonly card: PairingCard | null; readonly waiting: number };
  readonly armMs: number;
  readonly resultRetentionMs: number;
}

const presentationOf = ({ catalogue }: SceneSources, { record }: Entry) =>
  catalogue.get(record.capability).present((record.params ?? {}) as JsonObject);

function cardOf(sources: SceneSources, entry: Entry): Card {
  const { record } = entry;
  return {
    requestId: record.requestId,
    status: entry.kind === 'interaction' ? 'awaiting_user' : 'running',
    client: sources.nameOf(record.clientId),
    style: record.resolvedStyle,
    deadlineAt: record.deadlineAt,
    presentation: presentationOf(sources, entry) as CardPresentation,
    control: record.control,
  };
}

function clipOf(sources: SceneSources, state: State): SceneClip | null {
  const entry = state.sprite === null ? undefined : state.entries.get(state.sprite);
  if (entry === undefined) return null;
  const { record } = entry;
  const presentation = presentationOf(sources, entry);
  const character = sources.catalogue.characters.find(({ manifest }) => manifest.id === record.resolvedCharacter);
  return {
    requestId: record.requestId,
    character: record.resolvedCharacter,
    clip: character?.manifest.capabilities[record.resolvedCapability]?.clip ?? NO_CLIPS.idle,
    loops: presentation.view === 'clip' ? presentation.loops : 1,
  };
}

/** The figure's mood follows the strongest open request: a question, then trouble, then work (R6). */
function moodOf(sources: SceneSources, state: State): Scene['mood']['name'] {
  let mood: Scene['mood']['name'] = 'idle';
  for (const entry of state.entries.values()) {
    if (entry.kind === 'interaction') return 'wait';
    if (entry.kind !== 'progress' || mood === 'fail') continue;
    const presentation = presentationOf(sources, entry);
    mood = presentation.view === 'progress' && presentation.tone === 'error' ? 'fail' : 'work';
  }
  return mood;
}

const currentCharacter = ({ catalogue }: SceneSources, state: State): Character | undefined =>
  catalogue.characters.find(({ manifest }) => manifest.id === state.settings.character) ?? catalogue.characters[0];

/** The scene of `state`; `seq` grows by one with each. */
export function sceneOf(sources: SceneSources, state: State, seq: number): Scene {
  const character = currentCharacter(sources, state);
  const clips = character === undefined ? NO_CLIPS : moodClips(character, MOOD_CAPABILITIES);
  const isClear = state.sight === 'clear';
  const still = state.settings.hidden || state.settings.paused || !isClear;
  const mood = still ? 'idle' : moodOf(sources, state);
  const pairing = sources.pairing();
  const onStage = state.slots.filter((requestId): requestId is RequestId => requestId !== null);
  return {
    seq,
    settings: state.settings,
    sight: state.sight,
    missed: state.missed,
    character: characterFolder(character?.manifest.id ?? state.settings.character),
    clip: clipOf(sources, state),
    mood: { name: mood, clip: clips[mood] },
    greetClip: still ? null : clips.greet,
    dragClip: clips.drag,
    cards: onStage.map((requestId) => cardOf(sources, state.entries.get(requestId)!)),
    waiting: countWaiting(state),
    pairing: state.settings.hidden || !isClear ? null : pairing.card,
    pairingsWaiting: pairing.waiting,
    resultRetentionMs: sources.resultRetentionMs,
    armMs: sources.armMs,
  };
}
