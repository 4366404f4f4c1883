/** The built page in real Chromium, without a host: DOM contract, input, painting, language, accessibility. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type OverlayPage, openOverlayPage, type PageOptions, type Sent, until } from './page-driver.ts';
import {
  accessMessage,
  answersMessage,
  cardOf,
  choice,
  choices,
  form,
  NIB_FOLDER,
  notice,
  pairing,
  progress,
  samples,
  sceneOf,
  text,
} from './page-scenes.ts';

let browser: Browser;
let overlay: OverlayPage;

beforeAll(async () => {
  browser = await launchBrowser();
  overlay = await openOverlayPage(browser);
});
afterAll(() => browser.close());

/** Opens the page and shows `message`, waiting for the painted report of its cards. */
async function show(message: ReturnType<typeof sceneOf>, options: PageOptions = {}): Promise<void> {
  await overlay.reopen(options);
  await overlay.tell(message);
  if (message.scene.cards.length > 0) await overlay.waitFor('painted');
  else await overlay.page.waitForSelector('[data-clip], [data-action="show"]');
}

const ofType = <Type extends Sent['type']>(type: Type) =>
  overlay.sent.filter((message): message is Extract<Sent, { type: Type }> => message.type === type);
/** Evaluates an expression in the page. */
const inPage = <Value>(expression: string): Promise<Value> => overlay.page.evaluate(expression) as Promise<Value>;
const textOf = (selector: string) => inPage<string>(`document.querySelector(${JSON.stringify(selector)}).textContent`);
const has = (selector: string) => inPage<boolean>(`document.querySelector(${JSON.stringify(selector)}) !== null`);
const focus = (selector: string) => inPage<void>(`document.querySelector(${JSON.stringify(selector)}).focus()`);
const attributes = (selector: string) =>
  inPage<Record<string, string>>(
    `Object.fromEntries([...document.querySelector(${JSON.stringify(selector)}).attributes].map(({ name, value }) => [name, value]))`,
  );
/** Lets the page take everything that is on its way: one frame and a task. */
const settle = () => inPage<void>('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');

describe('a card', () => {
  it('stands under exactly one element that says what it is', async () => {
    await show(
      sceneOf({ cards: [cardOf('r1', notice('The build is done.', { tone: 'success' }), { style: 'comic' })] }),
    );
    expect(await inPage(`document.querySelectorAll('[data-request-id="r1"]').length`)).toBe(1);
    expect(await attributes('[data-request-id="r1"]')).toMatchObject({
      'data-view': 'notice',
      'data-status': 'running',
      'data-tone': 'success',
      'data-style': 'comic',
      'data-client': 'Build server',
    });
  });

  it('is text, never markup, with its direction isolated', async () => {
    await show(sceneOf({ cards: [cardOf('r1', notice('<b>5 & 6</b> <img src=x onerror=alert(1)>'))] }));
    expect(await textOf('[data-request-id] .text')).toBe('<b>5 & 6</b> <img src=x onerror=alert(1)>');
    expect(await has('[data-request-id] :is(b, img)')).toBe(false);
    expect((await attributes('[data-request-id] .text')).dir).toBe('auto');
  });

  it('leaves the page when the scene drops it, and nothing of it stays', async () => {
    await show(sceneOf({ cards: [cardOf('r1', notice('gone soon'))] }));
    await overlay.tell(sceneOf());
    expect(await inPage('document.body.textContent')).not.toContain('gone soon');
  });

  it('shows hidden characters of details as escapes', async () => {
    await show(sceneOf({ cards: [cardOf('r1', choice({ details: 'rm \u202Etxt.x' }))] }));
    expect(await textOf('[data-role="details"]')).toBe('rm \\u202Etxt.x');
  });

  it.each([
    [360, 480],
    [420, 640],
  ])('is never cut off at %d × %d, however long its text', async (width, height) => {
    const parts = samples('en').find(({ name }) => name === 'long')!.parts;
    await show(sceneOf(parts), { width, height });
    const boxes = await inPage<readonly { top: number; bottom: number; left: number; right: number }[]>(
      `[...document.querySelectorAll('[data-request-id]')].map((card) => card.getBoundingClientRect().toJSON())`,
    );
    expect(boxes).toHaveLength(2);
    for (const box of boxes) {
      expect(box.top).toBeGreaterThanOrEqual(0);
      expect(box.left).toBeGreaterThanOrEqual(0);
      expect(box.right).toBeLessThanOrEqual(width);
      expect(box.bottom).toBeLessThanOrEqual(height);
    }
  });
});

