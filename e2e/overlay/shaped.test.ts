/** The built page as it lives in the see-through window: shape, marker, place, drag, focus, sight and sounds. */
import type { Browser } from 'puppeteer-core';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { HostMessage } from '../../server/protocol/link.ts';
import { MARKER_RED, type WindowToPage } from '../../server/protocol/window.ts';
import { STYLE_IDS } from '../../server/protocol/words.ts';
import { launchBrowser, type OverlayPage, openOverlayPage, type PageOptions, type Sent, until } from './page-driver.ts';
import { decodeMask, judge, type Mask, pictureOn, type Shape, takePicture } from './page-pixels.ts';
import {
  accessMessage,
  answersMessage,
  cardOf,
  choice,
  NIB_FOLDER,
  notice,
  pairing,
  progress,
  samples,
  sceneOf,
  text,
} from './page-scenes.ts';

/** One browser for each number of device pixels per CSS px: only so are fractions of them as on a real screen. */
const opened = new Map<number, { readonly browser: Browser; readonly overlay: OverlayPage }>();
let overlay: OverlayPage;

async function useScreen(scale: number): Promise<void> {
  if (!opened.has(scale)) {
    const browser = await launchBrowser(scale);
    opened.set(scale, { browser, overlay: await openOverlayPage(browser, { scale: 0 }) });
  }
  overlay = opened.get(scale)!.overlay;
}
beforeEach(() => useScreen(1));
afterAll(async () => {
  for (const { browser } of opened.values()) await browser.close();
});

type Place = Extract<WindowToPage, { type: 'place' }>;
const placeOf = (parts: Partial<Place> = {}): Place => ({
  type: 'place',
  stack: 'above',
  align: 'end',
  roomPx: 700,
  monitors: [],
  ...parts,
});
const ofType = <Type extends Sent['type']>(type: Type) =>
  overlay.sent.filter((message): message is Extract<Sent, { type: Type }> => message.type === type);
const shape = (): Shape => ofType('shape').at(-1)!;
const masks = (): readonly Mask[] => ofType('mask');
const inPage = <Value>(expression: string): Promise<Value> => overlay.page.evaluate(expression) as Promise<Value>;
const has = (selector: string) => inPage<boolean>(`document.querySelector(${JSON.stringify(selector)}) !== null`);
const focusedOn = (selector: string) => inPage<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`);
/** Lets the page take everything that is on its way: two frames and a task. */
const settle = () =>
  inPage<void>('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))');
const edgesOf = (selector: string) =>
  inPage<readonly { left: number; top: number; right: number; bottom: number }[]>(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].map((part) => part.getBoundingClientRect().toJSON())`,
  );

interface Opening {
  readonly place?: Partial<Place>;
  readonly page?: PageOptions;
}

/** Opens the page as in its window, tells it its place, and shows `message`, the figure standing still. */
async function show(message: ReturnType<typeof sceneOf>, { place, page }: Opening = {}): Promise<void> {
  await useScreen(page?.scale ?? 1);
  await overlay.reopen({ shaped: true, width: 480, height: 760, ...page, scale: 0 });
  await overlay.tell(placeOf(place));
  await overlay.tell(message);
  await until(() => ofType('shape').length > 0, 'a shape');
  await settle();
}
const still = { reduceMotion: true } as const;
const crowd = () => [
  cardOf('c1', progress()),
  cardOf('c2', notice('The build is done.', { title: 'Build' })),
  cardOf('c3', text()),
];

describe('before the window has said where there is room', () => {
  it('nothing is drawn and nothing is told', async () => {
    await overlay.reopen({ shaped: true });
    await overlay.tell(sceneOf({ cards: [cardOf('a', notice('one'))] }));
    await settle();
    expect(await has('main > *')).toBe(false);
    expect(ofType('shape')).toEqual([]);
    await overlay.tell(placeOf());
    await until(() => has('[data-request-id="a"]'), 'the card');
  });

  it('the first shape has the figure in it', async () => {
    await show(sceneOf({ cards: [cardOf('a', notice('one'))], waiting: 1 }));
    expect(ofType('shape')[0]!.figure).not.toBeNull();
  });
});

