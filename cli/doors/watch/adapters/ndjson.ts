/** The NDJSON interface as its client: one JSON object a line, told apart by `kind`; answers and controls go to standard input. */
import type { Fields } from '../../../../server/protocol/json-object.ts';
import type { Adapter, Exit, Line, Reading, Verdict, WatchEvent } from '../adapter.ts';
import { listAt, numberAt, objectAt, objectIn, stringAt } from '../json-line.ts';
import { createScale } from './ndjson-scale.ts';

/** Speakers send a sign of life after 5 s of silence; three of them missing means that something is wrong. */
const SILENCE_MS = 15_000;
const MAJOR = '1';
const REFUSED = 2;
const CANCELLED = 130;
const REPLY = 'prompt-reply';

type Kind = 'progress' | 'log' | 'data' | 'prompt' | 'error' | 'heartbeat' | 'result';

/** What must be there for a line to be of its kind. */
const SHAPES: Readonly<Record<Kind, (line: Fields) => boolean>> = {
  progress: (line) => numberAt(line, 'percent') !== undefined || stringAt(line, 'phase') !== undefined,
  log: (line) => stringAt(line, 'level') !== undefined && stringAt(line, 'message') !== undefined,
  data: (line) => stringAt(line, 'dataKind') !== undefined,
  prompt: (line) => stringAt(line, 'id') !== undefined && stringAt(line, 'question') !== undefined,
  error: (line) => stringAt(line, 'code') !== undefined && stringAt(line, 'message') !== undefined,
  heartbeat: (line) => stringAt(line, 'ts') !== undefined,
  result: (line) => numberAt(line, 'exitCode') !== undefined,
};

function kindOf(line: Fields): Kind | null {
  const kind = stringAt(line, 'kind') ?? '';
  return Object.hasOwn(SHAPES, kind) && SHAPES[kind as Kind](line) ? (kind as Kind) : null;
}

const action = (name: string, more: object = {}): string => JSON.stringify({ action: name, ...more });

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
type Level = (typeof LEVELS)[number];
const levelOf = (line: Fields): Level => LEVELS.find((level) => level === line.level) ?? 'info';

/** `name`, or `name version`. */
const nameAt = (item: unknown): string | undefined => {
  if (typeof item !== 'object' || item === null) return undefined;
  const [name, version] = [stringAt(item as Fields, 'name'), stringAt(item as Fields, 'version')];
  return name && version ? `${name} ${version}` : name;
};

/** What a session has shown of its end so far. */
interface Evidence {
  /** It said what it would do; only the summary proves that it did. */
  planned: boolean;
  summarized: boolean;
  asked: boolean;
  declined: boolean;
  /** Parts that failed although the whole says 0. */
  failed: number;
  blockedBy: readonly string[];
  error: string | undefined;
  cancelled: boolean;
  result: { readonly exitCode: number; readonly error: string | undefined } | null;
  /** Some line of a session; a version or a list alone needs no result. */
  began: boolean;
}

const NO_EVIDENCE: Evidence = {
  planned: false,
  summarized: false,
  asked: false,
  declined: false,
  failed: 0,
  blockedBy: [],
  error: undefined,
  cancelled: false,
  result: null,
  began: false,
};

/** What `result` means beside everything else that was seen. Exit codes of the interface: 0, 2 refused, 130 cancelled. */
function judge({ exitCode, error }: NonNullable<Evidence['result']>, seen: Evidence): Verdict {
  const why = error ?? seen.error;
  const said = (outcome: Verdict['outcome'], message: string | undefined): Verdict => ({
    outcome,
    ...(message !== undefined && { message }),
  });
  if (exitCode === CANCELLED || (exitCode !== 0 && seen.cancelled)) return said('cancelled', undefined);
  if (exitCode === REFUSED) {
    return said('refused', seen.blockedBy.length > 0 ? `Needed by ${seen.blockedBy.join(', ')}` : why);
  }
  if (exitCode !== 0) return said('failed', why ?? `It failed with ${exitCode} and gave no reason.`);
  if (seen.failed > 0) return said('failed', why ?? `${seen.failed} failed`);
  if (seen.declined || (seen.asked && seen.planned && !seen.summarized)) return said('declined', undefined);
  return said('done', undefined);
}

class NdjsonReading implements Reading {
  readonly #seen: Evidence = { ...NO_EVIDENCE };
  readonly #toPercent = createScale();
  #isForeign = false;

  read({ text, cut }: Line): readonly WatchEvent[] {
    if (cut || this.#isForeign) return [];
    const line = objectIn(text);
    if (line === null) return [];
    const version = stringAt(line, 'protocol_version');
    if (version !== undefined) return this.#readVersion(version);
    const kind = kindOf(line);
    if (kind === null) return [];
    this.#seen.began = true;
    return this.#events(kind, line);
  }

  #readVersion(version: string): readonly WatchEvent[] {
    if (version.split('.')[0] === MAJOR) return [];
    this.#isForeign = true;
    const message = `It speaks version ${version} of the NDJSON interface; only version 1 is understood here.`;
    return [{ kind: 'error', message, recoverable: true }];
  }

