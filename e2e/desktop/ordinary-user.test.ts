import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCaller } from '../faults/caller.ts';
import { endAll, type HostProcess, socketOf, startHostProcess, treeOf } from '../faults/processes.ts';
import { until } from '../harness.ts';
import { findWindow } from './companion.ts';
import { type Desk, missingFor, openDesk, settledPicture } from './desk.ts';
import { screenDiff } from './picture.ts';
import { keepPicture } from './picture-file.ts';
import { type OrdinaryUser, openOrdinaryUser, whyNoOrdinaryUser } from './user.ts';

const missing = missingFor({ compositor: false }) ?? whyNoOrdinaryUser();
if (missing !== null) console.warn(`nothing is tested as an ordinary user: ${missing}`);

interface Described {
  readonly overlay: Readonly<Record<string, unknown>>;
}

describe.skipIf(missing !== null)('as an ordinary user, with the sandbox', () => {
  let desk: Desk;
  let user: OrdinaryUser;
  let host: HostProcess;
  beforeAll(async () => {
    desk = await openDesk();
    user = openOrdinaryUser();
    const env = { HOME: user.home, DISPLAY: desk.display, LANG: 'C.UTF-8' };
    const script = join(user.packageFolder, 'e2e', 'faults', 'host-process.mjs');
    host = await startHostProcess(env, {}, { command: user.command, script });
  });
  afterAll(async () => {
    await endAll();
    user?.close();
    await desk?.close();
  });

  // Processes that were forked ahead of their use have it all in one word.
  const commandLine = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  const statusOf = (pid: number, field: string): string =>
    new RegExp(`^${field}:\\s+(\\S+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';

  it('runs everything as that user, and the page behind namespace and seccomp', () => {
    const tree = treeOf(host.pid);
    expect([...new Set(tree.map((pid) => statusOf(pid, 'Uid')))]).toEqual([String(user.uid)]);
    expect(tree.filter((pid) => commandLine(pid).includes('--no-sandbox'))).toEqual([]);
    const renderers = tree.filter((pid) => commandLine(pid).includes('--type=renderer'));
    expect(renderers.length).toBeGreaterThan(0);
    for (const pid of renderers) {
      expect(statusOf(pid, 'Seccomp')).toBe('2');
      expect(readlinkSync(`/proc/${pid}/ns/user`)).not.toBe(readlinkSync('/proc/self/ns/user'));
    }
  });

  it('shows the figure and its first card on the desktop, and nothing else', async () => {
    const window = await until('the window', () => findWindow(desk.x));
    await until('the figure', async () => screenDiff(await desk.screenshot()).count > 10_000);
    const picture = await settledPicture(desk);
    keepPicture('ordinary-user', picture);
    const { bounds } = screenDiff(picture);
    const place = await desk.x.place(window);
    expect(bounds!.x).toBeGreaterThanOrEqual(place.x);
    expect(bounds!.y).toBeGreaterThanOrEqual(place.y);
  });

  it('tells the truth about its window', async () => {
    const stranger = createCaller(socketOf({ XDG_RUNTIME_DIR: join(user.home, 'run') }), null);
    try {
      const { overlay } = await stranger.call<Described>('runtime.describe');
      expect(overlay).toMatchObject({ state: 'up', backend: 'x11', transparent: true, alwaysOnTop: true });
    } finally {
      stranger.close();
    }
  });
});
