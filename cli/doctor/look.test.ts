import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolvePaths } from '../../server/protocol/paths.ts';
import { distributionsOf } from './look-chromium.ts';
import { entryAt, lookAtCredentials, lookAtSocket, lookAtState } from './look-files.ts';
import { holderOf, listenersIn } from './look-lock.ts';
import { chromiumHint, installCommand } from './packages.ts';
import { parseReport, readReport } from './read-report.ts';
import { findCookie, lookAtDisplay, placeOf } from './x-greeting.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'look-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

describe('the report of the desktop', () => {
  const REPORT = {
    pid: process.pid,
    at: 1,
    overlay: { backend: 'x11', transparent: true, alwaysOnTop: true, clickThrough: true, positioned: true },
    compositor: true,
    windowManager: 'Openbox',
    chromium: { path: '/c', sandbox: true },
    hotkeys: [{ action: 'focus', keys: 'Ctrl+Alt+Space', grabbed: false }],
    trouble: null,
  };
  const write = (text: string): void => writeFileSync(join(base, 'desktop.json'), text);

  it('is read as it was written', () => {
    write(JSON.stringify(REPORT));
    expect(readReport(base)).toEqual(REPORT);
  });

  it.each(['', '{', 'null', '[]', '{}', '{"pid":"1"}', '{"pid":-1}', '{"pid":1.5}'])(
    'is nothing when it says %j',
    (text) => {
      write(text);
      expect(readReport(base)).toBeNull();
    },
  );

  it('is nothing, and not waited for, when a pipe is in its place', () => {
    execFileSync('mkfifo', [join(base, 'desktop.json')]);
    expect(readReport(base)).toBeNull();
  });

  it('is nothing when it is not there, or its writer is gone', () => {
    expect(readReport(base)).toBeNull();
    // Above what the kernel ever gives.
    write(JSON.stringify({ ...REPORT, pid: 2 ** 22 + 1 }));
    expect(readReport(base)).toBeNull();
  });

  it('counts for what has the right form, and shows no control character', () => {
    const report = parseReport(
      JSON.stringify({
        pid: 1,
        overlay: 7,
        compositor: 'yes',
        windowManager: 'a\u001b[31m\nb',
        hotkeys: [1, { keys: 2 }],
      }),
    );
    expect(report).toMatchObject({
      overlay: { backend: 'headless', transparent: false },
      compositor: null,
      windowManager: 'a [31m b',
      chromium: { path: '', sandbox: false },
      hotkeys: [],
      trouble: null,
    });
  });
});

