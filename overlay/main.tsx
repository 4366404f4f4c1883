/** Boot: opens the link, draws each scene, and reports what the user sees and does. Holds no state of a request. */
import { render } from 'preact';
import type { HostMessage } from '../server/protocol/link.ts';
import { PAGE_HASH, type WindowToPage } from '../server/protocol/window.ts';
import { afterPaint } from './after-paint.ts';
import { arrange, inOrder, type Measured, type Placed, type Wanted } from './arrange.ts';
import { createBounds } from './bounds.ts';
import { realClock } from './clock.ts';
import { GO_HOME } from './grip.ts';
import { CARD_ATTRIBUTE, cardsIn, createGuard, keyOf } from './guard.ts';
import { createHold } from './hold.ts';
import { openLink, type ToWindow } from './link.ts';
import { measureWanted, stackRoomPx } from './measure.ts';
import { advance, EMPTY_MODEL, type Happening, isStill, PAIRING_KEY, wantedKeys } from './model.ts';
import { Page } from './page.tsx';
import { fingerprint } from './press.ts';
import { type Shell, ShellContext } from './shell.ts';
import { createSprite } from './sprite.ts';
import { createStage } from './stage.ts';
import { resolveLanguage, WORDS } from './words.ts';

const root = document.createElement('main');
document.body.append(root);
const canvas = document.createElement('canvas');
canvas.setAttribute('aria-hidden', 'true');

let model = EMPTY_MODEL;
let places: readonly Placed[] = [];
/** Natural heights of the cards that found no room, CSS px. */
let leftOutPx: readonly number[] = [];
/** Requests that are in the DOM, and those of them whose painting has not been reported yet. */
let onScreen: ReadonlySet<string> = new Set();
let unreported: string[] = [];
let frameAsked = false;
/** Cards wait for the figure's first picture, or they would be moved by it. */
let figureReady = false;

const { send, toWindow: toWindowAlone } = openLink(window as unknown as Record<string, unknown>, receive);
const toWindow: ToWindow = (message) => {
  if (message.type === 'resetPosition') document.dispatchEvent(new Event(GO_HOME));
  toWindowAlone(message);
};
const trouble = (where: string): void => send({ type: 'trouble', where });

window.addEventListener('error', ({ lineno, colno }) => trouble(`error ${lineno}:${colno}`));
window.addEventListener('unhandledrejection', () => trouble('rejection'));

const motion = matchMedia('(prefers-reduced-motion: reduce)');
const guard = createGuard(root, () => performance.now());
let held: string | null = null;
const hold = createHold(root, (key) => {
  const requestId = key !== null && onScreen.has(key) ? key : null;
  if (requestId !== held) send({ type: 'hold', requestId });
  held = requestId;
  // What a held card had kept back may come now.
  if (key === null && places.length > 0) draw();
});
const measureBounds = createBounds(root, toWindow);
const sprite = createSprite(canvas, realClock);
const stage = createStage(sprite, {
  onShown: (requestId) => reportPainting([requestId]),
  onEnded: (requestId) => send({ type: 'clipEnded', requestId }),
  onTrouble: () => trouble('character'),
  onReady: () => {
    figureReady = true;
    draw();
  },
});

function receive(message: HostMessage | WindowToPage): void {
  if (message.type === 'ping') send({ type: 'pong', n: message.n });
  else if (message.type === 'place' || message.type === 'focused') return;
  else happen(message);
}

function happen(happening: Happening): void {
  model = advance(model, happening);
  draw();
}

/** The card that must not move: the one with the focus, else the one under the pointer. */
const pinnedKey = (): string | null =>
  keyOf(document.activeElement) ??
  root.querySelector(`[${CARD_ATTRIBUTE}]:hover`)?.getAttribute(CARD_ATTRIBUTE) ??
  null;

const measureCards = (): readonly Measured[] =>
  cardsIn(root).map((card) => ({
    key: card.getAttribute(CARD_ATTRIBUTE) ?? '',
    heightPx: card.getBoundingClientRect().height,
    spaceAfterPx: Number.parseFloat(card.style.marginBlockEnd) || 0,
  }));

const isWhole = (key: string): boolean => key.startsWith(`${PAIRING_KEY}:`);

