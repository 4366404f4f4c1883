/** rclone's `--use-json-log`: the statistics it writes, and its last line, which is plain text. */
import type { Fields } from '../../../../server/protocol/json-object.ts';
import type { Adapter, Reading, WatchEvent } from '../adapter.ts';
import { log, MAX_MESSAGE, NO_CONTROLS, problem, progress, verdict } from './events.ts';
import { percentOf, rising } from './rising.ts';
import { amount, asNumber, asObject, asText, jsonIn, objectsIn } from './values.ts';
import { bytes, count, duration, firstLine, together } from './words.ts';

/** What rclone says by its exit code where that is more than its last line. */
const CODES: Readonly<Record<number, string>> = {
  2: 'rclone did not understand what was typed',
  8: 'It stopped at its limit of bytes',
  10: 'It stopped at its limit of time',
};
const NOTHING_TO_DO = 9;
const LEVELS = /^(debug|info|notice|warning|error|critical|alert|emergency)$/;
const BAD = /^(error|critical|alert|emergency)$/;
/** `2026/11/30 21:46:28 Failed to copy: directory not found`, also with a level in front of the text. */
const LAST_LINE = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d (?:[A-Z]+ *: )?(.+)/;
const ATTEMPT = /^Attempt \d+\/\d+ /;

const statsIn = (event: Fields): Fields | null => {
  const stats = asObject(event.stats);
  return ['bytes', 'totalBytes', 'transfers', 'checks'].every((name) => typeof stats?.[name] === 'number')
    ? stats
    : null;
};

export const rclone: Adapter = {
  name: 'rclone',
  summary: 'rclone with --use-json-log --stats 1s --stats-log-level NOTICE: bytes done, speed, time left',
  recognizes(line) {
    const event = jsonIn(line);
    return (
      event !== null &&
      LEVELS.test(String(event.level)) &&
      [event.msg, event.time, event.source].every((field) => typeof field === 'string') &&
      (statsIn(event) !== null || (typeof event.object === 'string' && typeof event.objectType === 'string'))
    );
  },
  controls: NO_CONTROLS,
  silenceMs: null,
  start: readRclone,
};

function nowMoving(files: readonly Fields[]): string | null {
  const first = asText(files[0]?.name)?.split('/').at(-1) ?? null;
  return first !== null && files.length > 1 ? `${first} and ${files.length - 1} more` : first;
}

function statsText(stats: Fields): string | undefined {
  const left = asNumber(stats.eta);
  const speed = amount(stats.speed);
  return together(
    `${amount(stats.transfers)} of ${count(amount(stats.totalTransfers), 'file')}`,
    speed > 0 && `${bytes(speed)}/s`,
    left !== null && left > 0 && `${duration(left)} left`,
    nowMoving(objectsIn(stats.transferring)),
  );
}

function endText(stats: Fields | null): string | undefined {
  if (stats === null) return undefined;
  const files = amount(stats.transfers);
  if (files === 0) return 'nothing had to be copied';
  return together(`${count(files, 'file')}, ${bytes(amount(stats.bytes))}`);
}

function readRclone(): Reading {
  const highest = rising();
  let last: Fields | null = null;
  let said: string | null = null;
  let failure: string | null = null;

  function statistics(stats: Fields): WatchEvent {
    last = stats;
    const total = amount(stats.totalBytes);
    const copying = total > 0 || amount(stats.totalTransfers) > 0;
    return progress({
      percent: highest.next(percentOf(amount(stats.bytes), total)),
      done: amount(stats.bytes),
      total: total > 0 ? total : null,
      unit: 'bytes',
      phase: copying ? 'copying' : 'checking',
      message: copying ? statsText(stats) : `${count(amount(stats.checks), 'file')} checked`,
    });
  }

  function logged(event: Fields): readonly WatchEvent[] {
    const text = together(asText(event.object), firstLine(asText(event.msg) ?? '', MAX_MESSAGE));
    if (!BAD.test(String(event.level))) return log('info', text);
    if (ATTEMPT.test(asText(event.msg) ?? '')) return log('warn', text);
    const repeated = text === failure;
    failure = text ?? failure;
    return repeated ? [] : problem(text, true);
  }

  return {
    read(line) {
      const event = jsonIn(line);
      if (event === null) {
        const plain = line.cut ? null : LAST_LINE.exec(line.text);
        if (plain !== null) said = plain[1]!;
        return [];
      }
      const stats = statsIn(event);
      // The statistics are logged as warnings by some versions: what they are shows in what they hold.
      if (stats !== null) return [statistics(stats)];
      return typeof event.msg === 'string' && LEVELS.test(String(event.level)) ? logged(event) : [];
    },
    verdict({ code, signal }) {
      if (signal !== null || code === null || code === 130) return null;
      if (code === 0) return verdict('done', endText(last));
      if (code === NOTHING_TO_DO) return verdict('done', 'nothing had to be copied');
      return verdict('failed', CODES[code] ?? said ?? failure ?? `rclone ended with ${code}`);
    },
  };
}