describe('the shape', () => {
  const parts: readonly [string, () => Promise<void>][] = [
    ['cards', () => show(sceneOf({ cards: crowd(), waiting: 2, missed: 3 }, { ...still, paused: true }))],
    ['a pairing card', () => show(sceneOf({ pairing: pairing() }, still))],
    ['the welcome', () => show(sceneOf({}, { ...still, access: false }))],
    ['the menu', () => show(sceneOf({ cards: crowd() }, still)).then(() => overlay.page.click('[data-action="menu"]'))],
    [
      'a page',
      async () => {
        await show(sceneOf({ cards: [cardOf('n', notice('one'))] }, still));
        await overlay.page.click('[data-action="menu"]');
        await overlay.page.click('[data-action="answers"]');
        await overlay.tell(answersMessage());
      },
    ],
  ];

  it.each(parts)('of %s is the boxes of all parts in device pixels', async (_, open) => {
    await open();
    await settle();
    const boxes = (await edgesOf(':is(.card, .panel, .menu, .badge, .mark)')).map(({ left, top, right, bottom }) => ({
      x: Math.round(left),
      y: Math.round(top),
      width: Math.round(right) - Math.round(left),
      height: Math.round(bottom) - Math.round(top),
    }));
    const told = shape().pieces.flatMap((piece) => {
      if (piece.kind === 'mask') return [];
      const { x, y, width, height } = piece;
      return [{ x, y, width, height }];
    });
    expect(told).toEqual(boxes);
    expect(boxes.length).toBeGreaterThan(0);
  });

  it.each(STYLE_IDS.flatMap((style) => [1, 1.25].map((scale) => ({ style, scale, dark: scale !== 1 }))))(
    'lets no ground through and loses nothing that is painted: $style at $scale, dark: $dark',
    async (about) => {
      const cards = samples('en')[0]!.parts.cards!.slice(0, 2);
      const message = sceneOf(
        { cards: cards.map((card) => ({ ...card, style: about.style })), waiting: 1, missed: 2 },
        { ...still, paused: true },
      );
      for (const [stack, align] of [
        ['above', 'end'],
        ['below', 'start'],
      ] as const) {
        await show(message, { place: { stack, align, roomPx: 480 }, page: { height: 500, ...about } });
        const [one, other] = [await pictureOn(overlay.page, '#ff0000'), await pictureOn(overlay.page, '#00ff00')];
        expect(judge(shape(), masks(), one, other)).toEqual({ leaks: [], lost: [] });
      }
    },
  );

  it('is empty while hidden, without a way back on the page', async () => {
    await show(sceneOf({}, still));
    await overlay.tell(sceneOf({ cards: crowd() }, { ...still, hidden: true }));
    expect(shape()).toMatchObject({ pieces: [], figure: null });
    expect(await has('main > *')).toBe(false);
  });

  it('is told again when a part grows without a scene', async () => {
    await show(sceneOf({ cards: [cardOf('t', text({ multiline: true }))] }, still));
    const before = ofType('shape').length;
    await inPage(`document.querySelector('textarea').style.height = '120px'`);
    await until(() => ofType('shape').length > before, 'the new shape');
    const [card] = await edgesOf('[data-request-id="t"]');
    const piece = shape().pieces[0]!;
    expect([piece.x, piece.y]).toEqual([Math.round(card!.left), Math.round(card!.top)]);
  });

  it('is told for the new size of the page', async () => {
    await show(sceneOf({}, still));
    await overlay.page.setViewport({ width: 600, height: 800, deviceScaleFactor: 2 });
    await until(() => shape().width === 1200 && shape().height === 1600, 'the shape of the larger page');
    expect(shape().figure).toMatchObject({ width: 256, height: 256 });
  });

  it('has the whole figure while keys are at it', async () => {
    await show(sceneOf({}, still));
    await overlay.page.keyboard.press('Tab');
    await settle();
    expect(await focusedOn('.figure')).toBe(true);
    expect(shape().pieces).toMatchObject([{ kind: 'box', ...shape().figure }]);
    await inPage('document.activeElement.blur()');
    await settle();
    expect(shape().pieces).toMatchObject([{ kind: 'mask' }]);
  });
});

