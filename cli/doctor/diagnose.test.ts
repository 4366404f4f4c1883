import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MIN_NODE } from './check-machine.ts';
import { diagnose, tellDiagnosis } from './diagnose.ts';
import { FOLDER, HEALTHY, IDLE, SOCKET } from './doctor.fixture.ts';
import type { Facts } from './facts.ts';
import type { CheckId, Level } from './finding.ts';

/** Facts in which some fields of some parts are other than in `base`. */
function change(base: Facts, ...changes: readonly Partial<{ [Part in keyof Facts]: unknown }>[]): Facts {
  const facts: Record<string, unknown> = { ...base };
  for (const [part, value] of changes.flatMap((parts) => Object.entries(parts))) {
    const isPart = typeof value === 'object' && value !== null && !Array.isArray(value);
    facts[part] = isPart ? { ...(facts[part] as object), ...value } : value;
  }
  return facts as unknown as Facts;
}

const overlay = (parts: object) => ({ host: { ...HEALTHY.host, overlay: { ...HEALTHY.host!.overlay, ...parts } } });
const find = (facts: Facts, id: CheckId) => diagnose(facts).checks.find((check) => check.id === id)!;
const HEADLESS = overlay({ backend: 'headless', transparent: false });
const NO_DISPLAY = { display: { name: null, answer: null } };

