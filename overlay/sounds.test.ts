import { describe, expect, it } from 'vitest';
import type { Card, Scene } from '../server/protocol/link.ts';
import { DEFAULT_SETTINGS, type Settings } from '../server/protocol/settings.ts';
import type { Tone } from '../server/protocol/words.ts';
import { CHIMES } from './chime.ts';
import { soundFor } from './sounds.ts';

const card = (requestId: string, tone: Tone, view: 'notice' | 'choice' = 'notice') =>
  ({ requestId, presentation: { view, tone } }) as unknown as Card;
const scene = (cards: readonly Card[], settings: Partial<Settings> = {}, sight: Scene['sight'] = 'clear') =>
  ({ cards, sight, settings: { ...DEFAULT_SETTINGS, sounds: true, ...settings } }) as unknown as Scene;
const toneOf = (subject: Scene, heard: readonly string[] = []) =>
  soundFor(new Set(heard), subject, new Set(subject.cards.map(({ requestId }) => requestId))).tone;

describe('a new card', () => {
  it.each(['information', 'success', 'warning', 'error'] as const)('of tone %s sounds like it', (tone) => {
    expect(toneOf(scene([card('a', tone)]))).toBe(tone);
  });

  it('that is a question sounds like information', () => {
    expect(toneOf(scene([card('a', 'error', 'choice')]))).toBe('information');
  });

  it('is heard with those that come with it as the most serious of them', () => {
    expect(toneOf(scene([card('a', 'success'), card('b', 'warning'), card('c', 'information')]))).toBe('warning');
  });

  it.each([
    ['sounds are off', { sounds: false }, 'clear'],
    ['requests are paused', { paused: true }, 'clear'],
    ['the figure is hidden', { hidden: true }, 'clear'],
    ['the user is not to be disturbed', { doNotDisturb: true }, 'clear'],
    ['only notices may be seen', {}, 'notices'],
    ['nothing may be seen', {}, 'none'],
  ] as const)('is not heard while %s, nor afterwards', (_, settings, sight) => {
    const cards = [card('a', 'error')];
    const quiet = soundFor(new Set(), scene(cards, settings, sight), new Set(['a']));
    expect(quiet.tone).toBeNull();
    expect(soundFor(quiet.heard, scene(cards), new Set(['a'])).tone).toBeNull();
  });
});

describe('a card that was there before', () => {
  it('is not heard when it stays, nor when it comes back from folding', () => {
    const first = soundFor(new Set(), scene([card('a', 'success')]), new Set(['a']));
    const folded = soundFor(first.heard, scene([]), new Set());
    expect(soundFor(folded.heard, scene([card('a', 'success')]), new Set(['a'])).tone).toBeNull();
  });

  it('is heard when it had found no room until now', () => {
    const waiting = soundFor(new Set(), scene([card('a', 'success')]), new Set());
    expect(waiting.tone).toBeNull();
    expect(soundFor(waiting.heard, scene([card('a', 'success')]), new Set(['a'])).tone).toBe('success');
  });

  it('is forgotten in the end', () => {
    const ids = Array.from({ length: 600 }, (_, at) => `r${at}`);
    const { heard } = soundFor(new Set(ids), scene([card('new', 'success')]), new Set(['new']));
    expect(heard.size).toBeLessThan(600);
    expect(heard.has('new')).toBe(true);
  });
});

describe('each sound', () => {
  it.each(Object.entries(CHIMES))('%s is over within a quarter of a second', (_, notes) => {
    for (const { atMs, ms } of notes) expect(atMs + ms).toBeLessThanOrEqual(250);
  });
});