describe('a display', () => {
  it.each([
    [':0', '0', [{ path: '/tmp/.X11-unix/X0' }, { path: '\0/tmp/.X11-unix/X0' }]],
    ['unix:12.1', '12', [{ path: '/tmp/.X11-unix/X12' }, { path: '\0/tmp/.X11-unix/X12' }]],
    ['localhost:10.0', '10', [{ host: 'localhost', port: 6_010 }]],
    ['[::1]:1', '1', [{ host: '::1', port: 6_001 }]],
  ])('called %s is display %s', (name, number, addresses) => {
    expect(placeOf(name)).toEqual({ number, addresses });
  });

  it.each(['', 'zero', ':', ':x', '0'])('is not called %j', (name) => {
    expect(placeOf(name)).toBeNull();
  });

  /** An X server on a port of its own, that says `answer` to a greeting (null: hangs up); the DISPLAY of it. */
  async function serve(
    answer: Buffer | null,
  ): Promise<{ display: string; heard: () => Buffer; stop: () => Promise<void> }> {
    let heard = Buffer.alloc(0);
    const server = createServer((socket) =>
      socket.once('data', (bytes) => {
        heard = bytes;
        if (answer === null) socket.destroy();
        else socket.end(answer);
      }),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
    return { display: `127.0.0.1:${port - 6_000}`, heard: () => heard, stop };
  }

  it.each([
    [Buffer.from([1, 0, 11, 0]), { answer: 'welcome', reason: null }],
    [Buffer.from('\0\x08\x0b\0\0\0\x02\0No\x1b way\n'), { answer: 'refused', reason: 'No  way' }],
    [null, { answer: 'refused', reason: null }],
  ])('that answers %j is heard', async (answer, heard) => {
    const server = await serve(answer);
    expect(await lookAtDisplay({ HOME: base, DISPLAY: server.display })).toMatchObject(heard);
    expect(server.heard().toString('latin1', 0, 4)).toBe('l\0\x0b\0');
    await server.stop();
    expect(await lookAtDisplay({ DISPLAY: server.display })).toMatchObject({ answer: 'unreachable' });
  });

  it('gets the cookie of XAUTHORITY', async () => {
    const server = await serve(Buffer.from([1]));
    writeFileSync(join(base, 'auth'), entry(65_535, '', '', COOKIE, 'sixteen bytes...'));
    await lookAtDisplay({ HOME: '/nowhere', XAUTHORITY: join(base, 'auth'), DISPLAY: server.display });
    expect(server.heard().toString('latin1')).toContain('sixteen bytes...');
    await server.stop();
  });

  it.each([
    [{}, null, null],
    [{ DISPLAY: '', WAYLAND_DISPLAY: 'wayland-0' }, null, null],
    [{ DISPLAY: 'zero' }, 'zero', 'unreadable'],
  ])('in %j is %j', async (env, name, answer) => {
    expect(await lookAtDisplay(env)).toMatchObject({ name, answer });
  });

  const part = (text: string) => Buffer.concat([Buffer.from([0, text.length]), Buffer.from(text)]);
  const entry = (family: number, ...parts: readonly string[]) =>
    Buffer.concat([Buffer.from([family >> 8, family & 0xff]), ...parts.map(part)]);
  const COOKIE = 'MIT-MAGIC-COOKIE-1';

  it('has its cookie among those of this machine and those of any', () => {
    const file = Buffer.concat([
      entry(0, 'here', '0', COOKIE, 'tcp'),
      entry(256, 'there', '0', COOKIE, 'elsewhere'),
      entry(256, 'here', '0', 'OTHER', 'unknown'),
      entry(256, 'here', '1', COOKIE, 'one'),
      entry(65_535, '', '', COOKIE, 'any'),
    ]);
    expect(findCookie(file, '1', 'here')?.toString()).toBe('one');
    expect(findCookie(file, '0', 'here')?.toString()).toBe('any');
    expect(findCookie(file.subarray(0, 60), '1', 'here')).toBeNull();
  });
});

describe('the lock', () => {
  const LOCKS = `1: POSIX  ADVISORY  READ 10 fd:01:77 0 EOF
1: -> POSIX  ADVISORY  WRITE 11 fd:01:77 0 EOF
2: FLOCK  ADVISORY  WRITE 12 fd:01:78 0 EOF
3: POSIX  ADVISORY  WRITE 13 00:2a:77 1073741824 1073742335
`;
  it('belongs to whoever has it for writing, not to who reads or waits', () => {
    expect(holderOf(LOCKS, 77)).toBe(13);
    expect(holderOf(LOCKS, 7)).toBeNull();
    expect(holderOf(LOCKS.replace('WRITE 13', 'WRITE 0'), 77)).toBeNull();
  });

  it('leads to the folders of sockets that listen', () => {
    const unix = `Num       RefCount Protocol Flags    Type St Inode Path
0000000000000000: 00000002 00000000 00010000 0001 01 4711 /run/user/1000/companion/.start-abc
00000000abcdef00: 00000003 00000000 00000000 0001 03 4712 /run/user/1000/other/x
00000000abcdef00: 00000002 00000000 00010000 0001 01 4713 @/tmp/.X11-unix/X0
`;
    expect([...listenersIn(unix)]).toEqual([['4711', '/run/user/1000/companion']]);
  });
});

describe('files', () => {
  it('are told apart', () => {
    symlinkSync(base, join(base, 'link'));
    writeFileSync(join(base, 'file'), '');
    chmodSync(join(base, 'file'), 0o640);
    expect(entryAt(join(base, 'link'))?.kind).toBe('link');
    expect(entryAt(join(base, 'file'))).toEqual({ kind: 'file', isOwn: true, mode: 0o640 });
    expect(entryAt(base)?.kind).toBe('folder');
    expect(entryAt(join(base, 'gone'))).toBeNull();
  });

  it('of a socket say whether somebody listens', async () => {
    const env = { HOME: base, XDG_RUNTIME_DIR: base };
    const paths = resolvePaths(env);
    expect(await lookAtSocket(env, paths)).toMatchObject({
      folderEntry: null,
      entry: null,
      isAlive: false,
      isNamed: false,
    });
    mkdirSync(paths.runtimeFolder, { mode: 0o700 });
    const server: Server = createServer();
    await new Promise<void>((resolve) => server.listen(paths.socketPath, resolve));
    expect(await lookAtSocket(env, paths)).toMatchObject({ entry: { kind: 'socket' }, isAlive: true });
    await new Promise((resolve) => server.close(resolve));
    writeFileSync(paths.socketPath, '');
    expect(await lookAtSocket(env, paths)).toMatchObject({ entry: { kind: 'file' }, isAlive: false });
    expect((await lookAtSocket({ HOME: base, XDG_RUNTIME_DIR: 'run' }, paths)).runtimeBase).toBeNull();
  });

  it('that are to be made are judged by the nearest folder', () => {
    const state = lookAtState(resolvePaths({ HOME: join(base, 'not', 'yet') }));
    expect(state).toMatchObject({ entry: null, isWritable: true });
    expect(state.freeBytes).toBeGreaterThan(0);
  });

  it('of the state are looked at for what stands in place of a file of ours', () => {
    const paths = resolvePaths({ HOME: base });
    const { stateFolder } = paths;
    const at = (name: string): string => join(stateFolder, name);
    mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
    expect(lookAtState(paths).faults).toEqual([]);
    writeFileSync(at('companion.db'), '');
    expect(lookAtState(paths).faults).toEqual([{ path: at('secret'), why: 'missing' }]);
    writeFileSync(at('secret'), '', { mode: 0o644 });
    expect(lookAtState(paths).faults).toEqual([{ path: at('secret'), why: 'open' }]);
    chmodSync(at('secret'), 0o600);
    expect(lookAtState(paths).faults).toEqual([]);
    mkdirSync(at('companion.lock'));
    expect(lookAtState(paths).faults).toEqual([{ path: at('companion.lock'), why: 'no file' }]);
  });

  it('with keys are each read as a command would', () => {
    const paths = resolvePaths({ HOME: base });
    expect(lookAtCredentials(paths)).toMatchObject({ folderEntry: null, faults: [], count: 0 });
    mkdirSync(paths.credentialsFolder, { recursive: true, mode: 0o700 });
    const write = (name: string, text: string, mode: number): void => {
      writeFileSync(join(paths.credentialsFolder, `${name}.json`), text);
      chmodSync(join(paths.credentialsFolder, `${name}.json`), mode);
    };
    write('good', '{"key":"cmp_x","scopes":[]}', 0o600);
    write('open', '{"key":"cmp_x","scopes":[]}', 0o644);
    write('torn', '{"key":', 0o600);
    const { faults, count } = lookAtCredentials(paths);
    expect(count).toBe(3);
    expect(faults.map(({ profile, isUnsafe }) => [profile, isUnsafe])).toEqual([
      ['open', true],
      ['torn', false],
    ]);
    expect(JSON.stringify(faults)).not.toContain('cmp_x');
  });
});

describe('a distribution', () => {
  it('tells itself and its kin', () => {
    expect(distributionsOf('NAME="Linux Mint"\nID=linuxmint\nID_LIKE="ubuntu debian"\nVERSION_ID=1\n')).toEqual([
      'linuxmint',
      'ubuntu',
      'debian',
    ]);
    expect(distributionsOf('')).toEqual([]);
  });

  it.each([
    [['debian'], 'sudo apt-get install picom'],
    [['linuxmint', 'ubuntu', 'debian'], 'sudo apt-get install picom'],
    [['rocky', 'rhel', 'centos', 'fedora'], 'sudo dnf install picom'],
    [['manjaro', 'arch'], 'sudo pacman -S picom'],
    [['opensuse-tumbleweed', 'opensuse', 'suse'], 'sudo zypper install picom'],
    [['alpine'], 'sudo apk add picom'],
    [['plan9'], null],
    [[], null],
  ])('%j installs by %s', (distributions, command) => {
    expect(installCommand(distributions, 'picom')).toBe(command);
  });

  it('whose Chromium is a snap gets another hint', () => {
    expect(chromiumHint(['ubuntu', 'debian'])).toContain('Google Chrome');
    expect(chromiumHint(['linuxmint', 'ubuntu'])).toBe('Run: sudo apt-get install chromium');
    expect(chromiumHint([])).toBe('Install Chromium or Google Chrome');
  });
});
