/** Feeds the recorded outputs beside this file to a format, as `companion watch` would. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Adapter, Line, ProgressEvent, Reading, WatchEvent } from '../adapter.ts';

const FOLDER = join(import.meta.dirname, 'fixtures');

export const fixtureNames = (): readonly string[] => readdirSync(FOLDER).map((name) => name.replace('.jsonl', ''));

export const toLine = (text: string, stream: Line['stream'] = 'stdout'): Line => ({ text, stream, cut: false });

export const linesOf = (name: string, stream?: Line['stream']): readonly Line[] =>
  readFileSync(join(FOLDER, `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((text) => toLine(text, stream));

export interface Replay {
  readonly events: readonly WatchEvent[];
  readonly reading: Reading;
}

export function replay(adapter: Adapter, ...lines: readonly Line[]): Replay {
  const reading = adapter.start();
  return { events: lines.flatMap((line) => reading.read(line)), reading };
}

export const exited = (code: number) => ({ code, signal: null });

export const progressOf = ({ events }: Replay): readonly ProgressEvent[] =>
  events.filter((event) => event.kind === 'progress');

/** The texts of one kind of event, in order. */
export const messagesOf = ({ events }: Replay, kind: 'log' | 'error'): readonly string[] =>
  events.flatMap((event) => (event.kind === kind ? [event.message] : []));