describe('painting', () => {
  it('is reported once for each card, one frame and one task after its scene', async () => {
    await overlay.reopen();
    await overlay.tell(sceneOf());
    await overlay.page.waitForSelector('[data-clip]');
    await inPage(`(() => {
      window.frames_ = 0;
      const count = () => { window.frames_ += 1; requestAnimationFrame(count); };
      requestAnimationFrame(count);
    })()`);
    const message = sceneOf({ cards: [cardOf('r1', notice('one')), cardOf('r2', notice('two'))] });
    const send = JSON.stringify(message);
    const frames = await inPage<number>(`new Promise((done) => {
      const real = window.__companionSend;
      let from;
      window.__companionSend = (text) => {
        real(text);
        if (JSON.parse(text).type === 'painted') done(window.frames_ - from);
      };
      setTimeout(() => { from = window.frames_; window.__companionReceive(${send}); });
    })`);
    expect(frames).toBe(1);
    await overlay.tell(sceneOf({ cards: message.scene.cards }));
    await settle();
    expect(ofType('painted')).toEqual([{ type: 'painted', seq: message.scene.seq, requestIds: ['r1', 'r2'] }]);
  });

  it('is not reported for a card that went before its frame, nor while hidden', async () => {
    await overlay.reopen();
    const one = JSON.stringify(sceneOf({ cards: [cardOf('r1', notice('one'))] }));
    const none = JSON.stringify(sceneOf());
    await inPage(`window.__companionReceive(${one}); window.__companionReceive(${none})`);
    await overlay.tell(sceneOf({ cards: [cardOf('r2', notice('two'))] }, { hidden: true }));
    await settle();
    expect(ofType('painted')).toEqual([]);
    expect(await has('[data-request-id]')).toBe(false);
  });

  it("is reported for a clip once its character is there, and the clip's end after its rounds", async () => {
    const clip = { requestId: 'k1', folder: NIB_FOLDER, clip: 'celebrate', loops: 1 };
    await overlay.reopen();
    await overlay.tell(sceneOf({ clip }));
    expect((await overlay.waitFor('painted')).requestIds).toEqual(['k1']);
    expect((await attributes('canvas'))['data-clip']).toBe('celebrate');
    expect((await overlay.waitFor('clipEnded')).requestId).toBe('k1');
  });
});

describe('a choice', () => {
  const card = cardOf('q1', choice({ suggestedId: 'yes', allowDecline: true }));

  it('has buttons whose text begins with the label; the number is no part of it', async () => {
    await show(sceneOf({ cards: [card] }));
    expect(await textOf('button[data-option-id="no"]')).toMatch(/^No/);
    expect((await attributes('button[data-option-id="no"]'))['aria-keyshortcuts']).toBe('2');
    expect((await attributes('button[data-option-id="yes"]'))['data-suggested']).toBe('true');
  });

  it('is answered by a press, waits for the host, and opens again when it could not be stored', async () => {
    await show(sceneOf({ cards: [card] }));
    await overlay.page.click('[data-option-id="no"]');
    expect(await overlay.waitFor('answer')).toEqual({ type: 'answer', requestId: 'q1', result: { selectedId: 'no' } });
    expect(await inPage(`document.querySelector('[data-option-id="no"]').disabled`)).toBe(true);
    await overlay.tell({ type: 'notStored', requestId: 'q1' });
    expect(await inPage(`document.querySelector('[data-option-id="no"]').disabled`)).toBe(false);
    expect(await textOf('[data-role="trouble"]')).toContain('could not be saved');
    await overlay.page.click('[data-option-id="yes"]');
    await until(() => ofType('answer').length === 2, 'the second answer');
  });

  it('takes no focus by itself, and no key before it has the focus', async () => {
    await show(sceneOf({ cards: [card] }));
    expect(await inPage('document.activeElement === document.body')).toBe(true);
    for (const key of ['1', 'Enter', 'Escape'] as const) await overlay.page.keyboard.press(key);
    await settle();
    expect([...ofType('answer'), ...ofType('dismiss')]).toEqual([]);
  });

  it('never takes the suggested option by Enter on the card', async () => {
    await show(sceneOf({ cards: [card] }));
    await focus('[data-request-id="q1"]');
    await overlay.page.keyboard.press('Enter');
    await settle();
    expect(ofType('answer')).toEqual([]);
  });

  it.each([
    ['a number', ['2'], 'no'],
    ['arrows and Enter', ['ArrowDown', 'ArrowDown', 'Enter'], 'no'],
    ['arrows and the space bar', ['ArrowUp', 'ArrowUp', ' '], 'yes'],
  ] as const)('is answered by %s', async (_, keys, selectedId) => {
    await show(sceneOf({ cards: [card] }));
    await focus('[data-request-id="q1"]');
    for (const key of keys) await overlay.page.keyboard.press(key === ' ' ? 'Space' : key);
    expect((await overlay.waitFor('answer')).result).toEqual({ selectedId });
    await settle();
    expect(ofType('answer')).toHaveLength(1);
  });

  it('is dismissed by Escape or its button, and declined where that is allowed', async () => {
    await show(sceneOf({ cards: [card, cardOf('q2', choice())] }));
    await focus('[data-request-id="q2"] [data-option-id]');
    await overlay.page.keyboard.press('Escape');
    expect((await overlay.waitFor('dismiss')).requestId).toBe('q2');
    await overlay.page.click('[data-request-id="q1"] [data-action="decline"]');
    expect((await overlay.waitFor('decline')).requestId).toBe('q1');
    expect(await has('[data-request-id="q2"] [data-action="decline"]')).toBe(false);
  });
});