describe('the marker', () => {
  const painted = async (): Promise<readonly number[]> => [...(await takePicture(overlay.page)).pixels.subarray(0, 3)];
  const of = (generation: number) => [MARKER_RED, generation >> 8, generation & 0xff];

  it.each([1, 1.25, 2])('says the last generation told, at %d', async (scale) => {
    await show(sceneOf({ cards: crowd() }, still), { page: { scale } });
    const first = shape().generation;
    expect(await painted()).toEqual(of(first));
    await overlay.tell(sceneOf({}, still));
    expect(shape().generation).toBe(first + 1);
    expect(await painted()).toEqual(of(first + 1));
  });

  it('stays, and nothing is told, when a scene changes no outline', async () => {
    await show(sceneOf({ cards: [cardOf('p', progress({ percent: 10 }))] }, still));
    const told = ofType('shape').length;
    for (let percent = 11; percent < 20; percent += 1)
      await overlay.tell(sceneOf({ cards: [cardOf('p', progress({ percent }))] }, still));
    await settle();
    expect(ofType('shape')).toHaveLength(told);
  });
});

describe('the figure', () => {
  it.each([
    [1, 100],
    [2, 100],
    [1, 50],
    [2, 300],
    [1.25, 75],
    [1.5, 125],
  ])(
    'at %d and %d % stands on whole device pixels, and its mask is the opacities of its cell',
    async (scale, sizePercent) => {
      await show(sceneOf({}, { ...still, sizePercent }), { page: { scale } });
      const side = Math.round(1.28 * sizePercent * scale);
      expect(shape().figure).toMatchObject({ width: side, height: side });
      const piece = shape().pieces.at(-1)!;
      const mask = masks().find((each) => piece.kind === 'mask' && each.mask === piece.mask)!;
      expect([mask.width, mask.height]).toEqual([side, side]);
      const expected = await inPage<number[]>(`(async () => {
      const folder = '/overlay/characters/builtin.nib/';
      const { clips, images } = await (await fetch(folder + 'character.json')).json();
      const { image, cell } = clips.idle.frames[clips.idle.stillFrame];
      const { file, grid } = images.find(({ id }) => id === image);
      const blob = await (await fetch(folder + file)).blob();
      const context = Object.assign(document.createElement('canvas'), { width: ${side}, height: ${side} })
        .getContext('2d', { willReadFrequently: true });
      context.imageSmoothingQuality = 'high';
      context.drawImage(await createImageBitmap(blob), (cell % grid.columns) * 256, Math.floor(cell / grid.columns) * 256, 256, 256, 0, 0, ${side}, ${side});
      return [...context.getImageData(0, 0, ${side}, ${side}).data].filter((_, at) => at % 4 === 3);
    })()`);
      expect(Buffer.from(decodeMask(mask)).equals(Buffer.from(expected))).toBe(true);
      const picture = await pictureOn(overlay.page, '#ff00ff');
      const canvas = await inPage<number[]>(`(() => {
      const canvas = document.querySelector('canvas');
      return [...canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data];
    })()`);
      const { x, y } = shape().figure!;
      const wrong = expected.filter((alpha, at) => {
        const from = ((y + Math.floor(at / side)) * picture.width + x + (at % side)) * 4;
        return alpha > 0 && [0, 1, 2].some((channel) => picture.pixels[from + channel] !== canvas[at * 4 + channel]);
      });
      expect(wrong).toHaveLength(0);
    },
  );

  it('tells a shape for each new outline of a clip, and each mask once', async () => {
    const clip = { requestId: 'k1', folder: NIB_FOLDER, clip: 'celebrate', loops: 2 };
    await show(sceneOf({ clip }));
    await overlay.waitFor('clipEnded');
    const names = masks().map(({ mask }) => mask);
    expect(new Set(names).size).toBe(names.length);
    expect(ofType('shape').length).toBeGreaterThan(names.length);
    const keys = ofType('shape').map(({ pieces }) => JSON.stringify(pieces));
    for (const [at, key] of keys.entries()) if (at > 0) expect(key).not.toBe(keys[at - 1]);
  });

  it('is as large as it fits, and asks for a larger window', async () => {
    await show(sceneOf({}, { ...still, sizePercent: 300 }), {
      place: { roomPx: 400 },
      page: { width: 330, height: 420 },
    });
    const [main] = await edgesOf('main');
    const { x, y, width, height } = shape().figure!;
    expect(x).toBeGreaterThanOrEqual(main!.left);
    expect(y).toBeGreaterThanOrEqual(main!.top);
    expect([x + width <= main!.right, y + height <= main!.bottom]).toEqual([true, true]);
    expect(ofType('bounds').at(-1)!).toMatchObject({ width: 408, height: 408 });
  });
});

