/** cargo's `--message-format=json`: crates as they are built, what the compiler says, and what came of it. */
import type { Fields } from '../../../../server/protocol/json-object.ts';
import type { Adapter, Reading, WatchEvent } from '../adapter.ts';
import { toLine } from '../text.ts';
import { log, MAX_MESSAGE, NO_CONTROLS, problem, progress, verdict } from './events.ts';
import { asNumber, asObject, asText, jsonIn, objectsIn } from './values.ts';
import { count, firstLine, together } from './words.ts';

const CHECKS: Readonly<Record<string, (event: Fields) => boolean>> = {
  'compiler-artifact': (event) => typeof event.package_id === 'string' && asObject(event.target) !== null,
  'compiler-message': (event) => typeof event.package_id === 'string' && asObject(event.message) !== null,
  'build-script-executed': (event) => typeof event.package_id === 'string' && typeof event.out_dir === 'string',
  'build-finished': (event) => typeof event.success === 'boolean',
};
/** What cargo itself says on standard error, where no message is in JSON. */
const CARGO_ERROR = /^error(?:\[\w+\])?: (.+)/;
const TEST_RESULT = /^test result: (.+)/;
/** Crates told apart; of more, only their number would be wrong. */
const MAX_CRATES = 20_000;

export const cargo: Adapter = {
  name: 'cargo',
  summary: 'cargo build, check, test or clippy with --message-format=json: crates, warnings, the first error',
  recognizes(line) {
    const event = jsonIn(line);
    const reason = asText(event?.reason);
    return event !== null && reason !== null && Object.hasOwn(CHECKS, reason) && CHECKS[reason]!(event);
  },
  controls: NO_CONTROLS,
  silenceMs: null,
  start: readCargo,
};

/** The first line of what the compiler wrote, and where. */
function diagnosticText(message: Fields): string | undefined {
  const head = firstLine(asText(message.rendered) ?? asText(message.message) ?? '', MAX_MESSAGE);
  const span = objectsIn(message.spans).find(({ is_primary }) => is_primary === true);
  const file = asText(span?.file_name);
  return head !== undefined && file !== null ? `${head} (${file}:${asNumber(span?.line_start) ?? 1})` : head;
}

function readCargo(): Reading {
  /** Crates, and whether nothing of them had to be built. */
  const crates = new Map<string, boolean>();
  let fresh = 0;
  let warnings = 0;
  let errors = 0;
  let firstError: string | undefined;
  let success: boolean | null = null;
  let testResult: string | null = null;
  let complaint: string | null = null;

  const counted = (): string | undefined => {
    return together(
      count(crates.size, 'crate'),
      fresh > 0 && `${fresh} fresh`,
      errors > 0 && count(errors, 'error'),
      warnings > 0 && count(warnings, 'warning'),
    );
  };
  const building = (name: string | null): WatchEvent =>
    progress({
      percent: null,
      phase: 'building',
      message: together(counted(), name),
    });

  function artifact(event: Fields): WatchEvent {
    const id = asText(event.package_id) ?? '';
    const before = crates.get(id);
    const asItWas = event.fresh === true && (before ?? true);
    if (before === undefined && crates.size >= MAX_CRATES) return building(null);
    crates.set(id, asItWas);
    fresh += Number(asItWas) - Number(before ?? false);
    return building(asText(asObject(event.target)?.name));
  }

  function diagnostic(message: Fields): readonly WatchEvent[] {
    const text = diagnosticText(message);
    if (message.level === 'warning') {
      warnings += 1;
      return log('warn', text);
    }
    if (!String(message.level).startsWith('error')) return [];
    errors += 1;
    if (firstError !== undefined) return log('error', text);
    firstError = text;
    return problem(text, true);
  }

  function finished(well: boolean): readonly WatchEvent[] {
    success = well;
    // What was built may run now, and nothing says for how long.
    return well ? [progress({ percent: null, phase: 'running', message: counted() })] : [];
  }

  function plain(text: string): void {
    if (success !== null) testResult = TEST_RESULT.exec(text)?.[1] ?? testResult;
    complaint ??= CARGO_ERROR.exec(text)?.[1] ?? null;
  }

  const whatFailed = (code: number): string | null => {
    if (success === true && testResult !== null) return `built, and then: ${toLine(testResult, MAX_MESSAGE)}`;
    if (success === true) return `built, and then it ended with ${code}`;
    const more = errors > 1 ? ` and ${count(errors - 1, 'more error', 'more errors')}` : '';
    return firstError !== undefined ? `${firstError}${more}` : complaint;
  };

  return {
    read(line) {
      const event = jsonIn(line);
      if (event === null) {
        if (!line.cut) plain(line.text);
        return [];
      }
      const reason = asText(event.reason) ?? '';
      if (!Object.hasOwn(CHECKS, reason) || !CHECKS[reason]!(event)) return [];
      if (reason === 'compiler-artifact') return [artifact(event)];
      if (reason === 'compiler-message') return diagnostic(asObject(event.message)!);
      return reason === 'build-finished' ? finished(event.success === true) : [];
    },
    verdict({ code, signal }) {
      if (signal !== null || code === null || code === 130) return null;
      if (success === false || code !== 0) return verdict('failed', whatFailed(code));
      return success === true ? verdict('done', counted()) : null;
    },
  };
}
