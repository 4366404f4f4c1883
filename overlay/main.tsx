/** Boot: opens the link, draws each scene, and reports what the user sees and does. Holds no state of a request. */
import { render } from 'preact';
import type { HostMessage, Scene } from '../server/protocol/link.ts';
import { PAGE_HASH, type WindowToPage } from '../server/protocol/window.ts';
import { afterPaint } from './after-paint.ts';
import { createBounds } from './bounds.ts';
import { chime } from './chime.ts';
import { playSound } from './clip-sound.ts';
import { realClock } from './clock.ts';
import { copyText } from './copy.ts';
import { type Fitted, fitCards, nextTurned, type Show } from './fit.ts';
import { GO_HOME } from './grip.ts';
import { createGuard } from './guard.ts';
import { takeHitArea } from './hit-area.ts';
import { createHold } from './hold.ts';
import { createKeyboard } from './keyboard.ts';
import { openLink, type ToWindow } from './link.ts';
import {
  advance,
  EMPTY_MODEL,
  type Happening,
  isGalleryStale,
  isStill,
  shownPage,
  showsFigure,
  wantedKeys,
} from './model.ts';
import { createOutline } from './outline.ts';
import { fetchAhead } from './pack.ts';
import { Page } from './page.tsx';
import { plainPaint, solidPaint } from './paint.ts';
import { fingerprint } from './press.ts';
import { figureLimit, takePlace } from './shaped.ts';
import { type Shell, ShellContext } from './shell.ts';
import { shutOut } from './shut.ts';
import { type Heard, mayBeHeard, soundFor } from './sounds.ts';
import { createSprite } from './sprite.ts';
import { createStage } from './stage.ts';
import { resolveLanguage, WORDS } from './words.ts';

/** How long a line says that its folder was copied. */
const COPIED_MS = 2_000;

const page = document.documentElement;
const shaped = location.hash === PAGE_HASH.shaped;
page.classList.toggle('shaped', shaped);
// In a plain window the page lays a soft ground under the figure; everywhere else it floats.
page.classList.toggle('windowed', location.hash === PAGE_HASH.plain);
const root = document.createElement('main');
document.body.append(root);
const canvas = document.createElement('canvas');
canvas.setAttribute('aria-hidden', 'true');

let model = EMPTY_MODEL;
let fitted: Fitted = { places: [], leftOut: [] };
/** Cards that had no room and that the user turned to, the last one first. */
let turned: readonly string[] = [];
/** Requests that are in the DOM, and those of them whose painting has not been reported yet. */
let onScreen: ReadonlySet<string> = new Set();
let unreported: string[] = [];
let heard: Heard = new Set();
let frameAsked = false;
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
const guard = createGuard(
  root,
  () => performance.now(),
  () => (page.dataset.stack === 'below' ? 'top' : 'bottom'),
);
let held: string | null = null;
const hold = createHold(root, (key) => {
  const requestId = key !== null && onScreen.has(key) ? key : null;
  if (requestId !== held) send({ type: 'hold', requestId });
  held = requestId;
  // What a held card had kept back may come now.
  if (key === null && fitted.places.length > 0) draw();
});
const outline = shaped ? createOutline(root, canvas, toWindow) : null;
const keyboard = shaped ? createKeyboard(root, toWindow, () => happen({ type: 'menu', open: true })) : null;
const paint = outline === null ? plainPaint(canvas) : solidPaint(canvas, outline);
const broken = (folder: string, file: string): void => send({ type: 'broken', folder, file });
const sprite = createSprite(canvas, realClock, paint, {
  onCharacter: (manifest) => {
    takeHitArea(page, manifest);
    outline?.review();
  },
  onClip: (character, clip) => Object.assign(canvas.dataset, { character, clip }),
  onBroken: broken,
});
const measureBounds = createBounds(root, sprite, toWindow);
const stage = createStage(sprite, {
  onShown: (requestId) => reportPainting([requestId]),
  onEnded: (requestId) => send({ type: 'clipEnded', requestId }),
  onSound: (address) => {
    if (model.scene !== null && mayBeHeard(model.scene)) void playSound(address);
  },
  onTrouble: broken,
  onReady: () => {
    figureReady = true;
    draw();
  },
});

