/** Tells when a full-screen program takes the figure's monitor and when it gives it back. Nothing is polled. */
import type { XEvent } from 'x11';
import type { Box } from '../../protocol/window.ts';
import type { Screen } from '../x/screen.ts';
import { watchClient } from './clients.ts';
import { coalesce } from './coalesce.ts';
import { type Client, judge, takenBy } from './covers.ts';
import { contains } from './geometry.ts';
import { type Atoms, readAtoms, readClient, readTopWindow } from './read-windows.ts';

export interface FullScreenWatch {
  /** Looks again: the figure has moved to another monitor. */
  review(): void;
  stop(): void;
}

export interface FullScreenOptions {
  /** The monitor the figure is on. */
  readonly monitor: () => Box;
  /** Our windows, each from the moment it is made; they are neither looked at nor listened to. */
  readonly own: () => readonly number[];
  /** Hears each change; before the first call no program has the monitor. */
  readonly onChange: (isCovered: boolean) => void;
  /** A client of the window manager's has the monitor, and nothing else lies over it; told after each look, as the order of windows may be another. */
  readonly onTaken?: (client: number) => void;
}

const PAUSE_MS = 50;

/** Watches from now on, until `stop` or the end of the connection. */
export function watchFullScreen(
  screen: Screen,
  { monitor, own, onChange, onTaken }: FullScreenOptions,
): FullScreenWatch {
  const known = new Map<number, Promise<Client | null>>();
  let isCovered = false;
  let isOver = false;
  const atoms = readAtoms(screen);
  const look = coalesce(async () => {
    const { covered, client } = await whoCovers(screen, await atoms, monitor(), own(), known);
    if (isOver) return;
    const isNew = covered !== isCovered;
    isCovered = covered;
    if (isNew) onChange(covered);
    if (client !== null) onTaken?.(client);
  }, PAUSE_MS);
  let names: Atoms | null = null;
  atoms.then(
    (read) => {
      names = read;
      look.ask();
    },
    // The connection has ended; so have we.
    () => {},
  );
  const off = screen.on((event) => {
    if (names === null || !isOccasion(event, names, screen.root, known)) return;
    // What moves elsewhere, or is too small, cannot change anything while nothing covers.
    if (event.name === 'ConfigureNotify' && event.wid === screen.root && !isCovered) {
      if (!contains(event as unknown as Box, monitor())) return;
    }
    look.ask();
  });
  return {
    review: look.ask,
    stop: () => {
      isOver = true;
      off();
      look.stop();
    },
  };
}

/** Whether an event may change the answer. What is known of a window is forgotten when the event is about that. */
function isOccasion(event: XEvent, atoms: Atoms, root: number, known: Map<number, unknown>): boolean {
  if (event.name === 'PropertyNotify') {
    if (event.wid === root) return atoms.ofRoot.has(event.atom as number);
    return atoms.ofClients.has(event.atom as number) && known.delete(event.wid);
  }
  if (event.name === 'ConfigureNotify') {
    return event.wid === root || known.delete(event.wid);
  }
  return event.name === 'MapNotify' || event.name === 'UnmapNotify' || event.name === 'CirculateNotify';
}

interface Covering {
  readonly covered: boolean;
  /** The window manager's client that has the monitor; null: there is none, or something past the manager lies over it. */
  readonly client: number | null;
}

async function whoCovers(
  screen: Screen,
  atoms: Atoms,
  monitor: Box,
  own: readonly number[],
  known: Map<number, Promise<Client | null>>,
): Promise<Covering> {
  const { root, numbers } = screen;
  const [[desktop = null], inOrder, inAnyOrder] = await Promise.all([
    numbers(root, '_NET_CURRENT_DESKTOP'),
    numbers(root, '_NET_CLIENT_LIST_STACKING'),
    numbers(root, '_NET_CLIENT_LIST'),
  ]);
  const stacking = inOrder.length > 0 ? inOrder : inAnyOrder;
  const others = stacking.filter((window) => !own.includes(window));
  for (const window of known.keys()) if (!others.includes(window)) known.delete(window);
  const clients = await Promise.all(others.map((window) => recall(screen, atoms, window, known)));
  const top = takenBy(
    monitor,
    desktop,
    clients.filter((client) => client !== null),
  );
  const fromAbove = await isCoveredFromAbove(screen, atoms, monitor, own, stacking);
  const client = top === null || fromAbove ? null : others[clients.indexOf(top)]!;
  return { covered: top !== null || fromAbove, client };
}

function recall(
  screen: Screen,
  atoms: Atoms,
  window: number,
  known: Map<number, Promise<Client | null>>,
): Promise<Client | null> {
  const before = known.get(window);
  if (before !== undefined) return before;
  // First listen, then read: no change in between goes unheard.
  watchClient(screen, window);
  const reading = readClient(screen, atoms, window);
  known.set(window, reading);
  return reading;
}

/** Looks at the root's children from the uppermost down to the first ordinary window: lockers and old games ask no window manager. */
async function isCoveredFromAbove(
  screen: Screen,
  atoms: Atoms,
  monitor: Box,
  own: readonly number[],
  clients: readonly number[],
): Promise<boolean> {
  const { X, root, ask } = screen;
  const { children } = await ask<{ readonly children: readonly number[] }>((done) => X.QueryTree(root, done));
  for (const window of children.toReversed()) {
    const top = await readTopWindow(screen, atoms, window, { own, clients });
    const verdict = top === null ? 'further' : judge(top, monitor);
    if (verdict !== 'further') return verdict === 'covers';
  }
  return false;
}