describe('the place', () => {
  it.each([
    ['above', 'start'],
    ['above', 'end'],
    ['below', 'start'],
    ['below', 'end'],
  ] as const)('%s and %s is where cards and figure stand, within the room', async (stack, align) => {
    await show(sceneOf({ cards: crowd(), waiting: 1 }, still), { place: { stack, align, roomPx: 640 } });
    const [figure] = await edgesOf('canvas');
    const cards = await edgesOf('.card');
    expect(cards).toHaveLength(3);
    for (const card of cards) {
      expect(stack === 'above' ? card.bottom <= figure!.top : card.top >= figure!.bottom).toBe(true);
      expect(align === 'start' ? card.left < 20 : card.right > 460).toBe(true);
    }
    expect(align === 'start' ? figure!.left < 20 : figure!.right > 460).toBe(true);
    for (const { y, height } of shape().pieces.filter((piece) => piece.kind === 'box')) {
      expect(y).toBeGreaterThanOrEqual(stack === 'above' ? 120 : 0);
      expect(y + height).toBeLessThanOrEqual(stack === 'above' ? 760 : 640);
    }
  });

  it.each(['above', 'below'] as const)('%s keeps a held card where it is, whatever comes and goes', async (stack) => {
    const [a, b, c] = ['a', 'b', 'c'].map((id) => cardOf(id, notice(`notice ${id}`)));
    await show(sceneOf({ cards: [a!, b!] }, still), { place: { stack } });
    await overlay.page.hover('[data-request-id="a"]');
    const [before] = await edgesOf('[data-request-id="a"]');
    await overlay.tell(sceneOf({ cards: [a!, b!, c!] }, still));
    expect((await edgesOf('[data-request-id="a"]'))[0]).toEqual(before);
    await overlay.tell(sceneOf({ cards: [a!] }, still));
    expect((await edgesOf('[data-request-id="a"]'))[0]).toEqual(before);
  });

  it.each([
    ['above', 420],
    ['below', 420],
    ['above', 520],
  ] as const)('%s with a crowd in %d px of room shows nothing outside it', async (stack, roomPx) => {
    const message = sceneOf({ cards: crowd(), pairing: pairing(), waiting: 1 }, still);
    await show(message, { place: { stack, roomPx } });
    const [from, to] = stack === 'above' ? [760 - roomPx, 760] : [0, roomPx];
    expect(shape().pieces.length).toBeGreaterThan(0);
    for (const piece of shape().pieces) {
      expect(piece.y).toBeGreaterThanOrEqual(from);
      if (piece.kind === 'box') expect(piece.y + piece.height).toBeLessThanOrEqual(to);
    }
  });

  it.each([
    ['above', 100],
    ['below', 100],
    ['above', 300],
    ['below', 300],
  ] as const)(
    '%s has the menu whole or scrolling within the room, beside a figure of %d %',
    async (stack, sizePercent) => {
      await show(sceneOf({}, { ...still, sizePercent }), { place: { stack, roomPx: 600 } });
      await overlay.page.click('.figure');
      await settle();
      const [menu] = await edgesOf('.menu');
      expect(menu!.top).toBeGreaterThanOrEqual(stack === 'above' ? 160 : 0);
      expect(menu!.bottom).toBeLessThanOrEqual(stack === 'above' ? 760 : 600);
      expect(menu!.bottom - menu!.top).toBeGreaterThan(300);
      await inPage(`document.querySelector('.menu > :last-child').scrollIntoView()`);
      const [last] = await edgesOf('.menu > :last-child');
      expect(last!.bottom).toBeLessThanOrEqual(menu!.bottom);
    },
  );

  it.each([
    ['start', -1],
    ['end', 1],
  ] as const)('at the %s turns the tail of a speech balloon to the figure', async (align, side) => {
    await show(sceneOf({ cards: [cardOf('a', notice('one'), { style: 'comic' })] }, still), { place: { align } });
    const [tail] = await edgesOf('.tail');
    const [card] = await edgesOf('.card');
    const middle = (card!.left + card!.right) / 2;
    expect(Math.sign(tail!.left - middle)).toBe(side);
    expect(shape().pieces.some((piece) => piece.kind === 'mask' && piece.mask.startsWith('tail'))).toBe(true);
  });

  it('shows no card for which there is no room, counts it, and brings it when the user turns to it', async () => {
    const cards = ['a', 'b', 'c'].map((id) => cardOf(id, choice()));
    await show(sceneOf({ cards }, still), { place: { roomPx: 420 } });
    const shown = () =>
      inPage<string[]>(`[...document.querySelectorAll('[data-request-id]')].map((card) => card.dataset.requestId)`);
    const turn = async () => {
      await overlay.page.click('[data-role="waiting"]');
      await settle();
      return shown();
    };
    expect(await shown()).toEqual(['a']);
    expect(await inPage(`document.querySelector('[data-role="waiting"]').dataset.count`)).toBe('2');
    expect(ofType('painted').flatMap(({ requestIds }) => requestIds)).toEqual(['a']);
    expect([await turn(), await turn(), await turn()]).toEqual([['b'], ['c'], ['a']]);
    expect(ofType('leaf')).toEqual([]);
    const [stack] = await edgesOf('.stack');
    for (const card of await edgesOf('.card')) expect(card.bottom).toBeLessThanOrEqual(stack!.bottom);
  });

  it('prefers a question to what was there before it', async () => {
    const [a, b] = [cardOf('a', progress()), cardOf('b', progress())];
    await show(sceneOf({ cards: [a, b] }, still), { place: { roomPx: 480 } });
    await overlay.tell(sceneOf({ cards: [a, b, cardOf('q', choice())] }, still));
    await settle();
    expect(await has('[data-request-id="q"]')).toBe(true);
    expect(await has('[data-role="waiting"]')).toBe(true);
  });

  it('in a room too low for any card shows one, whole within the room', async () => {
    await show(sceneOf({ cards: [cardOf('a', choice())] }, still), { place: { roomPx: 250 } });
    const [stack] = await edgesOf('.stack');
    const [card] = await edgesOf('.card');
    expect(card!.top).toBeGreaterThanOrEqual(stack!.top);
    expect(card!.bottom).toBeLessThanOrEqual(stack!.bottom);
  });
});