function receive(message: HostMessage | WindowToPage): void {
  if (message.type === 'ping') send({ type: 'pong', n: message.n });
  else if (message.type === 'coming') fetchAhead(message.folder, realClock);
  else if (message.type === 'notRaised') copyFolder(message.key);
  else if (message.type === 'focused') keyboard?.focused(message.on, message.asked);
  else happen(message);
}

/** A session whose terminal cannot be brought up: its folder is what helps to find it. The line says so for a moment. */
function copyFolder(key: string): void {
  const line = model.scene?.sessions.find((session) => session.key === key);
  if (line === undefined || !copyText(line.path)) return;
  happen({ type: 'copied', key });
  setTimeout(() => {
    if (model.copied === key) happen({ type: 'copied', key: null });
  }, COPIED_MS);
}

function happen(happening: Happening): void {
  const before = model;
  model = advance(model, happening);
  if (isGalleryStale(before, model)) send({ type: 'open', page: 'characters' });
  draw();
}

function draw(): void {
  const { scene, place } = model;
  // The see-through window says first where there is room.
  if (scene === null || (shaped && place === null)) return;
  if (outline === null) drawScene(scene);
  else if (isReady(scene)) outline.during(() => drawScene(scene));
  // Its first shape has the figure in it.
  else setStage(scene);
}

/** Cards wait for the figure's first picture, or they would be moved by it. */
const isReady = (scene: Scene): boolean => figureReady || !showsFigure(scene);

function setStage(scene: Scene): void {
  takePlace(page, model.place);
  sprite.setStill(isStill(model));
  sprite.setScale(scene.settings.sizePercent, shaped ? figureLimit(document.body.getBoundingClientRect()) : null);
  stage.show(scene);
}

function drawScene(scene: Scene): void {
  const language = resolveLanguage(scene.settings.language, navigator.language);
  const shell: Shell = { language, words: WORDS[language], send, toWindow, happen, shaped, armMs: scene.armMs };
  page.lang = language;
  page.dataset.motion = isStill(model) ? 'still' : 'full';
  root.dataset.page = shownPage(model) ?? '';
  setStage(scene);
  const show: Show = (places, leftOut) =>
    render(
      <ShellContext.Provider value={shell}>
        <Page
          model={model}
          places={places}
          leftOut={leftOut}
          leaf={leaf}
          canvas={canvas}
          setDragged={stage.setDragged}
        />
      </ShellContext.Provider>,
      root,
    );
  fitted = fitCards(root, isReady(scene) ? wantedKeys(model) : [], turned, show);
  guard.setArm(scene.armMs);
  guard.setSaid(saidNow());
  const before = onScreen;
  const shown = new Set(fitted.places.map(({ key }) => key));
  onScreen = new Set(scene.cards.map(({ requestId }) => requestId).filter((id) => shown.has(id)));
  reportPainting([...onScreen].filter((id) => !before.has(id)));
  hold.review();
  keyboard?.review();
  sound(scene);
}

/** The user turns to the next card: first to those that found no room here, then to those the host keeps back. */
function leaf(): void {
  const keys = (cards: readonly { readonly key: string }[]) => cards.map(({ key }) => key);
  const next = nextTurned(keys(fitted.places), keys(fitted.leftOut), turned, (model.scene?.waiting ?? 0) > 0);
  turned = next ?? [];
  if (next === null) send({ type: 'leaf' });
  else draw();
}

function sound(scene: Scene): void {
  const { tone, heard: now } = soundFor(heard, scene, onScreen);
  heard = now;
  if (tone !== null) void chime(tone);
}

/** What every card in the stack says now; the page's own cards say the same as long as they stand. */
function saidNow(): ReadonlyMap<string, string> {
  const cards = new Map(model.scene?.cards.map((card) => [card.requestId, fingerprint(card)]));
  return new Map(fitted.places.map(({ key }) => [key, cards.get(key) ?? key]));
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
    measureBounds(fitted.leftOut.map(({ naturalPx }) => naturalPx));
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
shutOut(window);
window.addEventListener('resize', () => draw());

model = advance(model, { type: 'systemReducedMotion', on: motion.matches });
send({ type: 'ready', systemReducedMotion: motion.matches });