describe('input that is meant for something else', () => {
  it('is ignored until the card has been on screen for armMs', async () => {
    await show(sceneOf({ cards: [cardOf('q1', choice())], armMs: 60_000 }));
    await overlay.page.click('[data-option-id="yes"]');
    await focus('[data-option-id="yes"]');
    for (const key of ['Enter', '1', 'Escape'] as const) await overlay.page.keyboard.press(key);
    await inPage(`document.querySelector('[data-option-id="yes"]').click()`);
    await settle();
    expect([...ofType('answer'), ...ofType('dismiss')]).toEqual([]);
  });

  it('counts once the time is over', async () => {
    await show(sceneOf({ cards: [cardOf('q1', choice())], armMs: 150 }));
    await until(async () => {
      await overlay.page.click('[data-option-id="yes"]');
      return ofType('answer').length > 0;
    }, 'an answer after arming');
  });

  it('does not count when the card changes between press and release', async () => {
    await show(sceneOf({ cards: [cardOf('p1', progress())] }));
    const button = (await overlay.page.$('[data-action="pause"]'))!;
    const { x, y, width, height } = (await button.boundingBox())!;
    await overlay.page.mouse.move(x + width / 2, y + height / 2);
    await overlay.page.mouse.down();
    await overlay.tell(sceneOf({ cards: [cardOf('p1', progress({ paused: true }))] }));
    await overlay.page.mouse.up();
    await settle();
    expect(ofType('control')).toEqual([]);
  });

  it('counts when a progress card only went on between press and release', async () => {
    await show(sceneOf({ cards: [cardOf('p1', progress())] }));
    const button = (await overlay.page.$('[data-action="cancel"]'))!;
    const { x, y, width, height } = (await button.boundingBox())!;
    await overlay.page.mouse.move(x + width / 2, y + height / 2);
    await overlay.page.mouse.down();
    await overlay.tell(sceneOf({ cards: [cardOf('p1', progress({ percent: 50 }))] }));
    await overlay.page.mouse.up();
    expect((await overlay.waitFor('control')).action).toBe('cancel');
  });

  it('finds the card under the pointer where it was, whatever comes and goes around it', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((id) => cardOf(id, notice(`notice ${id}`)));
    await show(sceneOf({ cards: [a!, b!] }));
    const box = () =>
      inPage<{ x: number; y: number; height: number }>(
        `document.querySelector('[data-request-id="a"]').getBoundingClientRect().toJSON()`,
      );
    await overlay.page.hover('[data-request-id="a"]');
    const before = await box();
    await overlay.tell(sceneOf({ cards: [a!, b!, c!] }));
    expect(await box()).toEqual(before);
    await overlay.tell(sceneOf({ cards: [a!] }));
    expect(await box()).toEqual(before);
    await overlay.page.mouse.move(1, 1);
    await overlay.tell(sceneOf({ cards: [a!] }));
    expect((await box()).y).toBeGreaterThan(before.y);
  });
});

describe('holding', () => {
  it('is told once per change, by pointer and by focus', async () => {
    await show(sceneOf({ cards: [cardOf('a', notice('one')), cardOf('b', notice('two'))] }));
    await overlay.page.hover('[data-request-id="a"]');
    await overlay.page.hover('[data-request-id="a"] .text');
    await overlay.page.hover('[data-request-id="b"]');
    await overlay.page.mouse.move(1, 1);
    await focus('[data-request-id="a"]');
    await settle();
    expect(ofType('hold').map(({ requestId }) => requestId)).toEqual(['a', 'b', null, 'a']);
  });

  it('does not begin because a card comes up under a resting pointer', async () => {
    await show(sceneOf({ cards: [cardOf('a', notice('one'))] }));
    await overlay.page.hover('[data-request-id="a"]');
    await overlay.tell(sceneOf({ cards: [cardOf('b', notice('two'))] }));
    await settle();
    expect(ofType('hold').at(-1)?.requestId).toBeNull();
  });
});

describe('a typed answer', () => {
  it('is checked where it is typed and sent by Enter', async () => {
    await show(sceneOf({ cards: [cardOf('t1', text({ maxLength: 5 }))] }));
    await overlay.page.click('[data-action="submit"]');
    await overlay.page.type('[data-role="answer"]', 'too long');
    await overlay.page.keyboard.press('Enter');
    expect(await textOf('[data-request-id="t1"] .fault')).toContain('At most 5');
    await inPage(`document.querySelector('[data-role="answer"]').select()`);
    await overlay.page.keyboard.type('1 2 3');
    await overlay.page.keyboard.press('Enter');
    expect((await overlay.waitFor('answer')).result).toEqual({ text: '1 2 3' });
    expect(ofType('answer')).toHaveLength(1);
  });

  it('may have several lines; a masked one is a password field', async () => {
    await show(sceneOf({ cards: [cardOf('t1', text({ multiline: true })), cardOf('t2', text({ masked: true }))] }));
    expect((await attributes('[data-request-id="t2"] [data-role="answer"]')).type).toBe('password');
    await overlay.page.type('[data-request-id="t1"] [data-role="answer"]', 'a\nb');
    await overlay.page.click('[data-request-id="t1"] [data-action="submit"]');
    expect((await overlay.waitFor('answer')).result).toEqual({ text: 'a\nb' });
  });

  it('survives the folding of its card', async () => {
    const card = cardOf('t1', text());
    await show(sceneOf({ cards: [card] }));
    await overlay.page.type('[data-role="answer"]', 'begun');
    await overlay.tell(sceneOf({ waiting: 1 }));
    await overlay.tell(sceneOf({ cards: [card] }));
    expect(await inPage(`document.querySelector('[data-role="answer"]').value`)).toBe('begun');
  });
});

