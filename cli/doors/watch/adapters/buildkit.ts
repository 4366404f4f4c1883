/** BuildKit's `--progress=rawjson`: the steps of a build, n of the m known so far; how it ended only the process says. */
import type { Fields } from '../../../../server/protocol/json-object.ts';
import type { Adapter, Reading, WatchEvent } from '../adapter.ts';
import { log, MAX_MESSAGE, NO_CONTROLS, problem, progress, verdict } from './events.ts';
import { percentOf, rising } from './rising.ts';
import { asText, jsonIn, objectsIn } from './values.ts';
import { count, firstLine, together } from './words.ts';

const LISTS = ['vertexes', 'statuses', 'logs', 'warnings'];
const DIGEST = /^[a-z0-9]+:[0-9a-f]{32,}$/;
/** Steps kept; of more, only their number would be wrong. */
const MAX_STEPS = 20_000;

const isDigest = (value: unknown): boolean => typeof value === 'string' && DIGEST.test(value);

/** What makes the first entry of each list BuildKit's. */
const OWN: Readonly<Record<string, (entry: Fields) => boolean>> = {
  vertexes: ({ digest }) => isDigest(digest),
  statuses: ({ id, vertex, timestamp }) => typeof id === 'string' && isDigest(vertex) && typeof timestamp === 'string',
  logs: ({ vertex, data, timestamp }) => isDigest(vertex) && typeof data === 'string' && typeof timestamp === 'string',
  warnings: ({ vertex, short }) => isDigest(vertex) && typeof short === 'string',
};

export const buildkit: Adapter = {
  name: 'buildkit',
  summary: 'docker buildx build --progress=rawjson: steps done of the steps known',
  recognizes(line) {
    const event = jsonIn(line);
    if (event === null) return false;
    const names = Object.keys(event);
    return (
      names.length > 0 &&
      names.every((name) => LISTS.includes(name) && (event[name] === null || Array.isArray(event[name]))) &&
      names.some((name) => objectsIn(event[name]).slice(0, 1).some(OWN[name]!))
    );
  },
  controls: NO_CONTROLS,
  silenceMs: null,
  start: readBuildkit,
};

interface Step {
  over: boolean;
  cached: boolean;
}

function decoded(base64: unknown): string | undefined {
  const text = asText(base64);
  return text === null
    ? undefined
    : firstLine(Buffer.from(text.slice(0, 8_192), 'base64').toString('utf8'), MAX_MESSAGE);
}

function readBuildkit(): Reading {
  const steps = new Map<string, Step>();
  const highest = rising();
  let done = 0;
  let current: string | null = null;
  let failure: string | null = null;

  const overall = (): WatchEvent => {
    return progress({
      percent: highest.next(percentOf(done, steps.size)),
      done,
      total: steps.size,
      unit: 'items',
      phase: 'building',
      message: current,
    });
  };

  /** A vertex comes several times, later lines about the same one replace what was known; returns what went wrong in it. */
  function vertex(entry: Fields): readonly WatchEvent[] {
    const digest = asText(entry.digest);
    if (digest === null || (!steps.has(digest) && steps.size >= MAX_STEPS)) return [];
    const over = typeof entry.completed === 'string' || entry.cached === true;
    done += Number(over) - Number(steps.get(digest)?.over ?? false);
    steps.set(digest, { over, cached: entry.cached === true });
    if (!over && typeof entry.started === 'string') current = asText(entry.name) ?? current;
    const error = firstLine(asText(entry.error) ?? '', MAX_MESSAGE);
    if (error === undefined) return [];
    failure = `${asText(entry.name) ?? 'a step'}: ${error}`;
    return problem(failure, true);
  }

  return {
    read(line) {
      const event = jsonIn(line);
      if (event === null) return [];
      const vertexes = objectsIn(event.vertexes);
      const problems = vertexes.flatMap(vertex);
      const warnings = objectsIn(event.warnings).flatMap(({ short }) => log('warn', decoded(short)));
      return [...(vertexes.length > 0 && steps.size > 0 ? [overall()] : []), ...problems, ...warnings];
    },
    verdict({ code, signal }) {
      if (signal !== null || code === null || code === 130) return null;
      if (code !== 0) return verdict('failed', failure ?? `the build ended with ${code}`);
      const cached = [...steps.values()].filter((step) => step.cached).length;
      return verdict('done', together(count(steps.size, 'step'), cached > 0 && `${cached} cached`));
    },
  };
}