/** Gives every card of the model its place, and draws it there. */
function place(show: (places: readonly Placed[], leftOut: number) => void): void {
  const pinned = pinnedKey();
  const before = measureCards();
  const keys = inOrder(before, figureReady ? wantedKeys(model) : []);
  const held = before.find(({ key }) => key === pinned && keys.includes(key)) ?? null;
  // The held one keeps its height even while all are measured, and so what is scrolled in it.
  const heldPx = held === null || isWhole(held.key) ? null : held.heightPx;
  const all = keys.map((key): Placed => ({ key, heightPx: key === held?.key ? heldPx : null, spaceAfterPx: 0 }));
  delete root.dataset.tight;
  places = all;
  leftOutPx = [];
  if (held === null && !keys.some(isWhole)) {
    show(places, 0);
    return;
  }
  // The badge may take room that was counted on: then once more with it.
  for (const badge of [0, 1]) {
    show(all, badge);
    const { wanted, roomPx } = measureRoom(heldPx === null);
    places = arrange(before, wanted, pinned, roomPx);
    leftOutPx = wanted.filter(({ key }) => !places.some((each) => each.key === key)).map((each) => each.naturalPx);
    if (leftOutPx.length === 0) break;
  }
  show(places, leftOutPx.length);
}

/** What the cards that are drawn need, and the room for them; for a card that is to be read whole the figure may give way. */
function measureRoom(mayHideFigure: boolean): { wanted: readonly Wanted[]; roomPx: number } {
  let roomPx = stackRoomPx(root);
  const wanted = measureWanted(root, isWhole);
  if (mayHideFigure && wanted.some(({ whole, naturalPx }) => whole && naturalPx > roomPx)) {
    root.dataset.tight = '';
    roomPx = stackRoomPx(root);
  }
  root.style.setProperty('--room', `${roomPx}px`);
  return { wanted: wanted.map((card) => ({ ...card, naturalPx: Math.min(card.naturalPx, roomPx) })), roomPx };
}

function draw(): void {
  const { scene } = model;
  const settings = scene?.settings;
  const language = resolveLanguage(settings?.language ?? null, navigator.language);
  const shell: Shell = { language, words: WORDS[language], send, toWindow, happen, armMs: scene?.armMs ?? 0 };
  const still = isStill(model);
  const page = document.documentElement;
  page.lang = language;
  page.dataset.motion = still ? 'still' : 'full';
  root.dataset.page = model.page ?? '';
  place((shown, leftOut) =>
    render(
      <ShellContext.Provider value={shell}>
        <Page model={model} places={shown} leftOut={leftOut} canvas={canvas} setDragged={stage.setDragged} />
      </ShellContext.Provider>,
      root,
    ),
  );
  if (scene === null) return;
  guard.setArm(scene.armMs);
  guard.setSaid(saidNow());
  sprite.setStill(still);
  sprite.setScale(scene.settings.sizePercent);
  const before = onScreen;
  const shown = new Set(places.map(({ key }) => key));
  onScreen = new Set(scene.cards.map(({ requestId }) => requestId).filter((id) => shown.has(id)));
  reportPainting([...onScreen].filter((id) => !before.has(id)));
  stage.show(scene);
  hold.review();
}

/** What every card in the stack says now; the page's own cards say the same as long as they stand. */
function saidNow(): ReadonlyMap<string, string> {
  const cards = new Map(model.scene?.cards.map((card) => [card.requestId, fingerprint(card)]));
  return new Map(places.map(({ key }) => [key, cards.get(key) ?? key]));
}

/** Asks for one frame; when its pixels are out, tells the host what is on screen since. */
function reportPainting(requestIds: readonly string[]): void {
  unreported.push(...requestIds);
  if (frameAsked) return;
  frameAsked = true;
  afterPaint(() => {
    frameAsked = false;
    guard.painted();
    const { scene } = model;
    const there = unreported.filter((id) => onScreen.has(id) || scene?.clip?.requestId === id);
    unreported = [];
    if (scene !== null && there.length > 0) send({ type: 'painted', seq: scene.seq, requestIds: there });
    measureBounds(leftOutPx);
  });
}

document.addEventListener('pointerdown', ({ target }) => {
  const inside = target instanceof Element && target.closest('.menu, .figure') !== null;
  if (model.menu && !inside) happen({ type: 'menu', open: false });
});
motion.addEventListener('change', ({ matches }) => {
  send({ type: 'systemReducedMotion', on: matches });
  happen({ type: 'systemReducedMotion', on: matches });
});
window.addEventListener('resize', () => draw());
// In a plain window the page lays a soft ground under the figure; everywhere else it floats.
document.documentElement.classList.toggle('windowed', location.hash === PAGE_HASH.plain);

model = advance(model, { type: 'systemReducedMotion', on: motion.matches });
send({ type: 'ready', systemReducedMotion: motion.matches });
