import { describe, expect, it } from 'vitest';
import { cargo } from './cargo.ts';
import { exited, linesOf, messagesOf, progressOf, replay, toLine } from './replay.fixture.ts';

const run = (name: string) => replay(cargo, ...linesOf(`cargo-${name}`));
const artifact = (id: string, fresh: boolean) =>
  toLine(JSON.stringify({ reason: 'compiler-artifact', package_id: id, target: { name: id }, fresh }));

describe('cargo', () => {
  it('counts crates, with no percentage: nobody says how many there will be', () => {
    const { events } = replay(
      cargo,
      artifact('a', true),
      artifact('a', true),
      artifact('b', false),
      artifact('a', false),
    );
    expect(events.map((event) => event.kind === 'progress' && [event.percent, event.message])).toEqual([
      [null, '1 crate, 1 fresh, a'],
      [null, '1 crate, 1 fresh, a'],
      [null, '2 crates, 1 fresh, b'],
      [null, '2 crates, a'],
    ]);
  });

  it('tells of a warning and goes on', () => {
    expect(messagesOf(run('build'), 'log')).toEqual(['warning: unused variable: `unused` (src/main.rs:2)']);
    expect(run('build').reading.verdict(exited(0))).toEqual({ outcome: 'done', message: '1 crate, 1 warning' });
  });

  it('tells of the first error at once, and at the end', () => {
    expect(messagesOf(run('failed'), 'error')).toEqual(['error[E0308]: mismatched types (src/main.rs:1)']);
    expect(run('failed').reading.verdict(exited(101))).toEqual({
      outcome: 'failed',
      message: 'error[E0308]: mismatched types (src/main.rs:1)',
    });
  });

  it('says how many errors more there were', () => {
    const [error] = linesOf('cargo-failed');
    const { events, reading } = replay(
      cargo,
      error!,
      error!,
      error!,
      toLine('{"reason":"build-finished","success":false}'),
    );
    expect(events.map(({ kind }) => kind)).toEqual(['error', 'log', 'log']);
    expect(reading.verdict(exited(101))!.message).toMatch(/ and 2 more errors$/);
  });

  it('is a failure when what was built fails: the tests print plain text after the last line of JSON', () => {
    expect(run('test').reading.verdict(exited(101))).toEqual({
      outcome: 'failed',
      message: expect.stringMatching(/^built, and then: FAILED. 0 passed; 1 failed/),
    });
    expect(run('run').reading.verdict(exited(3))).toEqual({
      outcome: 'failed',
      message: 'built, and then it ended with 3',
    });
    expect(progressOf(run('run')).at(-1)).toMatchObject({ phase: 'running', percent: null });
  });

  it('has only text on standard error when it does not even begin', () => {
    const { events, reading } = replay(cargo, toLine('error: package ID specification `x` did not match', 'stderr'));
    expect(events).toEqual([]);
    expect(reading.verdict(exited(101))).toEqual({
      outcome: 'failed',
      message: 'package ID specification `x` did not match',
    });
  });

  it('is any program without a word of its end', () => {
    expect(replay(cargo, artifact('a', true)).reading.verdict(exited(0))).toBeNull();
  });
});
