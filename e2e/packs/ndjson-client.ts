/** A reference client of the NDJSON interface 1.0, made from its published text alone: runs a server, checks every line, answers. */
import { type ChildProcess, spawn } from 'node:child_process';
import { until } from '../harness.ts';

export interface NdjsonLine {
  readonly kind: string;
  readonly [field: string]: unknown;
}

export interface NdjsonResult {
  /** Of the process: its status, or the signal's name. */
  readonly status: number | string;
  readonly lines: readonly NdjsonLine[];
  readonly result: { readonly exitCode: number; readonly data?: Readonly<Record<string, unknown>> };
  readonly err: string;
  of(kind: string): readonly NdjsonLine[];
  /** Payloads of the data events of this kind. */
  data(dataKind: string): readonly Readonly<Record<string, unknown>>[];
}

type Test = (value: unknown) => boolean;
const text: Test = (value) => typeof value === 'string';
const truth: Test = (value) => typeof value === 'boolean';
const whole: Test = (value) => Number.isInteger(value);
const texts: Test = (value) => Array.isArray(value) && value.every(text);
const record: Test = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const oneOf =
  (...values: readonly unknown[]): Test =>
  (value) =>
    values.includes(value);

const CODES = [
  'E_INVALID_INPUT',
  'E_NOT_FOUND',
  'E_NETWORK',
  'E_DISK_FULL',
  'E_PERMISSION',
  'E_CANCELLED',
  'E_INTERNAL',
];

/** Section 6: what each kind must have; a question mark means it may be absent. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, Test>>>> = {
  progress: {
    phase: text,
    percent: (value) => whole(value) && (value as number) >= -1 && (value as number) <= 100,
    message: text,
  },
  log: { level: oneOf('debug', 'info', 'warn', 'error'), message: text },
  data: { dataKind: text, payload: (value) => record(value) || text(value) },
  prompt: { id: text, question: text, options: texts, defaultValue: text },
  error: { code: oneOf(...CODES), message: text, recoverable: truth, 'hint?': text },
  result: { exitCode: whole, 'data?': record },
  heartbeat: { ts: (value) => text(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value as string) },
};

/** The object on a line. Throws when it is not what the text promises. */
export function parseLine(line: string): NdjsonLine {
  const value: unknown = JSON.parse(line);
  if (!record(value)) throw new Error(`no object: ${line}`);
  const object = value as NdjsonLine;
  const fields = FIELDS[object.kind];
  if (fields === undefined) throw new Error(`unknown kind: ${line}`);
  for (const [name, test] of Object.entries(fields)) {
    const field = name.replace('?', '');
    if (field !== name && !(field in object)) continue;
    if (!test(object[field])) throw new Error(`${field} is not as promised: ${line}`);
  }
  return object;
}

/** Whole lines only: each ends in a line break. */
function splitLines(out: string): string[] {
  if (out !== '' && !out.endsWith('\n')) throw new Error(`a line without an end: ${out.slice(-200)}`);
  return out.split('\n').slice(0, -1);
}

/** Exactly one result, as the last line; a failure is explained; the process ends with the result's code. */
function assertComplete(lines: readonly NdjsonLine[], status: number | string): void {
  const results = lines.filter(({ kind }) => kind === 'result');
  const said = JSON.stringify(lines);
  if (results.length !== 1) throw new Error(`${results.length} results: ${said}`);
  if (lines.at(-1)?.kind !== 'result') throw new Error(`the result is not the last line: ${said}`);
  const { exitCode } = results[0]!;
  if (exitCode !== status) throw new Error(`the process ended with ${status}, the result says ${exitCode}: ${said}`);
  if (exitCode !== 0 && !lines.some(({ kind }) => kind === 'error')) throw new Error(`no error explains it: ${said}`);
}

const children = new Set<ChildProcess>();

/** Ends whatever is still running. */
export function endSessions(): void {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
}

export class NdjsonSession {
  readonly child: ChildProcess;
  /** Rejects when a line, or the session as a whole, is not as promised. */
  readonly ended: Promise<NdjsonResult>;
  #out = '';
  #err = '';

  constructor(command: readonly string[], env: Readonly<Record<string, string>>) {
    const [program = '', ...args] = command;
    this.child = spawn(program, args, { env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' });
    children.add(this.child);
    this.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      this.#out += chunk;
    });
    this.child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      this.#err += chunk;
    });
    this.child.stdin?.on('error', () => {});
    const closed = new Promise<number | string>((resolve, reject) => {
      this.child.once('error', reject);
      this.child.once('close', (code, signal) => resolve(code ?? signal ?? -1));
    });
    this.ended = closed.then((status) => this.#finish(status));
    this.ended.catch(() => {});
  }

  #finish(status: number | string): NdjsonResult {
    children.delete(this.child);
    const lines = splitLines(this.#out).map(parseLine);
    assertComplete(lines, status);
    return {
      status,
      lines,
      result: lines.at(-1) as unknown as NdjsonResult['result'],
      err: this.#err,
      of: (kind) => lines.filter((line) => line.kind === kind),
      data: (dataKind) =>
        lines.filter((line) => line.dataKind === dataKind).map(({ payload }) => payload as Record<string, unknown>),
    };
  }

  /** What has come so far. */
  get lines(): readonly NdjsonLine[] {
    return splitLines(this.#out.slice(0, this.#out.lastIndexOf('\n') + 1)).map(parseLine);
  }

  /** The first line that `isIt`, as soon as it is there. Throws when the session ends without it. */
  line(what: string, isIt: (line: NdjsonLine) => boolean): Promise<NdjsonLine> {
    return until(what, () => {
      const found = this.lines.find(isIt);
      if (found === undefined && this.child.exitCode !== null) {
        throw new Error(`ended before: ${what}; ${this.#out} ${this.#err}`);
      }
      return found;
    });
  }

  /** The first prompt. */
  prompt(): Promise<NdjsonLine> {
    return this.line('a prompt', ({ kind }) => kind === 'prompt');
  }

  /** One control object, in one write. */
  send(control: object): void {
    this.write(`${JSON.stringify(control)}\n`);
  }

  reply(id: unknown, value: string): void {
    this.send({ action: 'prompt-reply', id, value });
  }

  write(text: string): void {
    this.child.stdin?.write(text);
  }

  closeInput(): void {
    this.child.stdin?.end();
  }
}

/** How a server is run: its program, and the environment it runs in. */
export interface NdjsonServer {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Starts a session; `args` as an object go through `--args`. */
export const startCall = (
  { command, env }: NdjsonServer,
  capability: string,
  args: object = {},
  ...more: readonly string[]
): NdjsonSession =>
  new NdjsonSession([...command, 'interface', capability, '--args', JSON.stringify(args), ...more], env);

/** Runs a session to its end, with nothing to say. */
export const call = (server: NdjsonServer, capability: string, args: object = {}): Promise<NdjsonResult> =>
  startCall(server, capability, args).ended;

/** Runs with these words after `interface`, to the end, as a session. */
export const runWords = ({ command, env }: NdjsonServer, ...words: readonly string[]): Promise<NdjsonResult> =>
  new NdjsonSession([...command, 'interface', ...words], env).ended;