describe('a drag', () => {
  const middle = async () => {
    const [figure] = await edgesOf('.figure');
    return { x: (figure!.left + figure!.right) / 2, y: (figure!.top + figure!.bottom) / 2 };
  };
  const phases = () => ofType('drag').map(({ phase }) => phase);

  it('tells the window from start to end and moves nothing on the page', async () => {
    await show(sceneOf({ dragClip: 'drag' }));
    const { x, y } = await middle();
    const before = await edgesOf('.figure');
    await overlay.page.mouse.move(x, y);
    await overlay.page.mouse.down();
    await overlay.page.mouse.move(x - 30, y - 10, { steps: 4 });
    await until(() => phases().length >= 2, 'the drag');
    await until(async () => (await inPage(`document.querySelector('canvas').dataset.clip`)) === 'drag', 'its clip');
    await overlay.page.mouse.up();
    await until(() => phases().at(-1) === 'end', 'its end');
    expect(phases()[0]).toBe('start');
    expect(phases().filter((phase) => phase !== 'move')).toEqual(['start', 'end']);
    expect(await edgesOf('.figure')).toEqual(before);
    expect(await has('.menu')).toBe(false);
  });

  it('ends when the figure goes away in the middle of it', async () => {
    await show(sceneOf({}, still));
    const { x, y } = await middle();
    await overlay.page.mouse.move(x, y);
    await overlay.page.mouse.down();
    await overlay.page.mouse.move(x - 20, y, { steps: 2 });
    await until(() => phases().length > 0, 'the drag');
    await overlay.tell(sceneOf({}, { ...still, hidden: true }));
    expect(phases().at(-1)).toBe('end');
    await overlay.page.mouse.up();
  });

  it.each([
    ['a press', {}],
    ['a long press', { delay: 650 }],
  ])('is not %s: that opens the menu', async (_, options) => {
    await show(sceneOf({}, still));
    await overlay.page.click('.figure', options);
    expect(await has('.menu')).toBe(true);
    expect(phases()).toEqual([]);
  });
});

