/** Boot: opens the link, draws each scene, and reports what the user sees and does. Holds no state of a request. */
import { render } from 'preact';
import type { HostMessage } from '../server/protocol/link.ts';
import { afterPaint } from './after-paint.ts';
import { arrange, type Measured, type Placed } from './arrange.ts';
import { createBounds } from './bounds.ts';
import { realClock } from './clock.ts';
import { GO_HOME } from './grip.ts';
import { CARD_ATTRIBUTE, cardsIn, createGuard, keyOf } from './guard.ts';
import { createHold } from './hold.ts';
import { openLink } from './link.ts';
import { advance, EMPTY_MODEL, type Happening, isStill, wantedKeys } from './model.ts';
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
/** Requests that are in the DOM, and those of them whose painting has not been reported yet. */
let onScreen: ReadonlySet<string> = new Set();
let unreported: string[] = [];
let frameAsked = false;

const link = openLink(window as unknown as Record<string, unknown>, receive);
const send: Shell['send'] = (message) => {
  if (message.type === 'resetPosition') document.dispatchEvent(new Event(GO_HOME));
  link(message);
};
const trouble = (where: string): void => send({ type: 'trouble', where });

window.addEventListener('error', ({ lineno, colno }) => trouble(`error ${lineno}:${colno}`));
window.addEventListener('unhandledrejection', () => trouble('rejection'));

const motion = matchMedia('(prefers-reduced-motion: reduce)');
const guard = createGuard(root, () => performance.now());
const hold = createHold(root, (key) => {
  send({ type: 'hold', requestId: key !== null && onScreen.has(key) ? key : null });
  // What a held card had kept back may come now.
  if (key === null && places.length > 0) draw();
});
const measureBounds = createBounds(root, send);
const sprite = createSprite(canvas, realClock);
const stage = createStage(sprite, {
  onShown: (requestId) => reportPainting([requestId]),
  onEnded: (requestId) => send({ type: 'clipEnded', requestId }),
  onTrouble: () => trouble('character'),
});

function receive(message: HostMessage): void {
  if (message.type === 'ping') send({ type: 'pong', n: message.n });
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
    heightPx: card.offsetHeight,
    spaceAfterPx: Number.parseFloat(card.style.marginBlockEnd) || 0,
  }));

/** Height the stack may take: the window without the figure's row. */
function roomPx(): number {
  const foot = root.querySelector<HTMLElement>('.foot')?.offsetHeight ?? 0;
  return root.clientHeight - foot;
}

function draw(): void {
  const { scene } = model;
  const pinned = pinnedKey();
  places = arrange(measureCards(), wantedKeys(model), pinned, pinned === null ? 0 : roomPx());
  const settings = scene?.settings;
  const language = resolveLanguage(settings?.language ?? null, navigator.language);
  const shell: Shell = { language, words: WORDS[language], send, happen, armMs: scene?.armMs ?? 0 };
  const still = isStill(model);
  const page = document.documentElement;
  page.lang = language;
  page.dataset.motion = still ? 'still' : 'full';
  root.dataset.page = model.page ?? '';
  render(
    <ShellContext.Provider value={shell}>
      <Page model={model} places={places} canvas={canvas} setDragged={stage.setDragged} />
    </ShellContext.Provider>,
    root,
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
    measureBounds();
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
window.addEventListener('resize', () => reportPainting([]));
// In a plain window the page lays a soft ground under the figure; everywhere else it floats.
document.documentElement.classList.toggle('windowed', location.hash === '#windowed');

model = advance(model, { type: 'systemReducedMotion', on: motion.matches });
send({ type: 'ready', systemReducedMotion: motion.matches });
