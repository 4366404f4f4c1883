/** For tests only: facts of a machine on which everything works and a companion runs, to be changed one at a time. */
import type { Entry, Facts } from './facts.ts';

export const FOLDER: Entry = { kind: 'folder', isOwn: true, mode: 0o700 };
export const SOCKET: Entry = { kind: 'socket', isOwn: true, mode: 0o600 };

export const HEALTHY: Facts = {
  node: '22.11.0',
  isRoot: false,
  distributions: ['debian'],
  chromium: {
    named: null,
    path: '/usr/lib/chromium/chromium',
    version: 'Chromium 136.0',
    wall: null,
    hasHelper: false,
  },
  namespaces: { unprivilegedClone: 1, maximum: 15_000, apparmorRestricts: null },
  display: { name: ':0', wayland: null, answer: 'welcome', reason: null },
  socket: {
    path: '/run/user/1000/companion/companion.sock',
    folder: '/run/user/1000/companion',
    pathBytes: 39,
    maxPathBytes: 107,
    runtimeBase: { path: '/run/user/1000', entry: FOLDER },
    isNamed: false,
    folderEntry: FOLDER,
    entry: SOCKET,
    isAlive: true,
    fault: null,
  },
  host: {
    overlay: {
      state: 'up',
      backend: 'x11',
      transparent: true,
      alwaysOnTop: true,
      clickThrough: true,
      positioned: true,
    },
    access: 'on',
    accepting: { ok: true, reason: null },
  },
  desktop: {
    pid: 4711,
    at: 0,
    overlay: { backend: 'x11', transparent: true, alwaysOnTop: true, clickThrough: true, positioned: true },
    compositor: true,
    windowManager: 'Openbox',
    chromium: { path: '/usr/lib/chromium/chromium', sandbox: true },
    hotkeys: [
      { action: 'focus', keys: 'Ctrl+Alt+Space', grabbed: true },
      { action: 'show', keys: 'Ctrl+Alt+H', grabbed: true },
    ],
    trouble: null,
  },
  lock: { pid: 4711, listensIn: ['/run/user/1000/companion'] },
  state: {
    folder: '/home/u/.local/state/companion',
    entry: FOLDER,
    isWritable: true,
    freeBytes: 10 ** 11,
    logFile: '/home/u/.local/state/companion/companion.log',
    faults: [],
  },
  settings: { file: '/home/u/.config/companion/config.json', isThere: true, fault: null },
  credentials: { folder: '/home/u/.config/companion/credentials', folderEntry: FOLDER, faults: [], count: 1 },
  autostart: { enabled: true, by: 'systemd', file: '/home/u/x', exec: [], repair: null },
};

/** The same machine with nothing of ours running, and nothing of ours on it yet. */
export const IDLE: Facts = {
  ...HEALTHY,
  host: null,
  desktop: null,
  lock: { pid: null, listensIn: null },
  socket: { ...HEALTHY.socket, folderEntry: null, entry: null, isAlive: false },
  state: { ...HEALTHY.state, entry: null },
  settings: { ...HEALTHY.settings, isThere: false },
  credentials: { ...HEALTHY.credentials, folderEntry: null, count: 0 },
  autostart: { enabled: false, by: null, file: null, exec: null, repair: null },
};
