import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONTROL_SCOPE } from '../server/protocol/words.ts';

const ROOT = join(import.meta.dirname, '..');

/** What each room may import of ours, and why not more. The first room whose path fits a file is its room. */
const ROOMS: readonly { readonly room: string; readonly may: readonly string[]; readonly because: string }[] = [
  { room: 'server/protocol', may: [], because: 'the words everybody shares depend on nobody' },
  { room: 'server/registry', may: ['server/protocol'], because: 'contracts are pure data over the words' },
  { room: 'server/scheduler', may: ['server/protocol'], because: 'the scheduler is a pure function of the world' },
  { room: 'server/store', may: ['server/protocol'], because: 'what the store needs of others arrives as an argument' },
  { room: 'server/auth', may: ['server/protocol'], because: 'auth asks for records, not for SQLite' },
  {
    room: 'server/characters',
    may: ['server/protocol'],
    because: 'packs are data; capability IDs arrive as arguments',
  },
  { room: 'server/packs', may: ['server/protocol'], because: 'packs are files, read by host and command line alike' },
  {
    room: 'server/runtime',
    may: ['server/protocol', 'server/registry', 'server/scheduler', 'server/store', 'server/auth', 'server/characters'],
    because: 'the runtime knows neither sockets nor windows',
  },
  { room: 'server/rpc', may: ['server/protocol', 'server/runtime'], because: 'rpc is framing and nothing else' },
  {
    room: 'server/overlay-link',
    may: ['server/protocol', 'server/runtime'],
    because: 'the link carries, it does not decide',
  },
  { room: 'server/window', may: ['server/protocol'], because: 'the window knows no requests' },
  { room: 'server/main.ts', may: ['server'], because: 'main is arguments, signals and exit' },
  { room: 'server', may: ['server'], because: 'the composition root knows all of the server' },
  { room: 'overlay', may: ['server/protocol'], because: 'page and host meet only in the words' },
  {
    room: 'cli',
    may: ['server/protocol', 'server/registry', 'server/packs'],
    because: 'no native module ever loads in the CLI',
  },
  { room: 'e2e', may: ['server', 'cli', 'overlay'], because: 'tests may use anything' },
  {
    room: 'scripts',
    may: ['server/registry', 'server/protocol', 'server/packs'],
    because: 'one-shot tools read the registry and the pack format',
  },
];
/** Scripts that drive the whole product, as a tester would. */
const DRIVERS = ['scripts/bench', 'scripts/screenshots'];

const roomOf = (path: string) => ROOMS.find(({ room }) => path === room || path.startsWith(`${room}/`));

const sources = ['server', 'overlay', 'cli', 'e2e', 'scripts'].flatMap((top) =>
  readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx|mjs)$/.test(name) && !/\.(test|fixture)\.tsx?$|(^|\/)testing\.ts$/.test(name))
    .map((name) => join(top, name)),
);

/** Relative imports of a file, as paths from the root. */
function importsOf(path: string): string[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, target]) =>
    relative(ROOT, resolve(ROOT, dirname(path), target!)),
  );
}

describe('imports', () => {
  it('go only where the map of the rooms lets them', () => {
    const offences = sources
      .filter((path) => !DRIVERS.some((driver) => path.startsWith(driver)))
      .flatMap((path) => {
        const home = roomOf(path)!;
        return importsOf(path)
          .filter((target) => roomOf(target)?.room !== home.room || !target.startsWith(home.room))
          .filter(
            (target) =>
              target !== home.room && !home.may.some((room) => target === room || target.startsWith(`${room}/`)),
          )
          .map((target) => `${path} imports ${target}: ${home.because}`);
      });
    expect(offences).toEqual([]);
  });

  it('make no circle', () => {
    const graph = new Map(sources.map((path) => [path, importsOf(path)]));
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      if (done.has(path) || trail.includes(path)) return;
      for (const target of graph.get(path) ?? []) visit(target, [...trail, path]);
      done.add(path);
    };
    for (const path of sources) visit(path, []);
    expect(circles).toEqual([]);
  });

  it('name a real file each', () => {
    const missing = sources.flatMap((path) =>
      importsOf(path)
        .filter(
          (target) => /\.(ts|tsx)$/.test(target) && !sources.includes(target) && !/(^|\/)testing\.ts$/.test(target),
        )
        .map((target) => `${path} → ${target}`),
    );
    expect(missing).toEqual([]);
  });
});

describe('one registry', () => {
  it('no capability ID and no method name stands outside its own file, the catalogue, a handler map or a test', () => {
    const names = [
      ...readdirSync(join(ROOT, 'server/registry/capabilities')),
      ...readdirSync(join(ROOT, 'server/registry/methods')),
    ]
      .filter((name) => name.split('.').length > 2 && !name.includes('.test.'))
      .map((name) => name.replace(/\.ts$/, ''))
      // Named after its scope, which is a word of the protocol.
      .filter((name) => name !== CONTROL_SCOPE);
    expect(names.length).toBeGreaterThan(20);
    // Handler maps are keyed by the method's name and typed by the catalogue; clients call methods by name, typed by it too.
    const allowed = [/^server\/registry\//, /^server\/runtime\//, /^cli\//, /^e2e\//, /^scripts\//];
    const offences = sources
      .filter((path) => !allowed.some((rule) => rule.test(path)))
      .flatMap((path) => {
        const text = readFileSync(join(ROOT, path), 'utf8');
        return names.filter((name) => text.includes(`'${name}'`)).map((name) => `${path} names ${name}`);
      });
    expect(offences).toEqual([]);
  });
});
