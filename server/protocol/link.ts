/** The internal websocket between host and overlay page: whole scenes out, user input in. Not part of the public protocol. */
import type { LocalText } from './character.ts';
import type { SessionLine } from './hooks.ts';
import type { CardPresentation } from './presentation.ts';
import type { Settings } from './settings.ts';
import type { Control } from './snapshot.ts';
import type { Status } from './status.ts';
import type { Sight } from './window.ts';
import type { JsonObject, Scope, Tone } from './words.ts';

/** One card on screen. */
export interface Card {
  readonly requestId: string;
  /** What it is as soon as it is on screen: the report of its painting needs no second scene. */
  readonly status: Extract<Status, 'running' | 'awaiting_user'>;
  /** The source's name from its pairing record. */
  readonly client: string;
  readonly style: string;
  /** Epoch ms. */
  readonly deadlineAt: number;
  readonly presentation: CardPresentation;
  readonly control: Control | null;
  /** The same is asked in a terminal as well: who closes the card is left to that. */
  readonly elsewhere: boolean;
}

/** The request that has the sprite slot now; the page reports `clipEnded` when its loops are through. */
export interface SceneClip {
  readonly requestId: string;
  /** Folder of the character that plays it; the same until the clip ends, whatever happens to the pack meanwhile. */
  readonly folder: string;
  /** Clip name in that character's manifest. */
  readonly clip: string;
  readonly loops: number;
}

export interface PairingCard {
  readonly pairingId: string;
  /** As the program calls itself: untrusted. */
  readonly name: string;
  readonly about: string | null;
  readonly scopes: readonly Scope[];
  readonly code: string;
  /** Epoch ms. */
  readonly expiresAt: number;
}

/** Everything that is on screen; the page draws it and keeps nothing else. */
export interface Scene {
  /** Grows by one with each scene. */
  readonly seq: number;
  readonly settings: Settings;
  /** What may be seen: the figure and all cards, notices alone, or nothing. */
  readonly sight: Sight;
  /** Notices that were kept from the user since they switched do-not-disturb on, and that they have not looked at yet. */
  readonly missed: number;
  /** Folder of the current character. */
  readonly character: string;
  /** Another one whenever the characters there are, or the chosen one, have changed. */
  readonly catalogRevision: number;
  readonly clip: SceneClip | null;
  /** Clip names of the current character: what to play while no request has the sprite slot. */
  readonly mood: { readonly clip: string; readonly name: 'idle' | 'work' | 'wait' | 'fail' };
  /** Played once when the page first shows; null when the figure may not greet. */
  readonly greetClip: string | null;
  readonly dragClip: string | null;
  /** At most three, in slot order. */
  readonly cards: readonly Card[];
  /** Cards that wait for a slot or are folded. */
  readonly waiting: number;
  /** Sessions of coding agents, most urgent first. */
  readonly sessions: readonly SessionLine[];
  readonly pairing: PairingCard | null;
  readonly pairingsWaiting: number;
  /** How long ended requests are kept; the pairing card says so. */
  readonly resultRetentionMs: number;
  readonly armMs: number;
}

export interface AccessRow {
  readonly clientId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Epoch ms. */
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly unfinished: number;
}

export interface AnswerRow {
  readonly requestId: string;
  readonly client: string;
  readonly title: string;
  readonly details: string | null;
  readonly view: string;
  readonly tone: Tone;
  readonly status: Status;
  readonly reason: string | null;
  readonly createdAt: number;
  readonly endedAt: number | null;
  readonly retainedUntil: number | null;
  /** What was chosen, in the words that were shown; null when nothing was. */
  readonly answer: string | null;
}

/** Something a character can do. */
export interface Ability {
  /** Last part of the capability's ID. */
  readonly name: string;
  /** In the words of the pack that brought it; null: the page has its own. */
  readonly text: LocalText | null;
  /** Name of what is done instead, where the character declares that; null: it does it itself. */
  readonly instead: string | null;
}

/** A character as the gallery shows it. */
export interface CharacterRow {
  readonly id: string;
  readonly name: LocalText;
  readonly description: LocalText;
  readonly version: string;
  readonly authors: readonly string[];
  readonly license: string;
  readonly builtIn: boolean;
  /** It is the one on the screen, or will be when the clip that runs has ended. */
  readonly current: boolean;
  readonly folder: string;
  /** Played when the user looks at it; null: nothing but its idle clip. */
  readonly greetClip: string | null;
  readonly abilities: readonly Ability[];
}

