import { describe, expect, it } from 'vitest';
import type { Exit, Line, WatchEvent } from '../adapter.ts';
import { ndjson } from './ndjson.ts';

const ENDED: Exit = { code: 0, signal: null };
const lineOf = (value: unknown): Line => ({
  text: typeof value === 'string' ? value : JSON.stringify(value),
  stream: 'stdout',
  cut: false,
});

/** All events of these lines, and what the end means. */
function readAll(values: readonly unknown[], exit: Exit = ENDED) {
  const reading = ndjson.start();
  const events = values.flatMap((value) => [...reading.read(lineOf(value))]);
  return { events, verdict: reading.verdict(exit) };
}

const percents = (values: readonly number[]): readonly (number | null)[] =>
  readAll(values.map((percent) => ({ kind: 'progress', phase: 'p', percent, message: '' }))).events.map((event) =>
    event.kind === 'progress' ? event.percent : null,
  );

const result = (exitCode: number, more: object = {}) => ({ kind: 'result', exitCode, ...more });
const error = (message: string, more: object = {}) => ({
  kind: 'error',
  code: 'E_INTERNAL',
  message,
  recoverable: false,
  ...more,
});
const data = (dataKind: string, payload: object = {}) => ({ kind: 'data', dataKind, payload });
const prompt = { kind: 'prompt', id: 'confirm_remove', question: 'Remove?', options: ['y', 'n'], defaultValue: 'n' };

describe('recognizing', () => {
  it.each([
    [{ kind: 'heartbeat', ts: '2026-01-01T00:00:00Z' }],
    ['{ "message": "x" , "percent": 0.5,"kind" : "progress", "phase":"p" }'],
    [{ protocol_version: '1.0' }],
    [{ capabilities: [], protocol_version: '1.7' }],
    [result(0)],
    ['\r[1/2] a::b\x1b[K{"kind":"heartbeat","ts":"now"}'],
  ])('takes %j', (line) => {
    expect(ndjson.recognizes(lineOf(line))).toBe(true);
  });

  it.each([
    ['Error: unknown option: --version'],
    [''],
    ['{"kind":'],
    ['[{"kind":"result","exitCode":0}]'],
    [{ kind: 'result' }],
    [{ kind: 'pod', name: 'x' }],
    [{ type: 'result', subtype: 'success' }],
    ['null'],
    ['{"kind":"toString"}'],
  ])('leaves %j', (line) => {
    expect(ndjson.recognizes(lineOf(line))).toBe(false);
  });
});

describe('percent', () => {
  it.each([
    [
      [0, 0.42, 1],
      [null, 42, 100],
    ],
    [
      [0, 42, 100],
      [null, 42, 100],
    ],
    [[1], [null]],
    [[-1], [null]],
    [
      [0.5, -1, 1],
      [50, null, 100],
    ],
    [
      [1, 2, 1],
      [null, 2, 1],
    ],
    [[250], [100]],
  ])('reads %j as %j', (values, expected) => {
    expect(percents(values)).toEqual(expected);
  });
});

describe('prompts', () => {
  it('carries the options, marks the default, and replies in one line', () => {
    const [event] = readAll([prompt]).events as [Extract<WatchEvent, { kind: 'prompt' }>];
    expect(event).toMatchObject({ id: 'confirm_remove', question: 'Remove?', suggested: 'n' });
    expect(event.options.map(({ value }) => value)).toEqual(['y', 'n']);
    expect(event.reply('y')).toBe('{"action":"prompt-reply","id":"confirm_remove","value":"y"}');
  });

  it('with no options wants a text; a default that is none of the options marks nothing', () => {
    const [event] = readAll([{ ...prompt, options: [], defaultValue: '' }]).events;
    expect(event).toMatchObject({ options: [], suggested: null });
  });

  it('leaves out options that are no text or said twice', () => {
    const [event] = readAll([{ ...prompt, options: ['a', 5, 'a', null] }]).events;
    expect(event).toMatchObject({ options: [{ value: 'a', label: 'a' }] });
  });
});

