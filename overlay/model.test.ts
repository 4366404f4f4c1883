import { describe, expect, it } from 'vitest';
import type { Card, Scene } from '../server/protocol/link.ts';
import { DEFAULT_SETTINGS, type Settings } from '../server/protocol/settings.ts';
import {
  advance,
  EMPTY_MODEL,
  type Happening,
  isStill,
  type Model,
  shownPage,
  WELCOME_KEY,
  wantedKeys,
} from './model.ts';

const card = (requestId: string): Card => ({
  requestId,
  status: 'running',
  client: 'c',
  style: 'plain',
  deadlineAt: 0,
  presentation: { view: 'notice', tone: 'information', title: null, text: 't', durationMs: 1 },
  control: null,
  elsewhere: false,
});
const scene = (
  seq: number,
  ids: readonly string[],
  settings: Partial<Settings> = {},
  parts: Partial<Scene> = {},
): Happening => ({
  type: 'scene',
  scene: {
    seq,
    settings: { ...DEFAULT_SETTINGS, access: true, ...settings },
    sight: 'clear',
    missed: 0,
    character: '',
    catalogRevision: 1,
    clip: null,
    mood: { clip: 'idle', name: 'idle' },
    greetClip: null,
    dragClip: null,
    cards: ids.map(card),
    waiting: 0,
    sessions: [],
    pairing: null,
    pairingsWaiting: 0,
    resultRetentionMs: 86_400_000,
    armMs: 0,
    ...parts,
  } satisfies Scene,
});
const modelAfter = (...happenings: readonly Happening[]): Model => happenings.reduce(advance, EMPTY_MODEL);

describe('the model', () => {
  it('marks an answered card as sent until the scene drops it', () => {
    const sent = modelAfter(scene(1, ['a', 'b']), { type: 'sent', requestId: 'a' });
    expect([...sent.sent]).toEqual(['a']);
    expect([...advance(sent, scene(2, ['a', 'b'])).sent]).toEqual(['a']);
    expect([...advance(sent, scene(2, ['b'])).sent]).toEqual([]);
  });

  it('gives a card back with its trouble when the answer was not stored, and forgets the trouble with the next answer', () => {
    const back = modelAfter(scene(1, ['a']), { type: 'sent', requestId: 'a' }, { type: 'notStored', requestId: 'a' });
    expect(back.sent.size).toBe(0);
    expect(back.troubles.get('a')).toEqual({ kind: 'notStored', field: null });
    expect(advance(back, { type: 'sent', requestId: 'a' }).troubles.size).toBe(0);
  });

  it('never goes back to an older scene', () => {
    expect(modelAfter(scene(2, ['a']), scene(1, [])).scene?.seq).toBe(2);
  });

  it('closes menu and page when the figure is hidden', () => {
    const open = modelAfter(scene(1, []), { type: 'page', page: 'access' }, { type: 'menu', open: true });
    const hidden = advance(open, scene(2, [], { hidden: true }));
    expect([hidden.menu, hidden.page]).toEqual([false, null]);
  });
});

describe('an open page', () => {
  it('is not shown while out of sight, and is there again afterwards', () => {
    const open = modelAfter(scene(1, []), { type: 'page', page: 'answers' });
    const away = advance(open, scene(2, [], {}, { sight: 'none' }));
    expect(shownPage(open)).toBe('answers');
    expect(shownPage(away)).toBeNull();
    expect(shownPage(advance(away, scene(3, [])))).toBe('answers');
  });
});

describe('what wants a place', () => {
  it('is the welcome while access is off, until it is put off or the access page is open', () => {
    const off = modelAfter(scene(1, [], { access: false }));
    expect(wantedKeys(off)).toEqual([WELCOME_KEY]);
    expect(wantedKeys(advance(off, { type: 'later' }))).toEqual([]);
    expect(wantedKeys(advance(off, { type: 'page', page: 'access' }))).toEqual([]);
  });

  it('is notices alone, or nothing, while the rest is out of sight', () => {
    const question = { ...card('q'), presentation: { view: 'choice' } as unknown as Card['presentation'] };
    const parts = { cards: [card('a'), question] };
    const keys = (sight: Scene['sight']) =>
      wantedKeys(modelAfter(scene(1, [], { access: false }, { ...parts, sight })));
    expect(keys('clear')).toEqual([WELCOME_KEY, 'a', 'q']);
    expect(keys('notices')).toEqual(['a']);
    expect(keys('none')).toEqual([]);
  });

  it('is nothing while hidden', () => {
    expect(wantedKeys(modelAfter(scene(1, ['a'], { hidden: true })))).toEqual([]);
  });
});

describe('reduced motion', () => {
  it.each([
    [null, true, true],
    [null, false, false],
    [false, true, false],
    [true, false, true],
  ])('with the user saying %s and the system %s is %s', (reduceMotion, on, still) => {
    expect(isStill(modelAfter(scene(1, [], { reduceMotion }), { type: 'systemReducedMotion', on }))).toBe(still);
  });
});