describe('several picks', () => {
  it('are checkboxes, sent together in the order shown, within their bounds', async () => {
    await show(sceneOf({ cards: [cardOf('m1', choices())] }));
    expect(await attributes('[data-option-id="unit"]')).toMatchObject({ role: 'checkbox', 'aria-checked': 'false' });
    await overlay.page.click('[data-action="submit"]');
    await overlay.page.click('[data-option-id="e2e"]');
    await overlay.page.click('[data-option-id="lint"]');
    expect((await attributes('[data-option-id="lint"]'))['aria-checked']).toBe('true');
    await overlay.page.click('[data-action="submit"]');
    expect((await overlay.waitFor('answer')).result).toEqual({ selectedIds: ['lint', 'e2e'] });
    expect(ofType('answer')).toHaveLength(1);
  });
});

describe('a form', () => {
  it('tells each fault at its field, and sends typed values', async () => {
    await show(sceneOf({ cards: [cardOf('f1', form())] }));
    await overlay.page.type('[data-field-id="copies"]', '1.5');
    await overlay.page.click('[data-action="submit"]');
    expect(
      await inPage(`[...document.querySelectorAll('.field-row .fault')].map((fault) => fault.textContent)`),
    ).toEqual(['Please fill this in.', 'A whole number, please.', '', 'Please fill this in.']);
    await overlay.page.type('[data-field-id="version"]', '1.0');
    await inPage(`document.querySelector('[data-field-id="copies"]').select()`);
    await overlay.page.type('[data-field-id="copies"]', '2');
    await overlay.page.click('[data-field-id="sign"]');
    await overlay.page.click('[data-field-id="channel"] [data-option-id="b"]');
    await overlay.page.click('[data-action="submit"]');
    const values = { version: '1.0', copies: 2, sign: true, channel: 'b' };
    expect((await overlay.waitFor('answer')).result).toEqual({ values });
    await overlay.tell({ type: 'refused', requestId: 'f1', field: 'version' });
    expect((await attributes('[data-field-id="version"]'))['aria-invalid']).toBe('true');
  });
});

describe('progress', () => {
  it('shows how far, says what was asked, and is still while it stands still', async () => {
    const control = { action: 'pause', seq: 1, at: 0 } as const;
    await show(sceneOf({ cards: [cardOf('p1', progress(), { control }), cardOf('p2', progress({ percent: null }))] }));
    expect(await attributes('[data-request-id="p1"] [role="progressbar"]')).toMatchObject({ 'aria-valuenow': '42' });
    expect(await textOf('[data-request-id="p1"] [data-role="asked"]')).toBe('Asked to pause');
    expect(await attributes('[data-request-id="p2"] [role="progressbar"]')).not.toHaveProperty('aria-valuenow');
    await overlay.tell(sceneOf({ cards: [cardOf('p1', progress({ paused: true }), { control })] }));
    expect(await has('[data-role="asked"]')).toBe(false);
    await settle();
    await overlay.page.click('[data-action="resume"]');
    expect((await overlay.waitFor('control')).action).toBe('resume');
    expect(
      await inPage(`document.getAnimations().filter((each) => each.effect.getTiming().iterations === Infinity).length`),
    ).toBe(0);
  });
});

describe('the badge', () => {
  it('counts what waits and leafs', async () => {
    await show(sceneOf({ waiting: 3 }));
    expect((await attributes('[data-role="waiting"]'))['data-count']).toBe('3');
    await overlay.page.click('[data-role="waiting"]');
    await overlay.waitFor('leaf');
  });
});

describe('pairing', () => {
  it('shows the claimed name with nothing hidden, the code, and what is kept; scopes can be dropped and the name changed', async () => {
    await show(sceneOf({ pairing: pairing({ name: 'Safe\u202Ekcab' }) }), { width: 480, height: 900 });
    await settle();
    expect(await textOf('[data-role="claimed-name"]')).toBe('Safe\\u202Ekcab');
    expect(await textOf('[data-pairing-id="pair-1"]')).toContain('482 913');
    expect(await textOf('[data-role="kept"]')).toMatch(/this computer.*24 hours.*elsewhere/);
    await overlay.page.click('[data-scope="interact"]');
    expect((await attributes('[data-scope="interact"]'))['aria-checked']).toBe('false');
    await inPage(`document.querySelector('[data-role="pairing-name"]').select()`);
    await overlay.page.type('[data-role="pairing-name"]', 'Builds');
    await overlay.page.click('[data-action="approve"]');
    expect(await overlay.waitFor('approve')).toEqual({
      type: 'approve',
      pairingId: 'pair-1',
      name: 'Builds',
      scopes: ['discover', 'animate', 'notify'],
    });
  });

  it('can be refused', async () => {
    await show(sceneOf({ pairing: pairing() }));
    await overlay.page.click('[data-action="deny"]');
    expect((await overlay.waitFor('deny')).pairingId).toBe('pair-1');
  });
});