describe('the focus', () => {
  const told = () => ofType('focus').map(({ on }) => on);
  const question = cardOf('q', choice());
  const hotkey = () => overlay.tell({ type: 'focused', on: true, asked: true });

  it('is asked for by a press on a card and given back when the card is answered', async () => {
    await show(sceneOf({ cards: [question] }, still));
    await overlay.page.click('[data-request-id="q"] .title');
    expect(told()).toEqual([true]);
    await overlay.page.click('[data-option-id="yes"]');
    await overlay.tell(sceneOf({}, still));
    expect(told()).toEqual([true, false]);
  });

  it('is not asked for by a press on the figure, nor by what comes up by itself', async () => {
    await show(sceneOf({}, still));
    await overlay.tell(sceneOf({ cards: [question] }, still));
    await overlay.page.click('.figure');
    await settle();
    expect(told()).toEqual([]);
  });

  it('is kept from the menu to the page it opens, and given back when that is closed', async () => {
    await show(sceneOf({}, still));
    await overlay.page.click('.figure');
    await overlay.page.click('[data-action="access"]');
    await overlay.tell(accessMessage());
    await settle();
    expect(told()).toEqual([true]);
    await overlay.page.keyboard.press('Escape');
    await settle();
    expect(told()).toEqual([true, false]);
  });

  it.each([
    [
      'the first question',
      { cards: [cardOf('n', notice('one')), question], pairing: pairing() },
      '[data-request-id="q"]',
    ],
    ['else the pairing card', { cards: [cardOf('n', notice('one'))], pairing: pairing() }, '.pairing'],
    ['else the first card', { cards: [cardOf('n', notice('one'))] }, '[data-request-id="n"]'],
    ['else the menu', {}, '.menu button'],
  ])('by the hotkey goes to %s', async (_, parts, selector) => {
    await show(sceneOf(parts, still), { page: { height: 1_300 }, place: { roomPx: 1_280 } });
    await hotkey();
    await until(() => focusedOn(selector), 'the focus');
    await settle();
    expect(told()).toEqual([]);
  });

  it('goes to the welcome, which can be left by Escape', async () => {
    await show(sceneOf({}, { ...still, access: false }));
    await hotkey();
    expect(await focusedOn('[data-card]')).toBe(true);
    await overlay.page.keyboard.press('Escape');
    expect(told()).toEqual([false]);
  });

  it('on a question answers nothing by Enter, but by arrows and Enter, and then is given back', async () => {
    await show(sceneOf({ cards: [question] }, still));
    await hotkey();
    await overlay.page.keyboard.press('Enter');
    await overlay.page.keyboard.press('Space');
    await settle();
    expect(ofType('answer')).toEqual([]);
    await overlay.page.keyboard.press('ArrowDown');
    await overlay.page.keyboard.press('Enter');
    expect((await overlay.waitFor('answer')).result).toEqual({ selectedId: 'yes' });
    await overlay.tell(sceneOf({}, still));
    expect(told()).toEqual([false]);
  });

  it('is given back by Escape in the menu, which closes it, and on the figure', async () => {
    await show(sceneOf({}, still));
    await hotkey();
    await until(() => focusedOn('.menu button'), 'the menu');
    await overlay.page.keyboard.press('Escape');
    await settle();
    expect([await has('.menu'), told()]).toEqual([false, [false]]);
    await hotkey();
    await until(() => focusedOn('.menu button'), 'the menu');
    await inPage(`document.querySelector('.figure').focus()`);
    await overlay.page.keyboard.press('Escape');
    await settle();
    expect(told()).toEqual([false, false]);
  });

  it('that is gone leaves nothing focused, and what was typed stays', async () => {
    await show(sceneOf({ cards: [cardOf('t', text())] }, still));
    await overlay.page.type('[data-role="answer"]', 'begun');
    await overlay.tell({ type: 'focused', on: false, asked: false });
    expect(await focusedOn('body')).toBe(true);
    expect(await inPage(`document.querySelector('[data-role="answer"]').value`)).toBe('begun');
    await settle();
    expect(ofType('focus').filter(({ on }) => !on)).toEqual([]);
  });

  it('opens nothing while hidden', async () => {
    await show(sceneOf({}, { ...still, hidden: true }));
    await hotkey();
    await overlay.tell(sceneOf({}, still));
    expect(await has('.menu')).toBe(false);
  });
});

