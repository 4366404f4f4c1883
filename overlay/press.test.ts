import { describe, expect, it } from 'vitest';
import type { Card } from '../server/protocol/link.ts';
import { fingerprint, isArmed, type Press, pressCounts, type Standing } from './press.ts';

const standing = (extra: Partial<Standing> = {}): Standing => ({
  fingerprint: 'a',
  sinceMs: 1_000,
  x: 10,
  y: 20,
  ...extra,
});
const press = (atMs: number, extra: Partial<Standing> = {}): Press => ({ key: 'k', standing: standing(extra), atMs });

describe('arming', () => {
  it.each([
    [1_399, false],
    [1_400, true],
  ])('at %d ms after painting at 1000: %s', (atMs, armed) => {
    expect(isArmed(standing(), atMs, 400)).toBe(armed);
  });

  it('never happens before the card is painted, not even with no delay', () => {
    expect(isArmed(standing({ sinceMs: null }), 5_000, 0)).toBe(false);
    expect(isArmed(undefined, 5_000, 0)).toBe(false);
  });
});

describe('a press', () => {
  it('counts when the card still says the same in the same place', () => {
    expect(pressCounts(press(1_400), standing(), 400)).toBe(true);
  });

  it('counts by when it began, not by when it was released', () => {
    expect(pressCounts(press(1_399), standing(), 400)).toBe(false);
  });

  it.each([
    ['says something else', standing({ fingerprint: 'b' })],
    ['has moved', standing({ y: 22 })],
    ['is gone', undefined],
  ])('does not count when the card %s at its release', (_, now) => {
    expect(pressCounts(press(2_000), now, 400)).toBe(false);
  });
});

describe('what a card says', () => {
  const card = (presentation: Card['presentation']): Card => ({
    requestId: 'r',
    status: 'running',
    client: 'c',
    style: 'plain',
    deadlineAt: 0,
    presentation,
    control: null,
    elsewhere: false,
  });
  const progress = {
    view: 'progress',
    tone: 'information',
    title: 'T',
    percent: 1,
    message: null,
    phase: null,
    paused: false,
  } as const;

  it('stays the same while a progress card counts on', () => {
    const one = card({ ...progress, controls: ['pause'] });
    const two = card({ ...progress, controls: ['pause'], percent: 2, message: 'm' });
    expect(fingerprint(one)).toBe(fingerprint(two));
  });

  it('changes when its buttons change', () => {
    const one = card({ ...progress, controls: ['pause'] });
    const two = card({ ...progress, controls: ['pause'], paused: true });
    expect(fingerprint(one)).not.toBe(fingerprint(two));
  });
});