  #events(kind: Kind, line: Fields): readonly WatchEvent[] {
    switch (kind) {
      case 'progress':
        return [this.#progress(line)];
      case 'log':
        return [{ kind, level: levelOf(line), message: String(line.message) }];
      case 'data':
        return this.#data(String(line.dataKind), objectAt(line, 'payload'));
      case 'prompt':
        return [this.#prompt(line)];
      case 'error':
        return [this.#error(line)];
      case 'heartbeat':
        return [{ kind }];
      case 'result':
        return [this.#result(line)];
    }
  }

  #progress(line: Fields): WatchEvent {
    const [phase, message] = [stringAt(line, 'phase'), stringAt(line, 'message')];
    const percent = this.#toPercent(numberAt(line, 'percent') ?? -1);
    return { kind: 'progress', percent, ...(phase && { phase }), ...(message && { message }) };
  }

  #prompt(line: Fields): WatchEvent {
    const id = String(line.id);
    const values = [...new Set(listAt(line, 'options').filter((value) => typeof value === 'string'))];
    const suggested = stringAt(line, 'defaultValue') ?? '';
    this.#seen.asked = true;
    return {
      kind: 'prompt',
      id,
      question: String(line.question),
      options: values.map((value) => ({ value, label: value })),
      suggested: values.includes(suggested) ? suggested : null,
      reply: (value) => action(REPLY, { id, value }),
    };
  }

  #error(line: Fields): WatchEvent {
    const [code, message, hint] = [String(line.code), String(line.message), stringAt(line, 'hint')];
    const recoverable = line.recoverable === true;
    this.#seen.error = hint ? `${message} (${hint})` : message;
    if (code === 'E_CANCELLED') this.#seen.cancelled = true;
    return { kind: 'error', code, message, recoverable, ...(hint && { hint }) };
  }

  #result(line: Fields): WatchEvent {
    this.#seen.result = { exitCode: numberAt(line, 'exitCode')!, error: stringAt(line, 'error') };
    const { outcome, message } = judge(this.#seen.result, this.#seen);
    // `judge` calls nothing abnormal that has a result.
    return { kind: 'result', outcome: outcome as 'done', last: true, ...(message && { message }) };
  }

  #data(dataKind: string, payload: Fields): readonly WatchEvent[] {
    const seen = this.#seen;
    if (dataKind === 'download_progress') return downloads(payload);
    if (dataKind === 'declined') seen.declined = true;
    if (dataKind === 'remove_blocked') {
      seen.blockedBy = listAt(payload, 'required_by').flatMap((item) => nameAt(item) ?? []);
    }
    if (dataKind.endsWith('_plan')) seen.planned = true;
    if (dataKind.endsWith('_summary')) {
      seen.summarized = true;
      seen.failed += numberAt(payload, 'failed') ?? 0;
    }
    return [];
  }

  verdict({ code, signal }: Exit): Verdict | null {
    const { began, result } = this.#seen;
    if (!began || this.#isForeign) return null;
    if (result === null) return { outcome: 'abnormal' };
    const said = judge(result, this.#seen);
    // A program that stays after its result is ended by us; any other signal was not.
    const isEnded = signal === null || signal === 'SIGTERM' || signal === 'SIGKILL';
    const broke = !isEnded || (said.outcome === 'done' && (code ?? 0) !== 0);
    return broke ? { outcome: 'abnormal', message: 'It broke after it had said that it was done.' } : said;
  }
}

/** Several files side by side; a total of 0 is one that is not known yet. */
function downloads(payload: Fields): readonly WatchEvent[] {
  const stream = stringAt(payload, 'stream') ?? '';
  const ready = payload.sizesReady !== false;
  return listAt(payload, 'files').flatMap((item): readonly WatchEvent[] => {
    if (typeof item !== 'object' || item === null) return [];
    const file = item as Fields;
    const name = stringAt(file, 'name');
    if (name === undefined) return [];
    const total = numberAt(file, 'totalBytes') ?? 0;
    const progress = {
      kind: 'progress',
      key: `${stream}/${name}`,
      percent: null,
      message: name,
      done: Math.max(0, numberAt(file, 'downloadedBytes') ?? 0),
      total: ready && total > 0 ? total : null,
      unit: 'bytes',
    } as const;
    if (file.finished !== true) return [progress];
    return [{ ...progress, ended: file.success === false ? 'badly' : 'well' }];
  });
}

export const ndjson: Adapter = {
  name: 'ndjson',
  summary: 'the NDJSON interface: `companion interface`, `xlings interface`',
  recognizes: ({ text, cut }) => {
    const line = cut ? null : objectIn(text);
    return line !== null && (kindOf(line) !== null || stringAt(line, 'protocol_version') !== undefined);
  },
  controls: { cancel: action('cancel'), pause: action('pause'), resume: action('resume') },
  silenceMs: SILENCE_MS,
  repliesTo: (text) => {
    const line = objectIn(text);
    return line?.action === REPLY ? (stringAt(line, 'id') ?? null) : null;
  },
  start: () => new NdjsonReading(),
};