describe('out of sight', () => {
  it('only notices are there where only notices may be seen, though the figure never was', async () => {
    const cards = [cardOf('n', notice('one')), cardOf('q', choice())];
    await show(sceneOf({ cards, waiting: 1, missed: 2, sight: 'notices' }, still));
    expect(await has('[data-request-id="n"]')).toBe(true);
    for (const part of ['canvas', '.badge', '[data-request-id="q"]'])
      expect([part, await has(part)]).toEqual([part, false]);
    expect(shape()).toMatchObject({ figure: null, pieces: [{ kind: 'box' }] });
    await overlay.tell(sceneOf({ cards }, still));
    await until(() => shape().figure !== null, 'the figure');
    expect(await has('[data-request-id="q"]')).toBe(true);
  });

  it.each([true, false])('nothing is there, no timer runs, and all of it comes back; shaped: %s', async (shaped) => {
    await overlay.reopen({ shaped });
    await overlay.tell(placeOf());
    const clip = { requestId: 'k1', folder: NIB_FOLDER, clip: 'work', loops: 20 };
    await overlay.tell(sceneOf({ clip, cards: crowd() }));
    await overlay.waitFor('painted');
    await overlay.tell(sceneOf({ clip, cards: crowd(), sight: 'none' }));
    expect(await has('canvas, .card, .badge')).toBe(false);
    const drawn = await inPage<number>(`new Promise((done) => {
      let count = 0;
      const real = CanvasRenderingContext2D.prototype.clearRect;
      for (const name of ['drawImage', 'putImageData']) {
        const before = CanvasRenderingContext2D.prototype[name];
        CanvasRenderingContext2D.prototype[name] = function (...args) { count += 1; return before.apply(this, args); };
      }
      setTimeout(() => done(count), 400);
    })`);
    expect(drawn).toBe(0);
    await overlay.tell(sceneOf({ cards: crowd() }));
    expect(await has('canvas')).toBe(true);
    expect(await inPage(`document.querySelectorAll('.card').length`)).toBe(3);
  });
});