describe('the end', () => {
  it.each([
    ['a result 0', [result(0)], 'done'],
    ['a result with a reason and no error', [result(1, { error: 'capability name required' })], 'failed'],
    ['no error at all', [result(7)], 'failed'],
    ['130', [error('operation cancelled', { code: 'E_CANCELLED' }), result(130)], 'cancelled'],
    ['a cancelled error and 1', [error('x', { code: 'E_CANCELLED' }), result(1)], 'cancelled'],
    ['2', [error('needs confirmation'), result(2)], 'refused'],
    ['a failed part in spite of 0', [data('install_summary', { success: 1, failed: 1 }), result(0)], 'failed'],
    ['a recoverable error, then 0', [error('slow mirror', { recoverable: true }), result(0)], 'done'],
    ['a plan, a question and no summary', [data('remove_plan'), prompt, result(0)], 'declined'],
    ['the word that it was declined', [prompt, data('declined'), result(0)], 'declined'],
    ['a plan, a question and a summary', [data('remove_plan'), prompt, data('remove_summary'), result(0)], 'done'],
    ['a plan that was all that was asked for', [data('install_plan', { packages: [] }), result(0)], 'done'],
    ['a question without a plan', [prompt, result(0)], 'done'],
  ])('after %s is %s', (_what, lines, outcome) => {
    expect(
      readAll(lines, { code: (lines.at(-1) as { exitCode: number }).exitCode, signal: null }).verdict,
    ).toMatchObject({
      outcome,
    });
  });

  it('names what stands in the way of a removal', () => {
    const blocked = data('remove_blocked', {
      name: 'glibc',
      required_by: [{ name: 'binutils', version: '2.42' }, { name: 'llvm' }, 5],
    });
    const { verdict } = readAll([blocked, error('remove failed (exit 2)'), result(2)], { code: 2, signal: null });
    expect(verdict).toEqual({ outcome: 'refused', message: 'Needed by binutils 2.42, llvm' });
  });

  it('gives the reason of the last error, its hint beside it', () => {
    const { verdict } = readAll([error('unknown name', { hint: 'see --list' }), result(1)], { code: 1, signal: null });
    expect(verdict).toEqual({ outcome: 'failed', message: 'unknown name (see --list)' });
  });

  it('without a result is abnormal, whatever the exit code', () => {
    const beat = { kind: 'heartbeat', ts: 'now' };
    expect(readAll([beat]).verdict).toMatchObject({ outcome: 'abnormal' });
    expect(readAll([beat], { code: null, signal: 'SIGKILL' }).verdict).toMatchObject({ outcome: 'abnormal' });
  });

  it('of a program that breaks after its result is abnormal; one that had to be ended is not', () => {
    expect(readAll([result(0)], { code: 3, signal: null }).verdict).toMatchObject({ outcome: 'abnormal' });
    expect(readAll([result(0)], { code: null, signal: 'SIGSEGV' }).verdict).toMatchObject({ outcome: 'abnormal' });
    expect(readAll([result(0)], { code: null, signal: 'SIGTERM' }).verdict).toMatchObject({ outcome: 'done' });
  });

  it('of a version or a list alone is that of any program', () => {
    expect(readAll([{ protocol_version: '1.7' }]).verdict).toBeNull();
  });

  it('is not told by a version that is not understood', () => {
    const { events, verdict } = readAll([{ protocol_version: '2.0' }, prompt, result(0)]);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ kind: 'error', recoverable: true });
    expect((events[0] as { message: string }).message).toContain('2.0');
    expect(verdict).toBeNull();
  });
});

describe('downloads', () => {
  it('are one item a file; a total that is not known yet is none, and a failed file is told', () => {
    const file = (name: string, downloadedBytes: number, totalBytes: number, more: object = {}) => ({
      name,
      downloadedBytes,
      totalBytes,
      started: true,
      finished: false,
      success: false,
      ...more,
    });
    const { events } = readAll([
      data('download_progress', { files: [file('a', 0, 0)], sizesReady: false, stream: 'install:1' }),
      data('download_progress', { files: [file('a', 5, 10), file('b', 2, 2, { finished: true })], sizesReady: true }),
      data('download_progress', { files: ['junk', null, { totalBytes: 1 }] }),
      data('download_progress', { files: 'junk' }),
    ]);
    expect(events).toMatchObject([
      { key: 'install:1/a', total: null, done: 0, unit: 'bytes' },
      { key: '/a', total: 10, done: 5 },
      { key: '/b', total: 2, done: 2, ended: 'badly' },
    ]);
  });
});

describe('noise', () => {
  it.each([
    ['\r[1/2] a::b\x1b[K'],
    [''],
    ['{"kind":"result","exitCode":'],
    ['\u0000\u0001\u0002'],
    [{ kind: 'dance', ts: 'x' }],
    [{ kind: 'progress' }],
    [{ kind: 'prompt', id: 5, question: 'x' }],
    [{ kind: 'result', exitCode: '0' }],
    [{ kind: 'data', dataKind: 'unheard_of', payload: 'text' }],
  ])('%j is no event, and the next line is read', (noise) => {
    expect(readAll([noise, { kind: 'heartbeat', ts: 'x' }]).events).toEqual([{ kind: 'heartbeat' }]);
  });

  it('a line that was cut is not read', () => {
    expect(ndjson.start().read({ ...lineOf(result(0)), cut: true })).toEqual([]);
  });
});
