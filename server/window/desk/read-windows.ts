/** Reads what `covers.ts` judges by: windows that the window manager keeps, and children of the root. */
import { SHAPE_INPUT } from '../x/extensions.ts';
import { IS_VIEWABLE, type Screen } from '../x/screen.ts';
import { boxOfWindow } from './clients.ts';
import type { Client, TopWindow } from './covers.ts';

const STATES = ['HIDDEN', 'FULLSCREEN', 'MAXIMIZED_VERT', 'MAXIMIZED_HORZ', 'ABOVE'] as const;
const TYPES = ['NORMAL', 'DOCK', 'DESKTOP'] as const;
const ROOT_PROPERTIES = ['_NET_CURRENT_DESKTOP', '_NET_CLIENT_LIST_STACKING', '_NET_CLIENT_LIST'];
const CLIENT_PROPERTIES = ['_NET_WM_STATE', '_NET_WM_DESKTOP', '_NET_WM_WINDOW_TYPE', 'WM_TRANSIENT_FOR'];
const ALL_DESKTOPS = 0xffff_ffff;
const INPUT_ONLY = 2;

export interface Atoms {
  readonly states: Readonly<Record<(typeof STATES)[number], number>>;
  readonly types: Readonly<Record<(typeof TYPES)[number], number>>;
  /** Properties whose change may change the answer. */
  readonly ofRoot: ReadonlySet<number>;
  readonly ofClients: ReadonlySet<number>;
}

/** Rejects when the connection ends. */
export async function readAtoms({ atom }: Screen): Promise<Atoms> {
  const table = async <Name extends string>(prefix: string, names: readonly Name[]): Promise<Record<Name, number>> => {
    const pairs = names.map(async (name) => [name, await atom(prefix + name)] as const);
    return Object.fromEntries(await Promise.all(pairs)) as Record<Name, number>;
  };
  const set = async (names: readonly string[]): Promise<ReadonlySet<number>> =>
    new Set(await Promise.all(names.map(atom)));
  return {
    states: await table('_NET_WM_STATE_', STATES),
    types: await table('_NET_WM_WINDOW_TYPE_', TYPES),
    ofRoot: await set(ROOT_PROPERTIES),
    ofClients: await set(CLIENT_PROPERTIES),
  };
}

/** Null when the window has gone. */
export async function readClient(screen: Screen, atoms: Atoms, window: number): Promise<Client | null> {
  const [box, [states = [], [desktop = ALL_DESKTOPS] = [], types = [], [transientFor = 0] = []]] = await Promise.all([
    boxOfWindow(screen, window),
    Promise.all(CLIENT_PROPERTIES.map((name) => screen.numbers(window, name))),
  ]);
  if (box === null) return null;
  const is = (state: (typeof STATES)[number]): boolean => states.includes(atoms.states[state]);
  const isNormal = types.length === 0 || types.includes(atoms.types.NORMAL);
  return {
    box,
    desktop: desktop === ALL_DESKTOPS ? null : desktop,
    isHidden: is('HIDDEN'),
    isFullScreen: is('FULLSCREEN'),
    isMaximised: is('MAXIMIZED_VERT') && is('MAXIMIZED_HORZ'),
    isOrdinary: isNormal && transientFor === 0 && !is('ABOVE'),
    isFurniture: isFurniture(types, atoms),
  };
}

const isFurniture = (types: readonly number[], { types: known }: Atoms): boolean =>
  types.includes(known.DOCK) || types.includes(known.DESKTOP);

/** Null when it has gone, or is ours or the frame around ours. */
export async function readTopWindow(
  screen: Screen,
  atoms: Atoms,
  window: number,
  { own, clients }: { readonly own: readonly number[]; readonly clients: readonly number[] },
): Promise<TopWindow | null> {
  const { X, ask } = screen;
  try {
    const { klass, mapState, overrideRedirect } = await ask<{
      readonly klass: number;
      readonly mapState: number;
      readonly overrideRedirect: number;
    }>((done) => X.GetWindowAttributes(window, done));
    if (mapState !== IS_VIEWABLE || klass === INPUT_ONLY) return null;
    const [box, inside, types, takesClicks] = await Promise.all([
      boxOfWindow(screen, window),
      insidesOf(screen, window),
      screen.numbers(window, '_NET_WM_WINDOW_TYPE'),
      doesTakeClicks(screen, window),
    ]);
    if (box === null || inside.some((each) => own.includes(each))) return null;
    return {
      box,
      isThere: takesClicks,
      isFrame: inside.some((each) => clients.includes(each)),
      isFurniture: isFurniture(types, atoms),
      isUnmanaged: overrideRedirect !== 0,
    };
  } catch {
    return null;
  }
}

/** The window, its children and their children: window managers put one or two frames around a window. */
async function insidesOf({ X, ask }: Screen, window: number, depth = 2): Promise<readonly number[]> {
  if (depth === 0) return [window];
  const { children } = await ask<{ readonly children: readonly number[] }>((done) => X.QueryTree(window, done));
  const deeper = await Promise.all(children.map((child) => insidesOf({ X, ask } as Screen, child, depth - 1)));
  return [window, ...deeper.flat()];
}

/** The surface a compositing manager draws on covers everything and takes no click. */
async function doesTakeClicks({ extensions, ask }: Screen, window: number): Promise<boolean> {
  const { rectangles } = await ask<{ readonly rectangles: readonly unknown[] }>((done) =>
    extensions.shape.GetRectangles(window, SHAPE_INPUT, done),
  );
  return rectangles.length > 0;
}