describe('the menu in the window', () => {
  const open = async (settings: Parameters<typeof sceneOf>[1], place: Partial<Place> = {}) => {
    await show(sceneOf({ missed: 4 }, { ...still, ...settings }), { place });
    await overlay.page.click('.figure');
  };

  it.each([
    ['sounds', { sounds: true }],
    ['full-screen', { fullScreen: 'stay' }],
  ] as const)('%s changes %j', async (action, patch) => {
    await open({});
    await overlay.page.click(`[data-action="${action}"]`);
    expect((await overlay.waitFor('settings')).patch).toEqual(patch);
  });

  it('moves the figure round the screens, where there is more than one', async () => {
    await open({});
    expect(await has('[data-action="move-monitor"]')).toBe(false);
    const monitors = [
      { name: 'DP-1', current: false },
      { name: 'DP-2', current: true },
    ];
    await open({}, { monitors });
    await overlay.page.click('[data-action="move-monitor"]');
    expect((await overlay.waitFor('moveTo')).monitor).toBe('DP-1');
  });

  it('counts what was kept from the user', async () => {
    await open({ doNotDisturb: true });
    expect(await inPage(`document.querySelector('[data-action="answers"] .menu-value').textContent`)).toBe(
      '4 kept from you',
    );
    expect(await has('[data-role="missed"]')).toBe(false);
  });
});

describe('what was missed', () => {
  it('is counted beside the figure and read on the answers page', async () => {
    await show(sceneOf({ missed: 3 }, still));
    expect(await inPage(`document.querySelector('[data-role="missed"]').dataset.count`)).toBe('3');
    await overlay.page.click('[data-role="missed"]');
    expect((await overlay.waitFor('open')).page).toBe('answers');
    const answers = answersMessage();
    const rows = [{ ...answers.rows[2]!, status: 'cancelled', reason: 'suppressed' } as const];
    await overlay.tell({ ...answers, rows } as HostMessage);
    expect(await inPage(`document.querySelector('[data-role="suppressed"]').textContent`)).toBe('kept from you');
  });

  it('is no badge when it is nothing', async () => {
    await show(sceneOf({}, still));
    expect(await has('[data-role="missed"]')).toBe(false);
  });
});

describe('sounds', () => {
  const listen = () =>
    inPage<void>(`{
      window.played = [];
      window.open_ = 0;
      const Real = AudioContext;
      window.AudioContext = class extends Real {
        constructor(...args) { super(...args); window.open_ += 1; }
        close() { window.open_ -= 1; return super.close(); }
      };
      const real = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (...args) { window.played.push(this.frequency.value); return real.apply(this, args); };
    }`);
  const played = () => inPage<number[]>('window.played.map(Math.round)');

  it('are played once for a new card, and no audio is open afterwards', async () => {
    const sounds = { ...still, sounds: true };
    await show(sceneOf({}, sounds));
    await listen();
    await overlay.tell(sceneOf({ cards: [cardOf('a', notice('one', { tone: 'error' }))] }, sounds));
    expect(await played()).toEqual([440, 349]);
    await overlay.tell(sceneOf({ waiting: 1 }, sounds));
    await overlay.tell(sceneOf({ cards: [cardOf('a', notice('one', { tone: 'error' }))] }, sounds));
    expect(await played()).toEqual([440, 349]);
    await until(async () => (await inPage('window.open_')) === 0, 'silence');
  });

  it.each([
    ['off', { sounds: false }],
    ['on, and requests paused', { sounds: true, paused: true }],
  ])('are not played while they are %s', async (_, settings) => {
    await show(sceneOf({}, still));
    await listen();
    await overlay.tell(sceneOf({ cards: [cardOf('a', notice('one'))] }, { ...still, ...settings }));
    await settle();
    expect(await played()).toEqual([]);
  });
});