/** The box of an element, CSS px. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly top: number;
  readonly bottom: number;
}
const boxOf = (selector: string) =>
  inPage<Box>(`document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().toJSON()`);
const PAIRING = '[data-pairing-id="pair-1"]';
/** Reports whether `selector` is seen whole: in the window and not scrolled out of its card. */
const isSeen = (selector: string) =>
  inPage<boolean>(`(() => {
    const element = document.querySelector(${JSON.stringify(selector)});
    const box = element.getBoundingClientRect();
    return [[box.left + 3, box.top + 3], [box.right - 3, box.bottom - 3]].every(([x, y]) => {
      const hit = document.elementFromPoint(x, y);
      return hit !== null && (element.contains(hit) || hit.contains(element) && !hit.matches('main, body, html'));
    });
  })()`);
const isScrolled = () =>
  inPage<boolean>(`(() => {
    const body = document.querySelector('${PAIRING} .card-body');
    return body.scrollHeight > body.clientHeight + 1;
  })()`);
const crowd = () => [
  cardOf('c1', progress()),
  cardOf('c2', notice('The build is done.', { title: 'Build' })),
  cardOf('c3', text()),
];
const counted = () => inPage<number>(`Number(document.querySelector('[data-role="waiting"]')?.dataset.count ?? 0)`);

describe('a pairing card among others', () => {
  it.each([
    [480, 700],
    [900, 700],
  ])('is shown whole at %d × %d: the others give way and are counted', async (width, height) => {
    await show(sceneOf({ cards: crowd() }), { width, height });
    await overlay.tell(sceneOf({ cards: crowd(), pairing: pairing(), waiting: 1 }));
    await settle();
    expect(await isScrolled()).toBe(false);
    for (const part of ['[data-role="code"]', '[data-scope="interact"]', '[data-role="kept"]', '#pairing-name'])
      expect([part, await isSeen(`${PAIRING} ${part}`)]).toEqual([part, true]);
    const cards = await inPage<number>(`document.querySelectorAll('[data-request-id]').length`);
    expect(await counted()).toBe(1 + 3 - cards);
    expect(
      await inPage(
        `(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('.stack'))`,
      ),
    ).toBe(0);
  });

  it.each(['pointer', 'focus'])('stays whole while it is held by the %s and others come', async (by) => {
    await show(sceneOf({ pairing: pairing() }), { width: 480, height: 700 });
    await settle();
    if (by === 'focus') await focus('#pairing-name');
    else await overlay.page.hover(`${PAIRING} .title`);
    const before = await boxOf(PAIRING);
    for (let count = 1; count <= 3; count += 1) {
      await overlay.tell(sceneOf({ pairing: pairing(), cards: crowd().slice(0, count) }));
      await settle();
    }
    expect(await boxOf(PAIRING)).toEqual(before);
    expect(await isScrolled()).toBe(false);
  });

  it('waits, counted, while another card is held for which there is not room beside it', async () => {
    await show(sceneOf({ cards: crowd() }), { width: 480, height: 700 });
    await overlay.page.hover('[data-request-id="c3"]');
    const before = await boxOf('[data-request-id="c3"]');
    await overlay.tell(sceneOf({ cards: crowd(), pairing: pairing() }));
    await settle();
    expect(await boxOf('[data-request-id="c3"]')).toEqual(before);
    expect(await has(PAIRING)).toBe(false);
    expect(await counted()).toBe(1);
    await overlay.page.mouse.move(1, 1);
    await settle();
    expect(await isScrolled()).toBe(false);
  });

  it('has its height back as soon as the window is larger', async () => {
    await show(sceneOf({ pairing: pairing() }), { width: 480, height: 360 });
    await settle();
    expect(await isScrolled()).toBe(true);
    await overlay.page.setViewport({ width: 480, height: 700 });
    await settle();
    expect(await isScrolled()).toBe(false);
  });

  it('in a tiny window lets nobody in before the whole card has been shown', async () => {
    await show(sceneOf({ pairing: pairing() }), { width: 360, height: 300 });
    await settle();
    const scrolled = () => inPage<number>(`document.querySelector('${PAIRING} .card-body').scrollTop`);
    let before = -1;
    // Each press shows more, until there is no more; only then one lets the program in.
    while ((await scrolled()) > before) {
      expect(ofType('approve')).toEqual([]);
      before = await scrolled();
      await overlay.page.click('[data-action="approve"]');
      await settle();
    }
    await overlay.waitFor('approve');
  });
});

