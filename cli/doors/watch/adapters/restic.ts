/** restic's `--json`: backup, restore and check, with how far it is and what its exit codes say in words. */
import type { Fields } from '../../../../server/protocol/json-object.ts';
import type { Adapter, Reading, Verdict, WatchEvent } from '../adapter.ts';
import { toLine } from '../text.ts';
import { MAX_MESSAGE, NO_CONTROLS, problem, progress, verdict } from './events.ts';
import { rising } from './rising.ts';
import { amount, asNumber, asObject, asText, jsonIn } from './values.ts';
import { bytes, count, duration, together } from './words.ts';

/** What restic says by its exit code; 1 says nothing, its last line on standard error does. */
const CODES: Readonly<Record<number, string>> = {
  3: 'A snapshot was made, but some files could not be read',
  10: 'There is no repository at that place',
  11: 'The repository is locked by another restic',
  12: 'The password is wrong',
};
const INTERRUPTED = 130;
const FATAL = /^Fatal: (.+)/;
const LOCKED = /^(unable to create lock .+)/;

const isCount = (value: unknown): boolean => typeof value === 'number';

const KINDS: Readonly<Record<string, (event: Fields) => boolean>> = {
  status: (event) => isCount(event.percent_done) || (typeof event.action === 'string' && isCount(event.data_size)),
  verbose_status: (event) => typeof event.action === 'string',
  summary: (event) =>
    ['total_duration', 'files_restored', 'num_errors', 'total_files'].some((name) => isCount(event[name])),
  error: (event) => asObject(event.error) !== null && typeof event.during === 'string',
  exit_error: (event) => isCount(event.code) && typeof event.message === 'string',
};

export const restic: Adapter = {
  name: 'restic',
  summary: 'restic backup, restore or check with --json: files and bytes done, time left',
  recognizes(line) {
    const event = jsonIn(line);
    const kind = asText(event?.message_type);
    return event !== null && kind !== null && Object.hasOwn(KINDS, kind) && KINDS[kind]!(event);
  },
  controls: NO_CONTROLS,
  silenceMs: null,
  start: readRestic,
};

function statusText(event: Fields): string | undefined {
  const files = asNumber(event.total_files);
  const left = asNumber(event.seconds_remaining);
  const errors = amount(event.error_count);
  const done = amount(event.files_done) || amount(event.files_restored);
  return together(
    files !== null && `${done} of ${count(files, 'file')}`,
    left !== null && left > 0 && `${duration(left)} left`,
    errors > 0 && count(errors, 'error'),
  );
}

/** What is worth knowing of a summary: of a backup, a restore or a check. */
function summaryText(event: Fields): string | undefined {
  if (isCount(event.num_errors)) return together(count(amount(event.num_errors), 'error'));
  const added = asNumber(event.data_added);
  const snapshot = asText(event.snapshot_id)?.slice(0, 8);
  if (added === null) return together(`${count(amount(event.files_restored), 'file')} restored`);
  return together(
    `${amount(event.files_new)} new, ${amount(event.files_changed)} changed`,
    `${bytes(added)} added`,
    snapshot !== undefined && `snapshot ${snapshot}`,
  );
}

function readRestic(): Reading {
  const highest = rising();
  let summary: string | null = null;
  let said: string | null = null;
  let errors = 0;

  function status(event: Fields): readonly WatchEvent[] {
    const part = asNumber(event.percent_done);
    // With -v the end of the scan is told in a line of this kind that says nothing of how far it is.
    if (part === null) return [];
    const total = amount(event.total_bytes);
    const done = Math.min(amount(event.bytes_done) || amount(event.bytes_restored), total || Number.MAX_VALUE);
    return [
      progress({
        percent: highest.next(total > 0 || part > 0 ? part * 100 : null),
        done,
        total: total > 0 ? total : null,
        unit: 'bytes',
        message: statusText(event),
      }),
    ];
  }

  function failed(code: number): Verdict {
    const unread = code === 3 && errors > 0 ? ` (${count(errors, 'error')})` : '';
    const words = CODES[code];
    return verdict('failed', words !== undefined ? `${words}${unread}` : (said ?? `restic ended with ${code}`));
  }

  return {
    read(line) {
      const event = jsonIn(line);
      if (event === null) {
        const fatal = line.cut ? null : (FATAL.exec(line.text) ?? LOCKED.exec(line.text));
        if (fatal !== null) said = toLine(fatal[1]!, MAX_MESSAGE) ?? said;
        return [];
      }
      switch (event.message_type) {
        case 'status':
          return status(event);
        case 'summary':
          summary = summaryText(event) ?? null;
          return [];
        case 'error': {
          errors += 1;
          const why = asText(asObject(event.error)?.message) ?? 'could not be read';
          return problem(`${asText(event.item) ?? 'a file'}: ${why}`, true);
        }
        case 'exit_error':
          said = toLine((asText(event.message) ?? '').replace(/^Fatal: /, ''), MAX_MESSAGE) ?? said;
          return [];
        default:
          return [];
      }
    },
    verdict({ code, signal }) {
      if (signal !== null || code === null) return null;
      if (code === INTERRUPTED) return verdict('cancelled', 'restic was interrupted');
      return code === 0 ? verdict('done', summary) : failed(code);
    },
  };
}
