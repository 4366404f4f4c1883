import { describe, expect, it } from 'vitest';
import { toEnding, verdictOf } from './ending.ts';
import type { Verdict } from './watch/adapter.ts';

const ended = (code: number | null, signal: NodeJS.Signals | null = null) => ({ code, signal });

describe('an end', () => {
  it.each([
    [0, null, 'done'],
    [1, null, 'failed'],
    [130, null, 'cancelled'],
    [null, 'SIGINT', 'cancelled'],
    [null, 'SIGSEGV', 'abnormal'],
  ] as const)('with %j, %j is %s where the program itself says nothing', (code, signal, outcome) => {
    expect(verdictOf({ code, signal })).toEqual({ outcome });
  });

  it('looks different in each case', () => {
    const outcomes: readonly Verdict['outcome'][] = ['done', 'failed', 'abnormal', 'refused', 'cancelled', 'declined'];
    const endings = outcomes.map((outcome) => toEnding({ outcome }, ended(0), false, 0));
    expect(new Set(endings.map(({ text }) => text)).size).toBe(outcomes.length);
    expect(endings.map(({ tone }) => tone)).toEqual([
      'success',
      'error',
      'error',
      'warning',
      'information',
      'information',
    ]);
  });

  it('tells why, with what, and after how long, in plain words', () => {
    const verdict = { outcome: 'failed', message: `\x1b[31mno space\u202e ${'x'.repeat(500)}` } as const;
    const { text } = toEnding(verdict, ended(28), false, 125_000);
    expect(text).toMatch(/^Failed · no space x+… · exit code 28 · 2 min$/);
    expect([...text].length).toBeLessThanOrEqual(280);
    expect(toEnding({ outcome: 'abnormal' }, ended(null, 'SIGKILL'), false, 0).text).toContain('SIGKILL');
  });

  it('that the user wanted is no failure, and one that went well all the same is one that went well', () => {
    expect(toEnding({ outcome: 'failed', message: 'x' }, ended(1), true, 0)).toMatchObject({
      outcome: 'cancelled',
      text: 'Cancelled · 0 s',
    });
    expect(toEnding({ outcome: 'done' }, ended(0), true, 0).outcome).toBe('done');
  });
});
