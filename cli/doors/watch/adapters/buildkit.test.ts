import { describe, expect, it } from 'vitest';
import { buildkit } from './buildkit.ts';
import { exited, linesOf, messagesOf, progressOf, replay, toLine } from './replay.fixture.ts';

const run = () => replay(buildkit, ...linesOf('buildkit', 'stderr'));
const DIGEST = `sha256:${'0'.repeat(64)}`;
const vertexes = (...list: object[]) => toLine(JSON.stringify({ vertexes: list }));

describe('BuildKit', () => {
  it('counts the steps done of those known, and shows the one that runs', () => {
    expect(progressOf(run()).map(({ done, total, message }) => [`${done} of ${total}`, message])).toEqual([
      ['0 of 1', '[internal] load build definition from Dockerfile'],
      ['1 of 1', '[internal] load build definition from Dockerfile'],
      ['1 of 4', '[internal] load build definition from Dockerfile'],
      ['1 of 4', '[1/3] FROM docker.io/library/alpine:3'],
      ['2 of 4', '[1/3] FROM docker.io/library/alpine:3'],
      ['3 of 4', '[1/3] FROM docker.io/library/alpine:3'],
      ['3 of 4', '[3/3] RUN make'],
      ['4 of 4', '[3/3] RUN make'],
    ]);
  });

  it('shows a warning, and nothing of what steps print', () => {
    expect(messagesOf(run(), 'log')).toEqual(["FromAsCasing: 'as' and 'FROM' keywords' casing do not match (line 1)"]);
    expect(JSON.stringify(run().events)).not.toContain('main.c');
  });

  it('has no last line: the process says how it ended', () => {
    expect(run().reading.verdict(exited(0))).toEqual({ outcome: 'done', message: '4 steps, 1 cached' });
  });

  it('failed with the error of the last step that had one', () => {
    const { reading, events } = replay(buildkit, ...linesOf('buildkit-failed'));
    expect(events.filter(({ kind }) => kind === 'error')).toHaveLength(1);
    expect(reading.verdict(exited(1))).toEqual({
      outcome: 'failed',
      message: '[2/2] RUN make: process "/bin/sh -c make" did not complete successfully: exit code: 2',
    });
  });

  it('counts a step that starts again as not done', () => {
    const name = 'x';
    const { events } = replay(
      buildkit,
      vertexes({ digest: DIGEST, name, started: 't', completed: 't' }),
      vertexes({ digest: DIGEST, name, started: 't' }),
    );
    expect(events).toMatchObject([
      { done: 1, percent: 100 },
      { done: 0, percent: 100 },
    ]);
  });

  it.each(['{"vertexes":null,"logs":null}', '{"statuses":[]}'])('%s says nothing', (text) =>
    expect(replay(buildkit, toLine(text)).events).toEqual([]),
  );
});
