import { describe, expect, it } from 'vitest';
import { codex } from './codex.ts';
import { exited, linesOf, messagesOf, progressOf, replay, toLine } from './replay.fixture.ts';

const run = (until?: number) => replay(codex, ...linesOf('codex').slice(0, until));

describe('codex', () => {
  it('says what the agent does', () => {
    const said = progressOf(run()).map(({ phase, message }) => [phase, message]);
    expect(said).toEqual(
      expect.arrayContaining([
        ['thinking', undefined],
        ['running a command', 'bash -lc ls'],
        ['changing files', 'main.rs and 1 more'],
        ['using a tool', 'notes: find'],
        ['searching the web', 'rust assert_eq'],
        ['planning', 'Mend the test'],
      ]),
    );
  });

  it('is as far as its list of things to do, and not less far when the list grows', () => {
    const planned = progressOf(run()).filter(({ phase }) => phase === 'planning');
    expect(planned.map(({ percent, done, total }) => [percent, done, total])).toEqual([
      [0, 0, 2],
      [50, 1, 2],
      [50, 1, 3],
      [100, 3, 3],
    ]);
    expect(progressOf(run(5)).every(({ percent }) => percent === null)).toBe(true);
  });

  it('tells of what failed or was declined on the way, never of what a command printed', () => {
    expect(messagesOf(run(), 'log')).toEqual([
      'failed: notes: find',
      'failed: bash -lc "cargo test"',
      'declined: rm -rf /',
      'The test passes now.',
    ]);
    expect(messagesOf(run(), 'error')).toEqual(['one tool is slow', 'Reconnecting... 1/5']);
    expect(JSON.stringify(run().events)).not.toContain('FAILED');
  });

  it('has done it when the turn and the process say so', () => {
    expect(run().reading.verdict(exited(0))).toEqual({ outcome: 'done', message: 'The test passes now.' });
    expect(run().reading.verdict(exited(1))!.outcome).toBe('failed');
    const failed = replay(codex, ...linesOf('codex-failed'));
    expect(failed.reading.verdict(exited(0))).toEqual({
      outcome: 'failed',
      message: 'the model is not to be had',
    });
  });

  it('is abnormal when no turn has ended', () => {
    expect(run(6).reading.verdict(exited(0))!.outcome).toBe('abnormal');
  });

  it('takes what it does not know for nothing', () => {
    const lines = ['{"type":"item.completed","item":{"id":"x","type":"poem"}}', '{"type":"thread.renamed"}'];
    expect(replay(codex, ...lines.map((line) => toLine(line))).events).toEqual([]);
  });
});
