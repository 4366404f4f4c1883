/** What the page draws: the last scene, plus what the user has opened and sent. A pure function from happening to model. */
import type { Card, HostMessage, PageMessage, Scene } from '../server/protocol/link.ts';
import type { WindowToPage } from '../server/protocol/window.ts';

export type Access = Extract<HostMessage, { type: 'access' }>;
export type Answers = Extract<HostMessage, { type: 'answers' }>;
export type Characters = Extract<HostMessage, { type: 'characters' }>;
export type PageName = Extract<PageMessage, { type: 'open' }>['page'];
export type Place = Extract<WindowToPage, { type: 'place' }>;

/** Why an answer came back: it was not stored, or it was refused (at a field, when the host knows which). */
export interface Trouble {
  readonly kind: 'notStored' | 'refused';
  readonly field: string | null;
}

export interface Model {
  readonly scene: Scene | null;
  readonly menu: boolean;
  readonly page: PageName | null;
  readonly access: Access | null;
  readonly answers: Answers | null;
  /** Kept only while their page is open. */
  readonly characters: Characters | null;
  /** The character that could not be chosen. */
  readonly notChosen: string | null;
  /** Requests whose answer is on its way: their buttons are off until the scene drops the card. */
  readonly sent: ReadonlySet<string>;
  readonly troubles: ReadonlyMap<string, Trouble>;
  /** Key of the session whose folder has just been copied. */
  readonly copied: string | null;
  /** The user has put off switching access on. */
  readonly welcomed: boolean;
  readonly systemReducedMotion: boolean;
  /** Where the see-through window has room; null in every other one. */
  readonly place: Place | null;
}

export type Happening =
  | Exclude<HostMessage, { type: 'ping' | 'coming' | 'notRaised' }>
  | Place
  | { readonly type: 'sent'; readonly requestId: string }
  | { readonly type: 'copied'; readonly key: string | null }
  | { readonly type: 'menu'; readonly open: boolean }
  | { readonly type: 'page'; readonly page: Model['page'] }
  | { readonly type: 'later' }
  | { readonly type: 'systemReducedMotion'; readonly on: boolean };

export const EMPTY_MODEL: Model = {
  scene: null,
  menu: false,
  page: null,
  access: null,
  answers: null,
  characters: null,
  notChosen: null,
  sent: new Set(),
  troubles: new Map(),
  copied: null,
  welcomed: false,
  systemReducedMotion: false,
  place: null,
};

/** The model after `happening`. */
export function advance(model: Model, happening: Happening): Model {
  switch (happening.type) {
    case 'scene':
      return takeScene(model, happening.scene);
    case 'access':
      return { ...model, access: happening };
    case 'answers':
      return { ...model, answers: happening };
    case 'characters':
      return { ...model, characters: model.page === 'characters' ? happening : null };
    case 'notChosen':
      return { ...model, notChosen: happening.character };
    case 'notStored':
      return giveBack(model, happening.requestId, { kind: 'notStored', field: null });
    case 'refused':
      return giveBack(model, happening.requestId, { kind: 'refused', field: happening.field });
    case 'copied':
      return { ...model, copied: happening.key };
    case 'sent':
      return markSent(model, happening.requestId);
    case 'menu':
      return { ...model, menu: happening.open && model.scene !== null && showsFigure(model.scene) };
    case 'page':
      return { ...model, menu: false, page: happening.page, characters: null, notChosen: null };
    case 'later':
      return { ...model, welcomed: true };
    case 'systemReducedMotion':
      return { ...model, systemReducedMotion: happening.on };
    case 'place':
      return { ...model, place: happening };
  }
}

function takeScene(model: Model, scene: Scene): Model {
  if (model.scene !== null && scene.seq < model.scene.seq) return model;
  const shown = new Set(scene.cards.map(({ requestId }) => requestId));
  const isOther = model.scene?.catalogRevision !== scene.catalogRevision;
  return {
    ...model,
    scene,
    notChosen: isOther ? null : model.notChosen,
    menu: model.menu && showsFigure(scene),
    page: scene.settings.hidden ? null : model.page,
    sent: new Set([...model.sent].filter((id) => shown.has(id))),
    troubles: new Map([...model.troubles].filter(([id]) => shown.has(id))),
  };
}

function markSent(model: Model, requestId: string): Model {
  const troubles = new Map(model.troubles);
  troubles.delete(requestId);
  return { ...model, sent: new Set([...model.sent, requestId]), troubles };
}

function giveBack(model: Model, requestId: string, trouble: Trouble): Model {
  const sent = new Set(model.sent);
  sent.delete(requestId);
  return { ...model, sent, troubles: new Map([...model.troubles, [requestId, trouble]]) };
}

/** Reports whether motion is reduced: the user's own switch wins both ways. */
export const isStill = (model: Model): boolean => model.scene?.settings.reduceMotion ?? model.systemReducedMotion;

/** Reports whether the figure is there, with all that hangs on it: menu, pages, marks and badges. */
export const showsFigure = ({ settings, sight }: Scene): boolean => !settings.hidden && sight === 'clear';

/** The page that is open and may be seen: it comes back after a locked screen, but not after hiding. */
export const shownPage = ({ scene, page }: Model): Model['page'] =>
  scene !== null && showsFigure(scene) ? page : null;

/** Reports whether what the gallery shows is not so any more: the host is to be asked again. */
export const isGalleryStale = (before: Model, now: Model): boolean =>
  now.page === 'characters' && before.scene !== null && before.scene.catalogRevision !== now.scene?.catalogRevision;

/** Reports whether this card may be seen. */
const showsCard = ({ settings, sight }: Scene, { presentation }: Card): boolean =>
  !settings.hidden && (sight === 'clear' || (sight === 'notices' && presentation.view === 'notice'));

/** What stands in the stack, oldest first: the welcome or the pairing card, then the cards. Keys of the first two cannot be request IDs. */
export const WELCOME_KEY = ':welcome';
export const PAIRING_KEY = ':pairing';

/** Keys of everything that wants a place in the stack. */
export function wantedKeys({ scene, page, welcomed }: Model): readonly string[] {
  if (scene === null) return [];
  const cards = scene.cards.filter((card) => showsCard(scene, card)).map(({ requestId }) => requestId);
  if (!showsFigure(scene)) return cards;
  const asks = !scene.settings.access && !welcomed && page !== 'access';
  return [
    ...(asks ? [WELCOME_KEY] : []),
    ...(scene.pairing === null ? [] : [`${PAIRING_KEY}:${scene.pairing.pairingId}`]),
    ...cards,
  ];
}
