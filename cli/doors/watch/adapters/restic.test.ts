import { describe, expect, it } from 'vitest';
import { exited, linesOf, messagesOf, progressOf, replay, toLine } from './replay.fixture.ts';
import { restic } from './restic.ts';

const run = (name: string) => replay(restic, ...linesOf(`restic-${name}`));
const status = (fields: object) => toLine(JSON.stringify({ message_type: 'status', ...fields }));

describe('restic', () => {
  it('is told in parts of one, and shown in percent', () => {
    expect(progressOf(run('backup')).map(({ percent }) => percent && Math.round(percent))).toEqual([
      null,
      0,
      9,
      64,
      92,
      100,
    ]);
    expect(progressOf(run('backup'))[3]).toEqual({
      kind: 'progress',
      percent: expect.closeTo(64.46, 1),
      done: 5_801_095,
      total: 9_000_000,
      unit: 'bytes',
      message: '1 of 4 files, 1 error',
    });
  });

  it('takes what is left out for zero', () => {
    const { events } = replay(restic, status({ percent_done: 0.5, total_files: 2, total_bytes: 10 }));
    expect(events).toMatchObject([{ done: 0, total: 10, message: '0 of 2 files' }]);
  });

  it('does not go back while the scan finds more, and says how long it takes', () => {
    expect(progressOf(run('newer')).map(({ percent, message }) => [percent, message])).toEqual([
      [40, '1 of 3 files, 1 min left'],
      [40, '0 of 9 files'],
    ]);
  });

  it('says nothing of how far it is when the scan ends', () => {
    const line = status({ action: 'scan_finished', item: '', duration: 0.2, data_size: 9, total_files: 3 });
    expect(restic.recognizes(line)).toBe(true);
    expect(replay(restic, line).events).toEqual([]);
  });

  it('tells of files that it could not read, as old and new versions do', () => {
    expect(messagesOf(run('newer'), 'error')).toEqual(['/home/ada/f2.bin: read f2.bin: input/output error']);
    expect(messagesOf(run('backup-errors'), 'error')).toEqual(['/proc/self/mem: could not be read']);
  });

  it('says what was kept', () => {
    expect(run('newer').reading.verdict(exited(0))).toEqual({
      outcome: 'done',
      message: '3 new, 0 changed, 9 MB added, snapshot 9c7ea095',
    });
    expect(run('restore').reading.verdict(exited(0))).toEqual({ outcome: 'done', message: '4 files restored' });
    expect(progressOf(run('restore'))[0]).toMatchObject({ percent: 50, done: 500, message: '2 of 4 files' });
    const check = toLine('{"message_type":"summary","num_errors":0,"broken_packs":null}');
    expect(replay(restic, check).reading.verdict(exited(0))!.message).toBe('0 errors');
  });

  it.each([
    [3, 'failed', 'A snapshot was made, but some files could not be read (1 error)'],
    [10, 'failed', 'There is no repository at that place'],
    [11, 'failed', 'The repository is locked by another restic'],
    [12, 'failed', 'The password is wrong'],
    [130, 'cancelled', 'restic was interrupted'],
    [99, 'failed', 'restic ended with 99'],
  ])('means by %i that it %s', (code, outcome, message) =>
    expect(run('backup-errors').reading.verdict(exited(code))).toEqual({ outcome, message }),
  );

  it('says why by its last words where the code says nothing', () => {
    const old = toLine('Fatal: wrong password or no key found', 'stderr');
    expect(replay(restic, old).reading.verdict(exited(1))!.message).toBe('wrong password or no key found');
    const newer = toLine('{"message_type":"exit_error","code":1,"message":"Fatal: no space left"}', 'stderr');
    expect(replay(restic, newer).reading.verdict(exited(1))!.message).toBe('no space left');
    const locked = toLine('unable to create lock in backend: repository is already locked', 'stderr');
    expect(replay(restic, locked).reading.verdict(exited(1))!.message).toMatch(/already locked/);
  });
});
