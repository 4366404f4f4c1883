import { describe, expect, it } from 'vitest';
import { exited, linesOf, messagesOf, progressOf, replay, toLine } from './replay.fixture.ts';
import { ytDlp } from './yt-dlp.ts';

const state = (fields: object) => toLine(JSON.stringify({ ytdlp: { status: 'downloading', ...fields }, id: 'a' }));

describe('yt-dlp', () => {
  it.each(['wrapped', 'plain'])('is as far as its bytes, with a %s template', (name) => {
    const all = progressOf(replay(ytDlp, ...linesOf(`yt-dlp-${name}`)));
    expect(all[0]).toMatchObject({
      key: 'yd/a [a].mp4',
      done: 1024,
      total: 400_000,
      unit: 'bytes',
      phase: 'downloading',
    });
    expect(all[0]!.message).toMatch(/^a \[a\]\.mp4/);
    expect(all.at(-1)).toMatchObject({ percent: 100, ended: 'well' });
  });

  it('takes picture and sound of one video for two items', () => {
    const { events, reading } = replay(
      ytDlp,
      state({ filename: 'a.f1.mp4', downloaded_bytes: 50, total_bytes: 100, eta: 7, speed: 10 }),
      state({ filename: 'a.f2.m4a', downloaded_bytes: 5, total_bytes_estimate: 10.5 }),
      state({ filename: 'a.f1.mp4', status: 'finished', total_bytes: 100, downloaded_bytes: 100 }),
    );
    expect(events).toMatchObject([
      { key: 'a.f1.mp4', percent: 50, message: 'a.f1.mp4, 10 B/s, 7 s left' },
      { key: 'a.f2.m4a', percent: expect.closeTo(47.6, 1), total: 10.5 },
      { key: 'a.f1.mp4', percent: 100, ended: 'well' },
    ]);
    expect(reading.verdict(exited(0))).toEqual({ outcome: 'done', message: '1 file downloaded' });
  });

  it('goes by the parts of a stream of unknown size, and does not go back with a guess', () => {
    const { events } = replay(
      ytDlp,
      state({ filename: 'a', downloaded_bytes: 9, fragment_index: 3, fragment_count: 4 }),
      state({ filename: 'a', downloaded_bytes: 10, total_bytes_estimate: 100 }),
      state({ filename: 'b', downloaded_bytes: 10 }),
    );
    expect(events).toMatchObject([
      { percent: 75, done: 9, total: null },
      { percent: 75, total: 100 },
      { percent: null, total: null },
    ]);
  });

  it('says why by what it writes on standard error, also behind what a template left there', () => {
    const run = replay(ytDlp, ...linesOf('yt-dlp-errors', 'stderr'));
    expect(messagesOf(run, 'error')).toEqual([
      "[generic] None: Unable to download webpage: HTTP Error 404: File not found (caused by <HTTPError 404: 'File not found'>)",
    ]);
    expect(run.reading.verdict(exited(1))!.message).toMatch(/^\[generic\] None: Unable to download webpage/);
    expect(replay(ytDlp, toLine('ERROR: printed')).events).toEqual([]);
  });

  it('tells a file that failed', () => {
    expect(replay(ytDlp, state({ filename: 'a', status: 'error' })).events).toMatchObject([{ ended: 'badly' }]);
  });

  it.each([
    [101, 'done', 'it stopped where it was told to'],
    [2, 'failed', 'yt-dlp did not understand what was typed'],
    [1, 'failed', 'yt-dlp ended with 1'],
  ])('means by %i that it is %s', (code, outcome, message) =>
    expect(replay(ytDlp).reading.verdict(exited(code))).toEqual({ outcome, message }),
  );
});