describe('room beside a held card', () => {
  it('is used by what waits, and the held card does not move', async () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => cardOf(id, notice(`notice ${id}`)));
    await show(sceneOf({ cards: [a!, cardOf('q', text()), cardOf('r', choice())] }), { width: 480, height: 640 });
    await overlay.page.hover('[data-request-id="a"]');
    const before = await boxOf('[data-request-id="a"]');
    await overlay.tell(sceneOf({ cards: [a!] }));
    await overlay.tell(sceneOf({ cards: [a!, b!, c!, d!] }));
    await settle();
    expect(await boxOf('[data-request-id="a"]')).toEqual(before);
    expect(await inPage(`document.querySelectorAll('[data-request-id]').length`)).toBe(4);
    expect(await counted()).toBe(0);
    const boxes = await inPage<readonly Box[]>(
      `[...document.querySelectorAll('[data-request-id]')].map((card) => card.getBoundingClientRect().toJSON())`,
    );
    for (const [index, box] of boxes.entries())
      if (index > 0) expect(box.top).toBeGreaterThanOrEqual(boxes[index - 1]!.bottom);
  });
});

describe('the bounds', () => {
  const last = () => ofType('bounds').at(-1)!;
  const openPage = async (page: 'access' | 'answers') => {
    await overlay.page.click('[data-action="menu"]');
    await overlay.page.click(`[data-action="${page}"]`);
    await overlay.tell(page === 'access' ? accessMessage() : answersMessage());
  };
  it.each([
    ['nothing', () => show(sceneOf())],
    ['cards', () => show(sceneOf({ cards: crowd(), waiting: 2 }), { width: 900, height: 500 })],
    ['cards in a tiny window', () => show(sceneOf({ cards: crowd() }), { width: 360, height: 360 })],
    ['a pairing card', () => show(sceneOf({ pairing: pairing(), cards: crowd() }), { width: 480, height: 1_200 })],
    ['a large figure', () => show(sceneOf({}, { sizePercent: 300 }), { width: 420, height: 500 })],
    ['the menu', () => show(sceneOf()).then(() => overlay.page.click('[data-action="menu"]'))],
    ['the access page', () => show(sceneOf(), { width: 900, height: 700 }).then(() => openPage('access'))],
    ['the answers page', () => show(sceneOf(), { width: 420, height: 700 }).then(() => openPage('answers'))],
  ] as const)('of %s are the same again in a window of that size', async (_, open) => {
    await open();
    await settle();
    await settle();
    const { width, height } = last();
    expect(width).toBeGreaterThanOrEqual(320);
    expect(height).toBeGreaterThanOrEqual(360);
    expect(width).toBeLessThan(700);
    await overlay.page.setViewport({ width, height });
    await settle();
    await settle();
    expect(last()).toEqual({ type: 'bounds', width, height });
  });
});

describe('first run', () => {
  it('explains itself, and only a press switches access on', async () => {
    await show(sceneOf({}, { access: false }));
    await overlay.page.click('[data-action="enable-access"]');
    expect((await overlay.waitFor('settings')).patch).toEqual({ access: true });
  });

  it('can be put off, and stays on the access page', async () => {
    await show(sceneOf({}, { access: false }));
    await overlay.page.click('[data-action="later"]');
    expect(await has('[data-action="enable-access"]')).toBe(false);
    await overlay.page.click('[data-action="menu"]');
    await overlay.page.click('[data-action="access"]');
    expect((await overlay.waitFor('open')).page).toBe('access');
    expect(await has('[data-panel="access"] [data-action="enable-access"]')).toBe(true);
  });
});

describe('the menu', () => {
  it.each([
    ['a press', () => overlay.page.click('.figure')],
    ['a right click', () => overlay.page.click('.figure', { button: 'right' })],
    ['a long press', () => overlay.page.click('.figure', { delay: 650 })],
    ['Enter', () => focus('.figure').then(() => overlay.page.keyboard.press('Enter'))],
    ['the menu key', () => focus('.figure').then(() => overlay.page.keyboard.press('ContextMenu'))],
  ] as const)('opens by %s and closes by Escape', async (_, open) => {
    await show(sceneOf());
    await open();
    await until(() => has('[data-role="menu"]'), 'the menu');
    await settle();
    expect(await has('[data-role="menu"]')).toBe(true);
    await overlay.page.keyboard.press('Escape');
    expect(await has('[data-role="menu"]')).toBe(false);
  });

  it.each([
    ['hide', { hidden: true }],
    ['pause-access', { paused: true }],
    ['dnd', { doNotDisturb: true }],
    ['larger', { sizePercent: 125 }],
    ['style', { style: 'comic' }],
    ['reduce-motion', { reduceMotion: true }],
    ['language', { language: 'zh-CN' }],
  ] as const)('%s changes %j', async (action, patch) => {
    await show(sceneOf());
    await overlay.page.click('[data-action="menu"]');
    await overlay.page.click(`[data-action="${action}"]`);
    expect((await overlay.waitFor('settings')).patch).toEqual(patch);
  });

  it('stays under the pointer while the figure grows, and takes its place when the pointer leaves', async () => {
    const [topOf, toTheTop] = [
      (selector: string) => inPage<number>(`document.querySelector('${selector}').getBoundingClientRect().top`),
      () => overlay.page.mouse.move(5, 5),
    ];
    await show(sceneOf());
    await overlay.page.click('[data-action="menu"]');
    const before = { button: await topOf('[data-action="larger"]'), figure: await topOf('canvas') };
    await overlay.page.click('[data-action="larger"]');
    await overlay.waitFor('settings');
    await overlay.tell(sceneOf({}, { sizePercent: 150 }));
    await until(async () => (await topOf('canvas')) < before.figure - 20, 'the larger figure');
    expect(await topOf('[data-action="larger"]')).toBe(before.button);
    await toTheTop();
    await until(async () => (await topOf('[data-action="larger"]')) < before.button - 20, 'the menu above the figure');
  });

  it('brings the figure back to its place', async () => {
    await show(sceneOf());
    await overlay.page.click('[data-action="menu"]');
    await overlay.page.click('[data-action="reset-position"]');
    await overlay.waitFor('resetPosition');
  });

  it('leaves only a way back while hidden: no figure, no card', async () => {
    await show(sceneOf({}, { hidden: true }));
    expect(await has('canvas')).toBe(false);
    await overlay.page.click('[data-action="show"]');
    expect((await overlay.waitFor('settings')).patch).toEqual({ hidden: false });
  });

  it('shows by marks that requests are paused and the user is not to be disturbed', async () => {
    await show(sceneOf({}, { paused: true, doNotDisturb: true }));
    expect(await has('[data-mark="paused"]')).toBe(true);
    expect(await has('[data-mark="dnd"]')).toBe(true);
    await overlay.page.click('[data-action="menu"]');
    await overlay.page.click('[data-action="resume-access"]');
    expect((await overlay.waitFor('settings')).patch).toEqual({ paused: false });
  });
});

