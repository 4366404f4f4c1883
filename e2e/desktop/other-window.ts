/** Somebody else's program on the desktop: one window, on a connection of its own, that counts what the user does to it. */
import { until } from '../harness.ts';
import type { Desk } from './desk.ts';
import { type Area, connectX, eventMask, type XClient } from './x-client.ts';

export interface OtherOptions {
  readonly title?: string;
  readonly place?: Area;
  /** 0xRRGGBB; default white. */
  readonly colour?: number;
  /** Without a window manager: the keyboard is taken at once. Default true. */
  readonly takeFocus?: boolean;
}

export interface OtherWindow {
  readonly window: number;
  /** Where clicks hit, from its own corner. */
  readonly clicks: readonly { readonly x: number; readonly y: number }[];
  /** Keycodes pressed. */
  readonly keys: readonly number[];
  /** Every gain and loss of the keyboard, in order; `at` by performance.now(). */
  readonly focusChanges: readonly { readonly at: number; readonly has: boolean }[];
  place(): Promise<Area>;
  hasFocus(): Promise<boolean>;
  focus(): Promise<void>;
  maximise(): Promise<void>;
  setFullScreen(on: boolean): Promise<void>;
  /** To this virtual desktop, counted from 0. */
  moveToDesktop(index: number): Promise<void>;
  close(): Promise<void>;
}

const DEFAULT_PLACE: Area = { x: 100, y: 100, width: 400, height: 300 };
const STATE = { remove: 0, add: 1 } as const;
const INPUT_OUTPUT = 1;

async function createWindow(x: XClient, { title = 'other', place = DEFAULT_PLACE, colour = 0xffffff }: OtherOptions) {
  const { requests: X, root } = x;
  const window = X.AllocID();
  const { x: left, y: top, width, height } = place;
  X.CreateWindow(window, root, left, top, width, height, 0, 0, INPUT_OUTPUT, 0, {
    backgroundPixel: colour,
    eventMask: eventMask('KeyPress', 'ButtonPress', 'FocusChange', 'StructureNotify'),
  });
  X.ChangeProperty(0, window, X.atoms.WM_NAME!, X.atoms.STRING!, 8, title);
  X.ChangeProperty(0, window, X.atoms.WM_CLASS!, X.atoms.STRING!, 8, `${title}\0${title}\0`);
  // Position and size as the user chose them: the window manager places nothing.
  const hints = [1 | 2, left, top, width, height, ...Array.from({ length: 13 }, () => 0)];
  X.ChangeProperty(0, window, X.atoms.WM_NORMAL_HINTS!, X.atoms.WM_SIZE_HINTS!, 32, hints);
  const viewable = until('the other window is viewable', async () => {
    const { mapState } = await x.ask<{ mapState: number }>((requests, done) =>
      requests.GetWindowAttributes(window, done),
    );
    return mapState === 2;
  });
  X.MapWindow(window);
  await viewable;
  return window;
}

/** Opens the window and resolves once it is on the screen and, unless told otherwise, has the keyboard. */
export async function openOther(desk: Desk, options: OtherOptions = {}): Promise<OtherWindow> {
  const x = await connectX(desk.display);
  const clicks: { x: number; y: number }[] = [];
  const keys: number[] = [];
  const focusChanges: { at: number; has: boolean }[] = [];
  x.requests.on('event', (event) => {
    if (event.name === 'ButtonPress') clicks.push({ x: event.x as number, y: event.y as number });
    else if (event.name === 'KeyPress') keys.push(event.keycode as number);
    else if (event.name === 'FocusIn' || event.name === 'FocusOut')
      focusChanges.push({ at: performance.now(), has: event.name === 'FocusIn' });
  });
  const window = await createWindow(x, options);
  const managed = (await x.numbers(x.root, '_NET_SUPPORTING_WM_CHECK')).length > 0;
  const tellManager = async (message: string, ...data: number[]): Promise<void> => {
    x.requests.SendClientMessage(x.root, window, await x.atom(message), 32, [...data, 0, 0, 0, 0].slice(0, 5));
  };
  const setStates = async (on: boolean, ...names: readonly string[]): Promise<void> => {
    const states = await Promise.all(names.map((name) => x.atom(`_NET_WM_STATE_${name}`)));
    await tellManager('_NET_WM_STATE', on ? STATE.add : STATE.remove, ...states);
    await until(`${names} ${on}`, async () => {
      const now = await x.numbers(window, '_NET_WM_STATE');
      return states.every((state) => now.includes(state) === on);
    });
  };
  const hasFocus = async (): Promise<boolean> =>
    (await x.ask<{ focus: number }>((X, done) => X.GetInputFocus(done))).focus === window;
  const other: OtherWindow = {
    window,
    clicks,
    keys,
    focusChanges,
    place: () => x.place(window),
    hasFocus,
    focus: async () => {
      if (managed) await tellManager('_NET_ACTIVE_WINDOW', 2);
      else x.requests.SetInputFocus(window, 1);
      await until('the other window has the keyboard', hasFocus);
    },
    maximise: () => setStates(true, 'MAXIMIZED_VERT', 'MAXIMIZED_HORZ'),
    setFullScreen: (on) => setStates(on, 'FULLSCREEN'),
    moveToDesktop: async (index) => {
      await tellManager('_NET_WM_DESKTOP', index, 2);
      await until('the other desktop', async () => (await x.numbers(window, '_NET_WM_DESKTOP'))[0] === index);
    },
    close: () => x.close(),
  };
  if (options.takeFocus ?? true) await other.focus();
  return other;
}