/** Host → page. */
export type HostMessage =
  | { readonly type: 'scene'; readonly scene: Scene }
  | {
      readonly type: 'access';
      readonly clients: readonly AccessRow[];
      readonly resultMs: number;
      readonly tombstoneMs: number;
      readonly kept: number;
      readonly folder: string;
    }
  | { readonly type: 'answers'; readonly rows: readonly AnswerRow[] }
  | {
      readonly type: 'characters';
      readonly rows: readonly CharacterRow[];
      /** What is there and cannot be used, with the reason in English. */
      readonly unavailable: readonly { readonly id: string; readonly reason: string }[];
    }
  /** The figure is about to be the one in this folder: what is fetched of it now need not be waited for. */
  | { readonly type: 'coming'; readonly folder: string }
  /** The user's choice of a character could not be stored, or it has just gone. */
  | { readonly type: 'notChosen'; readonly character: string }
  /** A session's terminal could not be raised; `key` is its line's. */
  | { readonly type: 'notRaised'; readonly key: string }
  /** The user's answer could not be stored: the card stays open and says so. */
  | { readonly type: 'notStored'; readonly requestId: string }
  /** The user's input was refused: `field` says where, when the capability knows. */
  | { readonly type: 'refused'; readonly requestId: string; readonly field: string | null }
  | { readonly type: 'ping'; readonly n: number };

/** Page → host. Everything in it is the user's doing. */
export type PageMessage =
  | { readonly type: 'ready'; readonly systemReducedMotion: boolean }
  | { readonly type: 'systemReducedMotion'; readonly on: boolean }
  /** These cards (or this clip) are on screen: one animation frame and one macrotask after scene `seq`. */
  | { readonly type: 'painted'; readonly seq: number; readonly requestIds: readonly string[] }
  | { readonly type: 'answer'; readonly requestId: string; readonly result: JsonObject }
  | { readonly type: 'decline'; readonly requestId: string }
  | { readonly type: 'dismiss'; readonly requestId: string }
  | { readonly type: 'control'; readonly requestId: string; readonly action: Control['action'] }
  | { readonly type: 'clipEnded'; readonly requestId: string }
  /** The card under the pointer or the focus, null when none: it does not fold and its display time stands still. */
  | { readonly type: 'hold'; readonly requestId: string | null }
  /** Bring the next waiting card on screen. */
  | { readonly type: 'leaf' }
  | { readonly type: 'approve'; readonly pairingId: string; readonly name: string; readonly scopes: readonly Scope[] }
  | { readonly type: 'deny'; readonly pairingId: string }
  | { readonly type: 'settings'; readonly patch: Partial<Omit<Settings, 'character'>> }
  /** The user wants this character; its ID. */
  | { readonly type: 'choose'; readonly character: string }
  | { readonly type: 'open'; readonly page: 'access' | 'answers' | 'characters' }
  | { readonly type: 'rename'; readonly clientId: string; readonly name: string }
  | { readonly type: 'revoke'; readonly clientId: string }
  /** Erase ended requests of one client, or of all. */
  | { readonly type: 'erase'; readonly clientId: string | null }
  /** A session's line was pressed; its key. */
  | { readonly type: 'session'; readonly key: string }
  /** The page caught an error of its own; `where` names a place in our code, never content. */
  | { readonly type: 'trouble'; readonly where: string }
  /** A file of a character could not be had or is no picture; what showed before stays. `folder` as the host named it. */
  | { readonly type: 'broken'; readonly folder: string; readonly file: string }
  | { readonly type: 'pong'; readonly n: number };

/** The public name of the binding through which the page sends, and of the function through which it receives. */
export const LINK_BINDING = '__companionSend';
export const LINK_RECEIVE = '__companionReceive';
/** Lower-case name of the HTTP header that carries the run's link token. */
export const LINK_TOKEN_HEADER = 'companion-link-token';
/** Where the websocket waits. */
export const LINK_PATH = '/overlay';
/** Where the page lives; every request of it is answered by the host, none leaves the machine. */
export const PAGE_ORIGIN = 'https://companion.internal';
export const PAGE_PATH = '/overlay/';

/** Where all characters lie, below the page. */
export const CHARACTERS_PATH = 'characters/';

/** Folder of a character's files in the page, ending in '/'. Other files, another stamp: nothing stale is ever shown. */
export const characterFolder = ({ id, stamp }: { readonly id: string; readonly stamp: string }): string =>
  `${PAGE_PATH}${CHARACTERS_PATH}${id}/${stamp}/`;

/** Which character `folder` is of; null: no folder of one. */
export function parseCharacterFolder(folder: string): { readonly id: string; readonly stamp: string } | null {
  const [id, stamp, rest] = folder.slice(PAGE_PATH.length + CHARACTERS_PATH.length).split('/');
  if (!folder.startsWith(`${PAGE_PATH}${CHARACTERS_PATH}`) || !id || !stamp || rest !== '') return null;
  return { id, stamp };
}