describe('the access page', () => {
  const open = async () => {
    await show(sceneOf());
    await overlay.page.click('[data-action="menu"]');
    await overlay.page.click('[data-action="access"]');
    await overlay.tell(accessMessage());
  };

  it('lists programs in plain words and revokes only on the second press', async () => {
    await open();
    expect(await textOf('[data-client-id="client-1"]')).toContain('ask you questions');
    await overlay.page.click('[data-client-id="client-1"] [data-action="revoke"]');
    await settle();
    expect(ofType('revoke')).toEqual([]);
    await overlay.page.click('[data-client-id="client-1"] [data-action="revoke"]');
    expect((await overlay.waitFor('revoke')).clientId).toBe('client-1');
  });

  it('renames, erases, and switches access off', async () => {
    await open();
    await overlay.page.click('[data-client-id="client-2"] [data-action="rename"]');
    await inPage(`document.querySelector('[data-role="client-name"]').select()`);
    await overlay.page.type('[data-role="client-name"]', 'Backup');
    await overlay.page.keyboard.press('Enter');
    expect(await overlay.waitFor('rename')).toEqual({ type: 'rename', clientId: 'client-2', name: 'Backup' });
    await overlay.page.click('[data-action="erase"]');
    await overlay.page.click('[data-action="erase"]');
    expect((await overlay.waitFor('erase')).clientId).toBeNull();
    await overlay.page.click('[role="switch"]');
    expect((await overlay.waitFor('settings')).patch).toEqual({ access: false });
  });
});

describe('the access page in a wide window', () => {
  it('takes the clicks on it, whatever the figure and its row are like', async () => {
    await show(sceneOf({ cards: crowd(), waiting: 1 }, { sizePercent: 300 }), { width: 900, height: 700 });
    await overlay.page.click('[data-action="menu"]');
    await overlay.page.click('[data-action="access"]');
    await overlay.tell(accessMessage());
    await settle();
    for (const action of ['rename', 'revoke']) {
      await inPage(`document.querySelector('[data-panel] [data-action="${action}"]').scrollIntoView({ block: 'end' })`);
      const { x, y, width, height } = await boxOf(`[data-panel] [data-action="${action}"]`);
      await overlay.page.mouse.click(x + width / 2, y + height / 2);
      await settle();
    }
    expect(await has('[data-role="client-name"]')).toBe(true);
    expect(await has('[data-panel] [data-action="revoke"][data-confirm="true"]')).toBe(true);
    const panel = await inPage<{ right: number }>(`document.querySelector('.panel').getBoundingClientRect().toJSON()`);
    for (const part of ['.figure', '.badge', '.card'])
      expect((await boxOf(part)).x).toBeGreaterThanOrEqual(panel.right);
  });
});

