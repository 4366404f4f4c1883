import { describe, expect, it } from 'vitest';
import type { DownloadState } from '../../../server/packs/types.ts';
import { fakeClock } from '../testing.ts';
import { DownloadReport } from './download-report.ts';

const file = (name: string, downloadedBytes: number, more: Partial<DownloadState> = {}): DownloadState => ({
  name,
  totalBytes: 1_000,
  downloadedBytes,
  started: true,
  finished: false,
  success: false,
  ...more,
});
const finished = (name: string): DownloadState => file(name, 1_000, { finished: true, success: true });

interface Told {
  readonly atMs: number;
  readonly payload: { readonly files: readonly DownloadState[]; readonly [field: string]: unknown };
}

function start(packCount = 1) {
  const clock = fakeClock();
  const told: Told[] = [];
  const percents: number[] = [];
  const conversation = {
    data: (dataKind: string, payload: unknown) => {
      expect(dataKind).toBe('download_progress');
      told.push({ atMs: clock.now(), payload: payload as Told['payload'] });
    },
    progress: (_phase: string, percent: number) => percents.push(percent),
  };
  return { clock, told, percents, report: new DownloadReport(conversation, clock, packCount) };
}

describe('the report of downloads', () => {
  it('has the fields clients know', () => {
    const { report, told } = start();
    report.update([file('a:b@1.0.0', 250), file('a:longer@1.0.0', 0, { totalBytes: 0, started: false })]);
    expect(told[0]?.payload).toEqual({
      files: [
        { name: 'a:b@1.0.0', totalBytes: 1_000, downloadedBytes: 250, started: true, finished: false, success: false },
        {
          name: 'a:longer@1.0.0',
          totalBytes: 0,
          downloadedBytes: 0,
          started: false,
          finished: false,
          success: false,
        },
      ],
      nameWidth: 14,
      elapsedSec: 0,
      sizesReady: false,
      prevLines: 0,
    });
  });

  it('comes at most once in 100 ms, and then with the newest state', async () => {
    const { report, told, clock } = start();
    for (let bytes = 0; bytes < 1_000; bytes += 1) {
      report.update([file('a', bytes)]);
      await clock.advance(1);
    }
    expect(told.length).toBeGreaterThanOrEqual(9);
    expect(told.length).toBeLessThanOrEqual(11);
    for (const [index, { atMs }] of told.entries()) {
      if (index > 0) expect(atMs - told[index - 1]!.atMs).toBeGreaterThanOrEqual(100);
    }
  });

  it('tells the last state at once when it is over, and nothing after it', async () => {
    const { report, told, clock } = start();
    report.update([file('a', 1)]);
    report.update([finished('a')]);
    report.end();
    expect(told.map(({ payload }) => payload.files[0]?.finished)).toEqual([false, true]);
    await clock.advance(1_000);
    expect(told).toHaveLength(2);
  });

  it('tells what did not finish as not successful', () => {
    const { report, told } = start();
    report.update([finished('a'), file('b', 300)]);
    report.end();
    expect(told.at(-1)?.payload.files).toMatchObject([
      { finished: true, success: true },
      { finished: true, success: false, downloadedBytes: 300 },
    ]);
  });

  it('counts in whole percents that never go back, to 100 at the end', async () => {
    const { report, percents, clock } = start(2);
    for (const bytes of [0, 333, 100, 1_000]) {
      report.update([file('a', bytes), file('b', bytes)]);
      await clock.advance(100);
    }
    report.packEnded('a');
    report.packEnded('b');
    expect(percents).toEqual([0, 29, 29, 90, 95, 100]);
  });
});
