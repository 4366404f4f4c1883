import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WatchEvent } from '../adapter.ts';
import { ADAPTERS } from './all.ts';
import { MAX_MESSAGE, MAX_PHASE } from './events.ts';
import { exited, fixtureNames, linesOf, replay, toLine } from './replay.fixture.ts';

/** Fixtures are named after their format; what stands before the first line that shows it is free text of the program. */
const OWNERS = ADAPTERS.map(({ name }) => name).sort((one, other) => other.length - one.length);
const ownerOf = (fixture: string) => OWNERS.find((name) => fixture === name || fixture.startsWith(`${name}-`)) ?? null;

const jsonLines = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc
    .dictionary(
      fc.constantFrom('type', 'reason', 'message_type', 'kind', 'item', 'stats', 'ytdlp', 'vertexes', 'request', 'x'),
      fc.oneof(fc.jsonValue(), fc.constantFrom('result', 'system', 'status', 'summary', 'error', 'compiler-message')),
    )
    .map((value) => JSON.stringify(value)),
);

/** A real line with one value anywhere in it replaced. */
const spoiltLines = fc
  .tuple(
    fc.constantFrom(...fixtureNames().flatMap((name) => linesOf(name).map(({ text }) => text))),
    fc.nat(),
    fc.jsonValue(),
  )
  .map(([text, at, value]) => spoil(text, at, value));

function spoil(text: string, at: number, value: unknown): string {
  try {
    const paths: (() => void)[] = [];
    const whole = JSON.parse(text);
    const walk = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      const holder = node as Record<string, unknown>;
      for (const key of Object.keys(holder)) {
        paths.push(() => {
          holder[key] = value;
        });
        walk(holder[key]);
      }
    };
    walk(whole);
    if (paths.length > 0) paths[at % paths.length]!();
    return JSON.stringify(whole);
  } catch {
    return text.slice(0, at % (text.length + 1));
  }
}

/** What may be shown as it is: bounded, and nothing in it that moves a cursor or turns the reading direction. */
function faultsOf(event: WatchEvent): readonly string[] {
  const texts: [string, string | undefined, number][] =
    event.kind === 'progress'
      ? [
          ['phase', event.phase, MAX_PHASE],
          ['message', event.message, MAX_MESSAGE],
        ]
      : event.kind === 'log' || event.kind === 'error'
        ? [['message', event.message, MAX_MESSAGE]]
        : event.kind === 'prompt'
          ? [
              ['question', event.question, 160],
              ['details', event.details?.replace(/[\n\t]/g, ''), 4_000],
            ]
          : [];
  const bad = texts.filter(
    ([, text, max]) =>
      text !== undefined && (text === '' || [...text].length > max || /[\p{Cc}\p{Cs}\p{Bidi_Control}]/u.test(text)),
  );
  const percent = event.kind === 'progress' ? event.percent : null;
  const outside = percent !== null && !(percent >= 0 && percent <= 100) ? ['percent'] : [];
  return [...bad.map(([name]) => name), ...outside];
}

describe('the formats', () => {
  it.each(fixtureNames())('%s is taken for what it is, and for nothing else', (fixture) => {
    const owner = ownerOf(fixture);
    for (const line of linesOf(fixture)) {
      const claimed = ADAPTERS.filter((adapter) => adapter.recognizes(line)).map(({ name }) => name);
      expect(claimed.filter((name) => name !== owner)).toEqual([]);
    }
    const known = linesOf(fixture).filter((line) => ADAPTERS.some((adapter) => adapter.recognizes(line)));
    // The end of a failed yt-dlp is all on standard error, and nothing there is its own.
    expect(known.length > 0).toBe(owner !== null && fixture !== 'yt-dlp-errors');
  });

  it('have names and summaries of their own', () => {
    expect(new Set(ADAPTERS.map(({ name }) => name)).size).toBe(ADAPTERS.length);
    for (const { summary } of ADAPTERS) expect(summary.length).toBeLessThan(110);
  });

  it.each(fixtureNames().filter(ownerOf))('%s means nothing to the others', (fixture) => {
    for (const adapter of ADAPTERS.filter(({ name }) => name !== ownerOf(fixture))) {
      const { events } = replay(adapter, ...linesOf(fixture));
      const shown = events.filter(({ kind }) => kind === 'prompt' || kind === 'progress');
      expect([adapter.name, shown]).toEqual([adapter.name, []]);
    }
  });
});

describe.each(ADAPTERS.map((adapter) => [adapter.name, adapter] as const))('%s', (name, adapter) => {
  const own = fixtureNames().filter((fixture) => ownerOf(fixture) === name);

  it('has recorded outputs', () => expect(own).not.toEqual([]));

  it('says what is no event by no event, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), jsonLines, spoiltLines), fc.boolean(), (text, cut) => {
        const line = { text, cut, stream: 'stdout' } as const;
        expect(typeof adapter.recognizes(line)).toBe('boolean');
        const { events, reading } = replay(adapter, line, line);
        if (name !== 'ndjson') expect(events.flatMap(faultsOf)).toEqual([]);
        reading.verdict(exited(1));
      }),
      { numRuns: 100 },
    );
  });

  it.each(own)('%s cut short at any place gives nothing that is not whole', (fixture) => {
    for (const line of linesOf(fixture)) {
      for (let length = 0; length < line.text.length; length += 1 + Math.floor(line.text.length / 20)) {
        const part = toLine(line.text.slice(0, length));
        if (!line.text.startsWith('{')) continue;
        expect(adapter.recognizes(part)).toBe(false);
        expect(replay(adapter, part).events).toEqual([]);
      }
    }
  });

  it.each(own)('%s never goes backwards', (fixture) => {
    const reached = new Map<string | undefined, number>();
    for (const event of replay(adapter, ...linesOf(fixture)).events) {
      if (event.kind !== 'progress' || event.percent === null) continue;
      expect(event.percent).toBeGreaterThanOrEqual(reached.get(event.key) ?? 0);
      reached.set(event.key, event.percent);
    }
  });

  it.each(own)('%s: a program that was killed is like any other', (fixture) => {
    if (name === 'ndjson') return;
    const { reading } = replay(adapter, ...linesOf(fixture));
    expect(reading.verdict({ code: null, signal: 'SIGKILL' })).toBeNull();
  });

  it('reads a line of many megabytes, nested without end', () => {
    expect(replay(adapter, toLine('{"a":'.repeat(300_000))).events).toEqual([]);
    expect(replay(adapter, toLine(`${'['.repeat(300_000)}${']'.repeat(300_000)}`)).events).toEqual([]);
  });
});