describe('renaming', () => {
  const FIELD = '[data-role="client-name"]';
  it('keeps a refused name in its field and says so; a taken one closes it', async () => {
    await show(sceneOf());
    await overlay.page.click('[data-action="menu"]');
    await overlay.page.click('[data-action="access"]');
    const list = accessMessage();
    await overlay.tell(list);
    await overlay.page.click('[data-client-id="client-2"] [data-action="rename"]');
    await until(() => inPage<boolean>(`document.activeElement?.matches('${FIELD}') ?? false`), 'the focus');
    await overlay.page.keyboard.type('companion');
    await overlay.page.keyboard.press('Enter');
    expect((await overlay.waitFor('rename')).name).toBe('companion');
    await overlay.tell({ ...list, clients: list.clients.map((client) => ({ ...client })) });
    await until(async () => (await textOf('[data-role="name-fault"]')) !== '', 'the notice');
    expect(await inPage(`document.querySelector('${FIELD}').value`)).toBe('companion');
    await inPage(`document.querySelector('${FIELD}').select()`);
    await overlay.page.keyboard.type('Backup');
    expect(await textOf('[data-role="name-fault"]')).toBe('');
    await overlay.page.keyboard.press('Enter');
    await overlay.tell({
      ...list,
      clients: list.clients.map((client) => ({
        ...client,
        name: client.clientId === 'client-2' ? 'Backup' : client.name,
      })),
    });
    await until(async () => !(await has(FIELD)), 'the field to close');
  });

  it('has buttons whose words stay whole', async () => {
    await show(sceneOf(), { width: 900, height: 700 });
    await overlay.page.click('[data-action="menu"]');
    await overlay.page.click('[data-action="access"]');
    await overlay.tell(accessMessage());
    await overlay.page.click('[data-client-id="client-1"] [data-action="rename"]');
    await settle();
    for (const action of ['save-name', 'keep'])
      expect((await boxOf(`.name-line [data-action="${action}"]`)).height).toBeLessThan(40);
  });
});

describe('the answers page', () => {
  it('tells who asked what and what was chosen', async () => {
    await show(sceneOf());
    await overlay.page.click('[data-action="menu"]');
    await overlay.page.click('[data-action="answers"]');
    await overlay.tell(answersMessage());
    expect(await textOf('[data-answer-id="a1"]')).toMatch(
      /Deploy to production\?.*Build server.*\\u202E.*Yes.*answered by you/,
    );
    await overlay.page.keyboard.press('Escape');
    expect(await has('[data-panel]')).toBe(false);
  });
});

describe('language', () => {
  it.each([
    ['zh-CN', null, '显示桌面伙伴'],
    ['en-GB', null, 'Show companion'],
    ['en-GB', 'zh-CN', '显示桌面伙伴'],
    ['zh-CN', 'en', 'Show companion'],
  ] as const)('for locale %s and choice %s says %s', async (locale, language, words) => {
    await show(sceneOf({}, { hidden: true, language }), { language: locale });
    expect((await textOf('[data-action="show"]')).trim()).toBe(words);
    expect(await inPage('document.documentElement.lang')).toBe(language ?? (locale === 'zh-CN' ? 'zh-CN' : 'en'));
  });
});

describe('reduced motion', () => {
  it.each([
    [true, null, true],
    [true, false, false],
    [false, true, true],
  ])('of the system %s and the user %s gives the static cue: %s', async (reducedMotion, reduceMotion, cue) => {
    const clip = { requestId: 'k1', folder: NIB_FOLDER, clip: 'work', loops: 20 };
    await show(sceneOf({ clip }, { reduceMotion }), { reducedMotion });
    await overlay.waitFor('painted');
    expect(await has('[data-mark="cue"]')).toBe(cue);
    expect((await overlay.waitFor('ready')).systemReducedMotion).toBe(reducedMotion);
  });
});

describe('the link', () => {
  it('answers a ping, and reports an error of the page by place only', async () => {
    await show(sceneOf());
    await overlay.tell({ type: 'ping', n: 7 });
    expect((await overlay.waitFor('pong')).n).toBe(7);
    await inPage(`setTimeout(() => { throw new Error('a secret') })`);
    expect(JSON.stringify(await overlay.waitFor('trouble'))).not.toContain('secret');
  });
});

describe('accessibility', () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  /** Serious and critical findings, by rule and element. */
  const findings = async () => {
    await inPage(`${axe}; undefined`);
    return inPage<readonly string[]>(`axe.run().then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html.slice(0, 160))))`);
  };

  it.each(
    ['plain', 'comic', 'terminal', 'large-text'].flatMap((style) => [false, true].map((dark) => ({ style, dark }))),
  )('finds nothing serious in any card, $style, dark: $dark', async ({ style, dark }) => {
    await overlay.reopen({ dark, windowed: true });
    for (const { parts } of samples('en')) {
      const cards = parts.cards?.map((card) => ({ ...card, style })) ?? [];
      await overlay.tell(sceneOf({ ...parts, cards }));
      expect(await findings()).toEqual([]);
    }
  });

  it.each([false, true])('finds nothing serious in pairing, first run, menu and pages, dark: %s', async (dark) => {
    await show(sceneOf({ pairing: pairing() }, { access: false, paused: true }), { dark, windowed: true, height: 900 });
    expect(await findings()).toEqual([]);
    await overlay.tell(sceneOf({}, { paused: true }));
    await overlay.page.click('[data-action="menu"]');
    expect(await findings()).toEqual([]);
    await overlay.page.click('[data-action="access"]');
    await overlay.tell(accessMessage());
    await overlay.page.click('[data-action="revoke"]');
    expect(await findings()).toEqual([]);
    await overlay.page.click('[data-action="close"]');
    await overlay.page.click('[data-action="menu"]');
    await overlay.page.click('[data-action="answers"]');
    await overlay.tell(answersMessage());
    expect(await findings()).toEqual([]);
  });
});
