import { describe, expect, it } from 'vitest';
import { Account } from './account.ts';
import type { ProgressEvent } from './adapter.ts';

const at = (percent: number | null, more: Partial<ProgressEvent> = {}): ProgressEvent => ({
  kind: 'progress',
  percent,
  ...more,
});
const file = (key: string, done: number, total: number | null, more: Partial<ProgressEvent> = {}): ProgressEvent =>
  at(null, { key, done, total, unit: 'bytes', ...more });

/** What is shown after each of `events`. */
function shown(events: readonly ProgressEvent[]) {
  const account = new Account(0);
  return events.map((event) => {
    account.take(event);
    return account.picture(0, null);
  });
}
const percents = (events: readonly ProgressEvent[]) => shown(events).map(({ percent }) => percent);

describe('percent', () => {
  it('never moves backwards in a phase', () => {
    expect(percents([at(10), at(40), at(30), at(null), at(41)])).toEqual([10, 40, 40, null, 41]);
  });

  it('of a later phase that starts anew is told in words', () => {
    const events = [at(80, { phase: 'download' }), at(5, { phase: 'extract' }), at(90, { phase: 'extract' })];
    const pictures = shown(events);
    expect(pictures.map(({ percent }) => percent)).toEqual([80, null, 90]);
    expect(pictures[1]).toMatchObject({ phase: 'extract', message: '5 % · 0 s' });
  });

  it('of files side by side is that of their bytes together', () => {
    expect(percents([file('a', 0, null), file('a', 5, 10), file('b', 0, 90), file('b', 45, 90)])).toEqual([
      null,
      50,
      50,
      50,
    ]);
    const [, , last] = shown([file('a', 1e6, 2e6), file('b', 0, 18e6), file('b', 9e6, 18e6)]);
    expect(last).toMatchObject({ percent: 50, message: '10 of 20 MB · 0 s' });
  });

  it('of items that only know their own is the mean; one that does not know hides it', () => {
    expect(percents([at(20, { key: 'a' }), at(60, { key: 'b' }), at(null, { key: 'c' })])).toEqual([20, 40, null]);
    expect(percents([at(20, { key: 'a' }), at(null, { key: 'a', ended: 'well' })])).toEqual([20, 100]);
  });

  it('of the whole counts more than that of parts', () => {
    expect(percents([at(7), file('a', 1, 2)])).toEqual([7, 7]);
  });

  it('of counted steps follows their number, and the words tell it while the total grows', () => {
    const step = (done: number, total: number) => at(null, { done, total, unit: 'items' });
    const pictures = shown([step(1, 2), step(2, 8), step(6, 8)]);
    expect(pictures.map(({ percent }) => percent)).toEqual([50, 50, 75]);
    expect(pictures[1]!.message).toBe('2 of 8 · 0 s');
  });
});

describe('words', () => {
  it('are the last said, plain and short, with the time that has passed', () => {
    const account = new Account(1_000);
    account.take(at(3, { phase: 'fetch', message: 'a' }));
    account.take({ kind: 'log', level: 'info', message: `\x1b[1m${'b'.repeat(10_000)}\u202e` });
    account.take({ kind: 'log', level: 'debug', message: 'not for people' });
    const { phase, message, tone } = account.picture(126_000, null);
    expect([phase, tone]).toEqual(['fetch', 'information']);
    expect(message).toBe(`${'b'.repeat(199)}… · 2 min`);
  });

  it('tell of errors, failed parts and silence', () => {
    const account = new Account(0);
    account.take({ kind: 'error', message: 'slow mirror', recoverable: true });
    account.take(file('a', 1, 1, { ended: 'badly' }));
    account.take(file('a', 1, 1, { ended: 'badly' }));
    expect(account.picture(5_000, 20_000)).toMatchObject({
      tone: 'warning',
      message: 'No sign of life for 20 s · slow mirror · 1 of 1 B · 1 failed · 5 s',
    });
  });
});

it('a flood of items is bounded', () => {
  const account = new Account(0);
  for (let index = 0; index < 5_000; index += 1) account.take(file(`f${index}`, 1, 2));
  expect(account.picture(0, null)).toMatchObject({ percent: 50, message: '1 of 2 kB · 0 s' });
});