describe('diagnose', () => {
  it.each([
    ['with a companion', HEALTHY],
    ['before the first start', IDLE],
  ])('finds nothing on a machine where everything works, %s', (_when, facts) => {
    const { ok, checks } = diagnose(facts);
    expect(checks.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(ok).toBe(true);
  });

  it('has each check once, and something to say in each', () => {
    const { checks } = diagnose(IDLE);
    expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
    for (const { title, seen, mend } of checks) expect([title, seen, mend]).not.toContain('');
  });

  it('is not all right with one problem, and is with any number of warnings', () => {
    expect(diagnose(change(HEALTHY, { node: '18.0.0' })).ok).toBe(false);
    const { ok, checks } = diagnose(change(HEALTHY, { isRoot: true }));
    expect([ok, checks.some(({ status }) => status === 'warning')]).toEqual([true, true]);
  });

  it.each<[string, CheckId, Level, Facts, string, string | null]>([
    ['an old Node', 'node', 'problem', change(IDLE, { node: '20.9.0' }), '20.9.0', 'nodejs.org'],
    ['root', 'user', 'warning', change(IDLE, { isRoot: true }), 'sandbox', 'own account'],
    [
      'no Chromium on Debian',
      'chromium',
      'problem',
      change(IDLE, { chromium: { path: null, version: null } }),
      'None was found',
      'sudo apt-get install chromium',
    ],
    [
      'a named Chromium that cannot be run',
      'chromium',
      'problem',
      change(IDLE, { chromium: { named: '/opt/gone', path: null, version: null } }),
      '/opt/gone cannot be run',
      'COMPANION_CHROMIUM',
    ],
    [
      'a snap on Ubuntu',
      'chromium',
      'warning',
      change(IDLE, { chromium: { wall: 'snap' }, distributions: ['ubuntu', 'debian'] }),
      'snap',
      'Google Chrome',
    ],
    [
      'a Flatpak on Fedora',
      'chromium',
      'warning',
      change(IDLE, { chromium: { wall: 'flatpak' }, distributions: ['fedora'] }),
      'flatpak',
      'sudo dnf install chromium',
    ],
    [
      'a snap that works all the same',
      'chromium',
      'ok',
      change(HEALTHY, { chromium: { wall: 'snap' } }),
      'Chrom',
      null,
    ],
    [
      'a Chromium that says nothing',
      'chromium',
      'warning',
      change(IDLE, { chromium: { version: null } }),
      'does not say',
      '--version',
    ],
    ['root’s missing sandbox', 'sandbox', 'warning', change(IDLE, { isRoot: true }), 'root', null],
    ['a sandbox that was seen', 'sandbox', 'ok', change(HEALTHY, { namespaces: { maximum: 0 } }), 'has seen it', null],
    [
      'a companion that runs without',
      'sandbox',
      'warning',
      change(HEALTHY, { desktop: { chromium: { path: '/c', sandbox: false } } }),
      'has none',
      'again',
    ],
    [
      'namespaces for root only',
      'sandbox',
      'problem',
      change(IDLE, { namespaces: { unprivilegedClone: 0 } }),
      'unprivileged_userns_clone is 0',
      'sudo sysctl -w kernel.unprivileged_userns_clone=1',
    ],
    [
      'no namespaces',
      'sandbox',
      'problem',
      change(IDLE, { namespaces: { maximum: 0 } }),
      'max_user_namespaces is 0',
      'sudo sysctl -w user.max_user_namespaces=15000',
    ],
    [
      'no namespaces but the helper',
      'sandbox',
      'ok',
      change(IDLE, { namespaces: { maximum: 0 }, chromium: { hasHelper: true } }),
      'helper',
      null,
    ],
    [
      'AppArmor',
      'sandbox',
      'warning',
      change(IDLE, { namespaces: { apparmorRestricts: 1 } }),
      'AppArmor',
      'apparmor_restrict_unprivileged_userns=0',
    ],
    [
      'a kernel without those settings',
      'sandbox',
      'ok',
      change(IDLE, { namespaces: { unprivilegedClone: null, maximum: null } }),
      'Available',
      null,
    ],
    ['XWayland', 'display', 'ok', change(IDLE, { display: { wayland: 'wayland-0' } }), 'XWayland', null],
    ['no display', 'display', 'warning', change(IDLE, NO_DISPLAY), 'headless', 'on the desktop'],
    ['no display in this shell', 'display', 'ok', change(HEALTHY, NO_DISPLAY), 'running companion has one', null],
    [
      'Wayland without XWayland',
      'display',
      'problem',
      change(IDLE, NO_DISPLAY, { display: { wayland: 'wayland-0' }, distributions: ['arch'] }),
      'without XWayland',
      'sudo pacman -S xorg-xwayland',
    ],
    [
      'a display nobody serves',
      'display',
      'problem',
      change(IDLE, { display: { name: ':99', answer: 'unreachable' } }),
      'Nothing answers at :99',
      'DISPLAY',
    ],
    [
      'a display that refuses',
      'display',
      'problem',
      change(IDLE, { display: { answer: 'refused', reason: 'Authorization required' } }),
      'refuses this user: Authorization required.',
      'XAUTHORITY',
    ],
    [
      'a display that hangs',
      'display',
      'problem',
      change(IDLE, { display: { answer: 'silent' } }),
      'nothing',
      'Log in',
    ],
    [
      'a DISPLAY that is none',
      'display',
      'problem',
      change(IDLE, { display: { name: 'zero', answer: 'unreadable' } }),
      'zero',
      ':0',
    ],
    [
      'a browser that is down',
      'window',
      'problem',
      change(HEALTHY, overlay({ state: 'down' })),
      'browser',
      'companion.log',
    ],
    ['a browser that starts', 'window', 'ok', change(HEALTHY, overlay({ state: 'starting' })), 'coming up', null],
    ['headless with a display', 'window', 'warning', change(HEALTHY, HEADLESS), 'although', '--headless'],
    ['headless without one', 'window', 'warning', change(HEALTHY, HEADLESS, NO_DISPLAY), 'nobody', 'on the desktop'],
    [
      'headless for a reason',
      'window',
      'warning',
      change(HEALTHY, HEADLESS, { desktop: { trouble: 'no SHAPE' } }),
      'no SHAPE',
      'companion.log',
    ],
    [
      'a plain window',
      'window',
      'warning',
      change(HEALTHY, overlay({ backend: 'window' }), { desktop: { trouble: 'no Composite' } }),
      'A plain one: no see-through window could be made here: no Composite',
      'companion.log',
    ],
    ['XWayland’s window', 'window', 'ok', change(HEALTHY, overlay({ backend: 'xwayland' })), 'XWayland', null],
    [
      'a box, without a compositor',
      'transparent',
      'warning',
      change(HEALTHY, overlay({ transparent: false }), { desktop: { compositor: false } }),
      'box',
      'sudo apt-get install picom',
    ],
    ['a box', 'transparent', 'warning', change(HEALTHY, overlay({ transparent: false })), 'box', 'SHAPE'],
    [
      'a figure that is covered',
      'always-on-top',
      'warning',
      change(HEALTHY, overlay({ alwaysOnTop: false })),
      'cover',
      'settings of the window manager',
    ],
    [
      'the same without a window manager',
      'always-on-top',
      'warning',
      change(HEALTHY, overlay({ alwaysOnTop: false }), { desktop: { windowManager: null } }),
      'cover',
      'No window manager',
    ],
    [
      'clicks that are kept',
      'click-through',
      'warning',
      change(HEALTHY, overlay({ clickThrough: false })),
      'Clicks',
      'SHAPE',
    ],
    [
      'a place that is not kept',
      'positioned',
      'warning',
      change(HEALTHY, overlay({ positioned: false })),
      'place',
      'X11',
    ],
    ['a fact of a headless one', 'transparent', 'ok', change(HEALTHY, HEADLESS), 'headless', null],
    [
      'a fact of a plain window',
      'transparent',
      'warning',
      change(HEALTHY, overlay({ backend: 'window', transparent: false })),
      'box',
      'See "Window".',
    ],
    [
      'no compositor',
      'desktop',
      'warning',
      change(HEALTHY, { desktop: { compositor: false }, distributions: ['nameless'] }),
      'Openbox, no compositor',
      'use picom',
    ],
    [
      'nobody to ask for one',
      'desktop',
      'ok',
      change(HEALTHY, { desktop: { compositor: null, windowManager: null } }),
      'No window manager.',
      null,
    ],
    ['a companion that told nothing', 'desktop', 'ok', change(HEALTHY, { desktop: null }), 'Not known', null],
    [
      'taken hotkeys',
      'hotkeys',
      'warning',
      change(HEALTHY, {
        desktop: {
          hotkeys: [
            { action: 'focus', keys: 'Ctrl+Alt+Space', grabbed: false },
            { action: 'show', keys: 'Ctrl+Alt+H', grabbed: true },
          ],
        },
      }),
      'Taken by another program, or not on this keyboard: Ctrl+Alt+Space (focus).',
      '"hotkeys": { "focus": "Ctrl+Alt+Space", "show": "Ctrl+Alt+H" }',
    ],
    ['no hotkeys', 'hotkeys', 'ok', change(HEALTHY, { desktop: { hotkeys: [] } }), 'None', null],
    [
      'a long path',
      'runtime-folder',
      'problem',
      change(IDLE, { socket: { pathBytes: 108 } }),
      '108 bytes',
      'COMPANION_SOCKET',
    ],
    [
      'a folder that is a link',
      'runtime-folder',
      'problem',
      change(IDLE, { socket: { folderEntry: { ...FOLDER, kind: 'link' } } }),
      'link',
      'mv ',
    ],
    [
      'a folder of somebody else’s',
      'runtime-folder',
      'problem',
      change(IDLE, { socket: { folderEntry: { ...FOLDER, isOwn: false } } }),
      'another user',
      'COMPANION_SOCKET',
    ],
    [
      'an open folder',
      'runtime-folder',
      'problem',
      change(IDLE, { socket: { folderEntry: { ...FOLDER, mode: 0o755 }, folder: "/a b/it's" } }),
      'mode 0755',
      "chmod 700 '/a b/it'\\''s'",
    ],
    [
      'no XDG_RUNTIME_DIR',
      'runtime-folder',
      'warning',
      change(IDLE, { socket: { runtimeBase: null } }),
      'not set',
      'systemd',
    ],
    [
      'none, but a named socket',
      'runtime-folder',
      'ok',
      change(IDLE, { socket: { runtimeBase: null, isNamed: true } }),
      'first start',
      null,
    ],
    [
      'an XDG_RUNTIME_DIR that is gone',
      'runtime-folder',
      'problem',
      change(IDLE, { socket: { runtimeBase: { path: '/run/user/9', entry: null } } }),
      'not there',
      'login session',
    ],
    [
      'sudo’s XDG_RUNTIME_DIR',
      'runtime-folder',
      'problem',
      change(IDLE, { socket: { runtimeBase: { path: '/run/user/9', entry: { ...FOLDER, isOwn: false } } } }),
      'another user',
      'sudo',
    ],
    [
      'a file in the socket’s place',
      'socket',
      'problem',
      change(IDLE, { socket: { entry: { ...SOCKET, kind: 'file' } } }),
      'something else',
      'Move',
    ],
    [
      'a socket in an open folder',
      'socket',
      'warning',
      change(IDLE, { socket: { folderEntry: { ...FOLDER, mode: 0o777 }, entry: SOCKET, isAlive: true } }),
      'not asked',
      'Folder of the socket',
    ],
    ['a dead socket', 'socket', 'warning', change(IDLE, { socket: { entry: SOCKET } }), 'by force', 'next start'],
    [
      'a stranger on the socket',
      'socket',
      'problem',
      change(IDLE, { socket: { entry: SOCKET, isAlive: true, fault: 'UNREACHABLE' } }),
      'UNREACHABLE',
      'End it',
    ],
    [
      'an open socket',
      'socket',
      'warning',
      change(HEALTHY, { socket: { entry: { ...SOCKET, mode: 0o666 } } }),
      'mode 0666',
      'chmod 600',
    ],
    ['one companion that cannot be asked', 'instances', 'ok', change(HEALTHY, { host: null }), '4711', null],
    [
      'one whose sockets cannot be seen',
      'instances',
      'ok',
      change(HEALTHY, { lock: { listensIn: null } }),
      '4711',
      null,
    ],
    [
      'two companions',
      'instances',
      'problem',
      change(HEALTHY, { lock: { pid: 99, listensIn: ['/other'] } }),
      'Two run',
      'kill 99',
    ],
    [
      'one that listens elsewhere',
      'instances',
      'problem',
      change(IDLE, { lock: { pid: 99, listensIn: ['/other'] } }),
      'listens in /other',
      'XDG_RUNTIME_DIR',
    ],
    [
      'one that has lost its socket',
      'instances',
      'problem',
      change(IDLE, { lock: { pid: 99, listensIn: null } }),
      'on no socket',
      'start the companion again',
    ],
    [
      'a state folder that is a link',
      'state',
      'problem',
      change(IDLE, { state: { entry: { ...FOLDER, kind: 'link' } } }),
      'link',
      'Move',
    ],
    [
      'root’s state folder',
      'state',
      'problem',
      change(IDLE, { state: { entry: { ...FOLDER, isOwn: false } } }),
      'another user',
      'chown',
    ],
    [
      'a closed state folder',
      'state',
      'problem',
      change(IDLE, { state: { isWritable: false } }),
      'written',
      'read-only',
    ],
    [
      'a folder in place of the database',
      'state',
      'problem',
      change(IDLE, { state: { entry: FOLDER, faults: [{ path: '/s/companion.db', why: 'no file' }] } }),
      '/s/companion.db is a link or no file',
      'Move it away',
    ],
    [
      'a secret others may read',
      'state',
      'problem',
      change(IDLE, { state: { entry: FOLDER, faults: [{ path: '/s/secret', why: 'open' }] } }),
      'Others may read /s/secret',
      'chmod 600 /s/secret',
    ],
    [
      'a secret that is missing',
      'state',
      'problem',
      change(IDLE, { state: { entry: FOLDER, faults: [{ path: '/s/secret', why: 'missing' }] } }),
      '/s/secret is missing',
      'companion.db',
    ],
    ['little room', 'disk', 'warning', change(IDLE, { state: { freeBytes: 100 * 1_048_576 } }), '100 MiB', 'room'],
    ['no room', 'disk', 'problem', change(IDLE, { state: { freeBytes: 1_048_576 } }), 'Only 1 MiB', 'room'],
    ['unknown room', 'disk', 'ok', change(IDLE, { state: { freeBytes: null } }), 'Not known', null],
    [
      'a mistake in the settings',
      'settings',
      'problem',
      change(IDLE, { settings: { fault: 'unknown setting size' } }),
      'unknown setting size',
      'config.json',
    ],
    [
      'an open folder of keys',
      'credentials',
      'problem',
      change(HEALTHY, { credentials: { folderEntry: { ...FOLDER, mode: 0o777 } } }),
      'Others may write',
      'chmod 700',
    ],
    [
      'a folder of keys that is another user’s',
      'credentials',
      'problem',
      change(HEALTHY, { credentials: { folderEntry: { ...FOLDER, isOwn: false } } }),
      'Others may write',
      'Move it away',
    ],
    [
      'a key that chmod does not mend',
      'credentials',
      'problem',
      change(HEALTHY, { credentials: { faults: [{ profile: 'p', file: '/c/p.json', isUnsafe: true }] } }),
      'no files of yours',
      'move it away',
    ],
    [
      'an open key',
      'credentials',
      'problem',
      change(HEALTHY, { credentials: { faults: [{ profile: 'p', file: '/c/p.json', isUnsafe: true }] } }),
      '/c/p.json',
      'chmod 600 /c/p.json',
    ],
    [
      'a broken key',
      'credentials',
      'warning',
      change(HEALTHY, { credentials: { faults: [{ profile: 'p', file: '/c/p.json', isUnsafe: false }] } }),
      'from: p.',
      '--replace',
    ],
    [
      'an autostart that points nowhere',
      'autostart',
      'warning',
      change(HEALTHY, { autostart: { repair: '/opt/node is gone' } }),
      '/opt/node is gone',
      'companion autostart enable',
    ],
    [
      'a service of the user’s own making',
      'autostart',
      'ok',
      change(IDLE, { autostart: { repair: '/u/companion.service was not made by companion' } }),
      'was not made by companion',
      null,
    ],
  ])('of %s says %s: %s', (_what, id, status, facts, seen, mend) => {
    const finding = find(facts, id);
    expect(finding).toMatchObject({ status, seen: expect.stringContaining(seen) });
    if (mend === null) expect(finding.mend).toBeNull();
    else expect(finding.mend).toContain(mend);
  });

  it('asks for the Node that package.json asks for', () => {
    const { engines } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'));
    expect(engines.node).toBe(`>=${MIN_NODE}`);
    expect(find(change(IDLE, { node: MIN_NODE }), 'node').status).toBe('ok');
  });
});

describe('in words', () => {
  it('problems come first, then warnings, and what is the same is said once', () => {
    const text = tellDiagnosis(diagnose(change(IDLE, { isRoot: true, node: '18.0.0' })));
    const levels = text.split('\n').map((line) => /^(PROBLEM|WARNING|ok) /.exec(line)?.[1]);
    expect(levels.filter(Boolean)).toEqual([...levels].filter(Boolean).sort((a, b) => order(a) - order(b)));
    expect(text).toMatch(/^PROBLEM {2}Node\.js: Version 18\.0\.0/);
    expect(text.match(/Not known: no companion runs here/g)).toHaveLength(1);
    expect(text).toMatch(/\n\n1 problem, 2 warnings, \d+ fine\.$/);
    expect(text).not.toContain('\u001b');
  });
});

const order = (level: string | undefined): number => ['PROBLEM', 'WARNING', 'ok'].indexOf(level ?? '');
