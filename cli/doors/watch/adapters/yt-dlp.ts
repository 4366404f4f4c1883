/** yt-dlp's progress template as JSON: one item per file that is fetched, picture and sound of one video being two. */
import type { Fields } from '../../../../server/protocol/json-object.ts';
import type { Adapter, Reading, WatchEvent } from '../adapter.ts';
import { toLine } from '../text.ts';
import { MAX_MESSAGE, NO_CONTROLS, problem, progress, verdict } from './events.ts';
import { percentOf, type Rising, rising } from './rising.ts';
import { amount, asNumber, asObject, asText, jsonIn } from './values.ts';
import { bytes, count, duration, together } from './words.ts';

/** What the documentation tells to type; without the wrapper, yt-dlp's own underscored fields tell its progress apart. */
const STATES = /^(downloading|finished|error)$/;
/** Written on standard error without a line of its own after what a template for post-processing prints. */
const ERROR = /(?:^|\})ERROR: (.+?)(?:; please report this issue.*)?$/;
const CODES: Readonly<Record<number, string>> = {
  2: 'yt-dlp did not understand what was typed',
  100: 'yt-dlp has to be started again to update itself',
};
/** It was told to stop there: `--max-downloads`, `--break-on-existing` and their kind. */
const STOPPED_AS_TOLD = 101;
/** Files kept apart; a list of more is summed up in the last of them. */
const MAX_FILES = 2_000;

function progressIn(event: Fields): Fields | null {
  const wrapped = asObject(event.ytdlp);
  const found = wrapped ?? (typeof event._default_template === 'string' ? event : null);
  return found !== null && STATES.test(String(found.status)) && typeof found.filename === 'string' ? found : null;
}

export const ytDlp: Adapter = {
  name: 'yt-dlp',
  summary: 'yt-dlp with a progress template that prints JSON: bytes done per file, speed, time left',
  recognizes(line) {
    const event = jsonIn(line);
    return event !== null && progressIn(event) !== null;
  },
  controls: NO_CONTROLS,
  silenceMs: null,
  start: readYtDlp,
};

/** How far a file is: by bytes, else by the parts of a stream. */
function part(state: Fields, done: number, total: number | null): number | null {
  if (state.status === 'finished') return 100;
  const parts = asNumber(state.fragment_count);
  return percentOf(done, total) ?? percentOf(amount(state.fragment_index), parts);
}

function stateText(state: Fields, name: string): string | undefined {
  const speed = amount(state.speed);
  const left = asNumber(state.eta);
  return together(name, speed > 0 && `${bytes(speed)}/s`, left !== null && left > 0 && `${duration(left)} left`);
}

function readYtDlp(): Reading {
  const files = new Map<string, { readonly percent: Rising; over: boolean }>();
  let error: string | null = null;

  function fileOf(path: string) {
    const known = files.get(path);
    if (known !== undefined || files.size >= MAX_FILES) return known ?? null;
    const file = { percent: rising(), over: false };
    files.set(path, file);
    return file;
  }

  function downloading(state: Fields): readonly WatchEvent[] {
    const path = asText(state.filename) ?? '';
    const file = fileOf(path);
    if (file === null) return [];
    const total = asNumber(state.total_bytes) ?? asNumber(state.total_bytes_estimate);
    const done = amount(state.downloaded_bytes);
    file.over = state.status === 'finished';
    return [
      progress({
        key: path,
        percent: file.percent.next(part(state, done, total)),
        done,
        total: total !== null && total > 0 ? Math.max(total, done) : file.over ? done : null,
        unit: 'bytes',
        phase: 'downloading',
        message: stateText(state, path.split('/').at(-1) ?? ''),
        ended: file.over ? 'well' : state.status === 'error' ? 'badly' : undefined,
      }),
    ];
  }

  return {
    read(line) {
      const event = jsonIn(line);
      if (event === null) {
        const found = line.stream === 'stderr' && !line.cut ? ERROR.exec(line.text) : null;
        if (found === null) return [];
        error = toLine(found[1]!, MAX_MESSAGE) ?? error;
        return problem(error, true);
      }
      const state = progressIn(event);
      return state === null ? [] : downloading(state);
    },
    verdict({ code, signal }) {
      if (signal !== null || code === null || code === 130) return null;
      const whole = [...files.values()].filter(({ over }) => over).length;
      if (code === 0) return verdict('done', whole > 0 ? `${count(whole, 'file')} downloaded` : null);
      if (code === STOPPED_AS_TOLD) return verdict('done', 'it stopped where it was told to');
      return verdict('failed', CODES[code] ?? error ?? `yt-dlp ended with ${code}`);
    },
  };
}
