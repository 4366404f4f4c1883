import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { answers, endAll, finish, kill, socketOf, startServe } from './processes.ts';
import { type Home, removeHome, seedHome } from './seed.ts';

// The place of the socket may be prepared by somebody else: whatever is there is not touched unless it is proved dead (spec §5).
const homes: Home[] = [];
const servers: Server[] = [];
afterEach(async () => {
  await endAll();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  for (const home of homes.splice(0)) removeHome(home);
});

interface Place {
  readonly home: Home;
  readonly path: string;
  readonly folder: string;
}

/** A home without a browser; the socket's folder is not there yet. */
function newPlace(): Place {
  const home = seedHome(['first'], { chromium: 'none' });
  homes.push(home);
  const path = socketOf(home.env);
  return { home, path, folder: dirname(path) };
}

const ownFolder = (folder: string): void => {
  mkdirSync(folder, { mode: 0o700 });
};

const listen = (path: string): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    servers.push(server);
    server.listen(path, () => resolve(server));
  });

const isRoot = process.getuid?.() === 0;

type Taken = [what: string, why: RegExp, take: (place: Place) => unknown];

/** Only root can make something that belongs to somebody else. */
const FOREIGN: readonly Taken[] = [
  [
    'a folder of another user',
    /belongs to another user/,
    ({ folder }) => {
      ownFolder(folder);
      chownSync(folder, 65_534, 65_534);
    },
  ],
];

describe('a place that is taken', { timeout: 60_000 }, () => {
  it.each<Taken>([
    ...(isRoot ? FOREIGN : []),
    [
      'a file where the socket belongs',
      /something else than a socket/,
      ({ path, folder }) => {
        ownFolder(folder);
        writeFileSync(path, 'mine');
      },
    ],
    [
      'a FIFO where the socket belongs',
      /something else than a socket/,
      ({ path, folder }) => {
        ownFolder(folder);
        execFileSync('mkfifo', [path]);
      },
    ],
    [
      'a folder where the socket belongs',
      /something else than a socket/,
      ({ path, folder }) => {
        ownFolder(folder);
        mkdirSync(path);
      },
    ],
    [
      'a link where the socket belongs',
      /something else than a socket/,
      ({ path, folder, home }) => {
        ownFolder(folder);
        writeFileSync(join(home.home, 'elsewhere'), 'mine');
        symlinkSync(join(home.home, 'elsewhere'), path);
      },
    ],
    [
      'a link where the folder belongs',
      /is a link or no folder/,
      ({ folder, home }) => {
        mkdirSync(join(home.home, 'elsewhere'), { mode: 0o700 });
        symlinkSync(join(home.home, 'elsewhere'), folder);
      },
    ],
    [
      'a folder that others may enter',
      /must be 0700/,
      ({ folder }) => {
        ownFolder(folder);
        chmodSync(folder, 0o755);
      },
    ],
    [
      'a folder that others may write to',
      /must be 0700/,
      ({ folder }) => {
        ownFolder(folder);
        chmodSync(folder, 0o777);
      },
    ],
  ])('by %s is left as it is; the start is refused clearly', async (_what, why, take) => {
    const place = newPlace();
    take(place);
    const before = pictureOf(place);
    const { code, out, err } = await finish(startServe(place.home.env));
    expect(code).toBe(5);
    const { error } = JSON.parse(out);
    expect(error.code).toBe('START_FAILED');
    expect(error.message).toMatch(why);
    expect(err).toContain('START_FAILED');
    expect(pictureOf(place)).toEqual(before);
  });

  it('by somebody who is alive is left to them', async () => {
    const place = newPlace();
    ownFolder(place.folder);
    await listen(place.path);
    const before = pictureOf(place);
    const { code, out } = await finish(startServe(place.home.env));
    expect([code, JSON.parse(out).error.code]).toEqual([5, 'ALREADY_RUNNING']);
    expect(pictureOf(place)).toEqual(before);
  });

  it('by a socket of the dead is taken over, with the narrow modes', async () => {
    const place = newPlace();
    const first = startServe(place.home.env);
    await answers(first, place.path);
    await kill(first);
    const dead = lstatSync(place.path).ino;
    await answers(startServe(place.home.env), place.path);
    const { ino, mode } = lstatSync(place.path);
    expect(ino).not.toBe(dead);
    expect(mode & 0o777).toBe(0o600);
    expect(statSync(place.folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(place.folder)).toEqual(['companion.sock']);
  });

  it('by a name that is too long is refused before anything is made', async () => {
    const place = newPlace();
    const long = join(place.home.home, 'x'.repeat(120), 'companion.sock');
    const { code, out } = await finish(startServe({ ...place.home.env, COMPANION_SOCKET: long }));
    expect(code).toBe(5);
    expect(JSON.parse(out).error.message).toMatch(/COMPANION_SOCKET/);
    expect(readdirSync(place.home.home)).not.toContain('x'.repeat(120));
  });
});

/** What can be seen of the place: a changed node, mode, owner or content shows. */
function pictureOf({ path, folder }: Place): unknown {
  const look = (at: string): unknown => {
    const stat = lstatSync(at, { throwIfNoEntry: false });
    return stat && [stat.ino, stat.mode, stat.uid, stat.size];
  };
  return [look(folder), look(path), readdirSync(folder)];
}
