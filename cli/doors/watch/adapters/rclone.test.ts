import { describe, expect, it } from 'vitest';
import { rclone } from './rclone.ts';
import { exited, linesOf, messagesOf, progressOf, replay, toLine } from './replay.fixture.ts';

const run = (name: string) => replay(rclone, ...linesOf(`rclone-${name}`, 'stderr'));
const stats = (fields: object) =>
  toLine(
    JSON.stringify({
      level: 'warning',
      msg: 'x',
      time: 't',
      source: 'accounting/stats.go:482',
      stats: { bytes: 0, totalBytes: 0, transfers: 0, checks: 0, ...fields },
    }),
    'stderr',
  );

describe('rclone', () => {
  it('is as far as its bytes, whatever the level of the line says', () => {
    const all = progressOf(run('copy'));
    expect(all[0]).toMatchObject({ done: 741_376, total: 9_000_000, unit: 'bytes', phase: 'copying' });
    expect(all[0]!.message).toMatch(/^0 of 3 files, f1.bin and 2 more$/);
    expect(all.map(({ percent }) => Math.round(percent!))).toEqual([8, 29, 50, 71, 92, 100]);
    expect(messagesOf(run('copy'), 'log')).toEqual([]);
  });

  it('has no percentage without a total, and does not go back when the total grows', () => {
    const { events } = replay(
      rclone,
      stats({ checks: 7 }),
      stats({ bytes: 50, totalBytes: 100, totalTransfers: 1 }),
      stats({ bytes: 60, totalBytes: 200, totalTransfers: 2, eta: 100, speed: 2048 }),
    );
    expect(events).toMatchObject([
      { percent: null, total: null, phase: 'checking', message: '7 files checked' },
      { percent: 50 },
      { percent: 50, done: 60, total: 200, message: '0 of 2 files, 2.05 kB/s, 1 min left' },
    ]);
  });

  it('has no last event: the process says how it ended', () => {
    expect(run('verbose').reading.verdict(exited(0))).toEqual({ outcome: 'done', message: '3 files, 9 MB' });
    expect(replay(rclone, stats({ checks: 3 })).reading.verdict(exited(0))!.message).toBe('nothing had to be copied');
    expect(run('verbose').reading.verdict(exited(9))!.outcome).toBe('done');
  });

  it('tells the same error once, attempts as a warning, and ends with its plain last line', () => {
    expect(messagesOf(run('missing'), 'error')).toEqual([
      'Local file system at /home/ada/backup/nothere, error reading source root directory: directory not found',
    ]);
    expect(messagesOf(run('missing'), 'log')).toHaveLength(3);
    expect(run('missing').reading.verdict(exited(3))).toEqual({
      outcome: 'failed',
      message: 'Failed to copy: directory not found',
    });
  });

  it.each([
    [8, 'It stopped at its limit of bytes'],
    [10, 'It stopped at its limit of time'],
    [2, 'rclone did not understand what was typed'],
    [5, 'rclone ended with 5'],
  ])('says in words what it means by %i', (code, message) =>
    expect(replay(rclone, stats({})).reading.verdict(exited(code))).toEqual({ outcome: 'failed', message }),
  );
});
