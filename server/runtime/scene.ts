/** State → scene: what the page is told to draw. A pure function; the page keeps nothing the scene does not say (design §3). */

import { clipFor, type MoodClips, moodClips } from '../characters/resolve.ts';
import type { Member } from '../protocol/cast.ts';
import type { ClientId, RequestId } from '../protocol/ids.ts';
import { type Card, characterFolder, type PairingCard, type Scene, type SceneClip } from '../protocol/link.ts';
import type { CardPresentation } from '../protocol/presentation.ts';
import type { JsonObject } from '../protocol/words.ts';
import { animationFail } from '../registry/capabilities/animation.fail.ts';
import { animationGreet } from '../registry/capabilities/animation.greet.ts';
import { animationWait } from '../registry/capabilities/animation.wait.ts';
import { animationWork } from '../registry/capabilities/animation.work.ts';
import { countWaiting } from '../scheduler/stage.ts';
import type { Entry, State } from '../scheduler/state.ts';
import type { Catalogue } from './catalogue.ts';
import type { HookDesk } from './hooks/desk.ts';

const MOOD_CAPABILITIES = {
  work: animationWork.id,
  wait: animationWait.id,
  fail: animationFail.id,
  greet: animationGreet.id,
};
const NO_CLIPS: MoodClips = { idle: 'idle', work: 'idle', wait: 'idle', fail: 'idle', greet: null, drag: null };

export interface SceneSources {
  readonly catalogue: Catalogue;
  readonly catalogRevision: () => number;
  /** The label of a client from its pairing record. */
  readonly nameOf: (clientId: ClientId) => string;
  readonly hooks: Pick<HookDesk, 'lines' | 'mood' | 'isAskedElsewhere'>;
  readonly pairing: () => { readonly card: PairingCard | null; readonly waiting: number };
  readonly armMs: number;
  readonly resultRetentionMs: number;
}

const presentationOf = ({ catalogue }: SceneSources, { record }: Entry) =>
  catalogue.recall(record.capability).present((record.params ?? {}) as JsonObject);

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
    elsewhere: sources.hooks.isAskedElsewhere(record.requestId),
  };
}

/** Where the page finds the files of `member`. */
export const folderOf = ({ manifest, stamp }: Member): string => characterFolder({ id: manifest.id, stamp });

/** The clip on stage; null: none, or its character has gone before it could begin. `before`: what the page was told last. */
function clipOf(sources: SceneSources, state: State, before: SceneClip | null): SceneClip | null {
  const entry = state.sprite === null ? undefined : state.entries.get(state.sprite);
  if (entry === undefined) return null;
  const { record } = entry;
  // What has begun goes on as it is, whatever happens to the pack meanwhile.
  if (before?.requestId === record.requestId) return before;
  const presentation = presentationOf(sources, entry);
  const character = sources.catalogue.find(record.resolvedCharacter);
  const clip = character && clipFor(character, record.resolvedCapability, record.resolvedStyle);
  if (!character || !clip) return null;
  const loops = presentation.view === 'clip' ? presentation.loops : 1;
  return { requestId: record.requestId, folder: folderOf(character), clip, loops };
}

/** The figure's mood follows the strongest open request: a question, then trouble, then work (R6). Sessions of agents come after all of them. */
function moodOf(sources: SceneSources, state: State): Scene['mood']['name'] {
  let mood: Scene['mood']['name'] = 'idle';
  for (const entry of state.entries.values()) {
    if (entry.kind === 'interaction') return 'wait';
    if (entry.kind !== 'progress' || mood === 'fail') continue;
    const presentation = presentationOf(sources, entry);
    mood = presentation.view === 'progress' && presentation.tone === 'error' ? 'fail' : 'work';
  }
  return mood === 'idle' ? (sources.hooks.mood() ?? mood) : mood;
}

/** The clips of the host's own moods, of that character. */
export const ownClips = (character: Member | undefined): MoodClips =>
  character === undefined ? NO_CLIPS : moodClips(character, MOOD_CAPABILITIES);

/** The scene of `state`; `seq` grows by one with each, `clip` is that of the last one. */
export function sceneOf(sources: SceneSources, state: State, seq: number, clip: SceneClip | null): Scene {
  const character = sources.catalogue.current();
  const clips = ownClips(character);
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
    character: character === undefined ? '' : folderOf(character),
    catalogRevision: sources.catalogRevision(),
    clip: clipOf(sources, state, clip),
    mood: { name: mood, clip: clips[mood] },
    greetClip: still ? null : clips.greet,
    dragClip: clips.drag,
    cards: onStage.map((requestId) => cardOf(sources, state.entries.get(requestId)!)),
    waiting: countWaiting(state),
    sessions: state.settings.hidden || !isClear ? [] : sources.hooks.lines(),
    pairing: state.settings.hidden || !isClear ? null : pairing.card,
    pairingsWaiting: pairing.waiting,
    resultRetentionMs: sources.resultRetentionMs,
    armMs: sources.armMs,
  };
}
