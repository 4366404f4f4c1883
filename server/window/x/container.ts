/** Our own window around Chromium's: made before Chromium's is mapped, with every hint set before it is mapped itself (design §3). */
import type { Box } from '../../protocol/window.ts';
import { sameBox } from '../desk/geometry.ts';
import { REDIRECT_MANUAL, SHAPE_BOUNDING, SHAPE_SET } from './extensions.ts';
import { EVENTS, IS_VIEWABLE, type Screen } from './screen.ts';
import { findFrame, layManaged, type WmFrame } from './wm-frame.ts';

const INPUT_OUTPUT = 1;
const ALL_DESKTOPS = 0xffff_ffff;
/** Our messages come from a program, not from a pager. */
const FROM_APPLICATION = 1;
const WM_HINTS_INPUT = 1;
/** Position and size were chosen by the user: window managers leave them alone. */
const SIZE_HINTS = 1 | 2;
const CLOSE = 'WM_DELETE_WINDOW';
/** How long a window manager may take to lay our window; one that hangs does not keep a card from being seen. */
const LAID_WITHIN_MS = 2_000;
/** Of what one that hangs was asked for. */
const MOST_REMEMBERED = 100;
const STATES = [
  '_NET_WM_STATE_ABOVE',
  '_NET_WM_STATE_STICKY',
  '_NET_WM_STATE_SKIP_TASKBAR',
  '_NET_WM_STATE_SKIP_PAGER',
] as const;

export interface Container {
  readonly window: number;
  readonly child: number;
  /** The window manager's frame around ours; null: there is none. */
  frame(): WmFrame | null;
  isManaged(): boolean;
  isMapped(): boolean;
  /** Our window with everything in it on the screen; resolves when Chromium's window can be seen by the server. */
  show(): Promise<void>;
  /** Takes it off the screen and puts the page to rest. */
  hide(): Promise<void>;
  /** Lays our window over `box` of the screen, with Chromium's corner at `page` of the screen. Buffered. */
  lay(box: Box, page: { readonly x: number; readonly y: number }): void;
  /** The window manager has yet to do what `lay` asked of it. Laid again before, ours would be seen for a moment where it was asked to be. */
  isAsked(): boolean;
  /** To be called when the manager tells where it has put our window (ICCCM §4.1.5). */
  answered(box: Box): void;
  /** Gives Chromium's window, and so the page, this size. Buffered. */
  resize(size: { readonly width: number; readonly height: number }): void;
  /** Tells Chromium where it is; it opens its pop-up windows by that. */
  tellPosition(page: { readonly x: number; readonly y: number }): void;
  /** To be called for every `ReparentNotify` of our window: a window manager came, went, or put it into a frame. */
  findFrame(): Promise<void>;
}

/** The window by which a window manager shows that it runs; null: none does. */
export async function findManager(screen: Screen): Promise<number | null> {
  const [check] = await screen.numbers(screen.root, '_NET_SUPPORTING_WM_CHECK');
  if (check === undefined) return null;
  // The property outlives the manager that set it; its window does not.
  const [same] = await screen.numbers(check, '_NET_SUPPORTING_WM_CHECK');
  return same === check ? check : null;
}

/**
 * Makes the container around `child`, a window of Chromium that was just created, and maps it with nothing to be seen.
 * `onAnswered`: the window manager has done what `lay` asked of it, or will not.
 */
export async function createContainer(
  screen: Screen,
  child: number,
  box: Box,
  managed: () => Promise<boolean>,
  onAnswered: () => void,
): Promise<Container> {
  const { X, root, extensions } = screen;
  const window = X.AllocID();
  const visual = await visualFor(screen, child);
  const colormap = X.AllocID();
  let isManaged = await managed();
  let isMapped = false;
  let isShowing = false;
  let size = { width: box.width, height: box.height };
  let frame: WmFrame | null = null;
  let asked: { readonly box: Box; readonly late: NodeJS.Timeout } | null = null;
  /** What was asked for since an answer last said just that, and that: answers to these may still be under way. */
  let askedBefore: readonly Box[] = [box];
  /** One that has not answered, or with something else, is not waited for again before it does. */
  let isMute = false;

  const forgetAsked = (): void => {
    clearTimeout(asked?.late);
    asked = null;
  };

  const ask = (box: Box): void => {
    // What changes nothing is always answered; what changes the size is not (ICCCM §4.1.5).
    X.ConfigureWindow(window, { borderWidth: 0 });
    forgetAsked();
    askedBefore = [...askedBefore.slice(-MOST_REMEMBERED), box];
    if (isMute) return;
    const late = setTimeout(() => {
      isMute = true;
      forgetAsked();
      onAnswered();
    }, LAID_WITHIN_MS);
    asked = { box, late: late.unref() };
  };

  X.CreateColormap(colormap, root, visual.id, 0);
  X.CreateWindow(window, root, box.x, box.y, box.width, box.height, 0, visual.depth, INPUT_OUTPUT, visual.id, {
    backgroundPixmap: 0,
    borderPixel: 0,
    colormap,
    overrideRedirect: isManaged ? 0 : 1,
    eventMask: EVENTS.exposure | EVENTS.structure | EVENTS.substructure | EVENTS.property,
  });
  await setHints(screen, window, box);
  X.ChangeWindowAttributes(child, { backgroundPixmap: 0, eventMask: EVENTS.structure | EVENTS.focus });
  X.ReparentWindow(child, window, 0, 0);
  extensions.composite.RedirectWindow(child, REDIRECT_MANUAL);

  const show = async (): Promise<void> => {
    if (isMapped || isShowing) return;
    isShowing = true;
    forgetAsked();
    isMute = false;
    // Whoever manages windows may have come or gone since.
    isManaged = await managed();
    X.ChangeWindowAttributes(window, { overrideRedirect: isManaged ? 0 : 1 });
    extensions.shape.Rectangles(SHAPE_SET, SHAPE_BOUNDING, window, 0, 0, [], 0);
    await setStates(screen, window);
    X.DeleteProperty(child, await screen.atom('_NET_WM_STATE'));
    X.MapWindow(window);
    screen.flush();
    await untilViewable(screen, window);
    if (isManaged) await screen.tellManager(window, '_NET_WM_DESKTOP', [ALL_DESKTOPS, FROM_APPLICATION]);
    frame = await findFrame(screen, window);
    // Not any sooner: without its frame it would be laid at a wrong place.
    isMapped = true;
    isShowing = false;
  };

  return {
    window,
    child,
    frame: () => frame,
    isManaged: () => isManaged,
    isMapped: () => isMapped,
    show,
    hide: async () => {
      if (!isMapped) return;
      isMapped = false;
      frame = null;
      forgetAsked();
      X.UnmapWindow(window);
      // Tells a window manager that the window is withdrawn, not just iconic (ICCCM §4.1.4).
      X.SendEvent(root, 0, EVENTS.substructure | EVENTS.substructureRedirect, {
        name: 'UnmapNotify',
        event: root,
        wid: window,
        fromConfigure: 0,
      });
      // Only a window that says so is taken for hidden by Chromium, and only then its clock stops.
      await screen.setNumbers(child, '_NET_WM_STATE', 'ATOM', [await screen.atom('_NET_WM_STATE_HIDDEN')]);
      screen.flush();
      if (isManaged) await untilWithdrawn(screen, window);
    },
    lay: (to, page) => {
      if (isManaged) {
        layManaged(screen, window, frame, to);
        ask(to);
      } else X.ConfigureWindow(window, to);
      X.ConfigureWindow(child, { x: page.x - to.x, y: page.y - to.y });
    },
    isAsked: () => asked !== null,
    answered: (box) => {
      isMute = false;
      if (asked === null) return;
      if (sameBox(asked.box, box)) askedBefore = [box];
      // Some managers keep every window on the screen, and a card may hang over its edge during a drag: their own box is an answer.
      else if (askedBefore.some((each) => sameBox(each, box))) return;
      forgetAsked();
      onAnswered();
    },
    resize: (to) => {
      size = { width: to.width, height: to.height };
      X.ConfigureWindow(child, size);
    },
    tellPosition: (page) => {
      X.SendEvent(child, 0, EVENTS.structure, {
        name: 'ConfigureNotify',
        wid: child,
        wid1: child,
        event: child,
        window: child,
        aboveSibling: 0,
        x: page.x,
        y: page.y,
        // Its real size, or it would lay the page out for another.
        ...size,
        borderWidth: 0,
        overrideRedirect: 0,
      });
    },
    findFrame: async () => {
      frame = await findFrame(screen, window);
    },
  };
}

/** With alpha where the server can; else what Chromium's own window has. */
async function visualFor(screen: Screen, child: number): Promise<{ readonly id: number; readonly depth: number }> {
  if (screen.argbVisual !== null) return { id: screen.argbVisual, depth: 32 };
  const { X } = screen;
  const { visual } = await screen.ask<{ visual: number }>((done) => X.GetWindowAttributes(child, done));
  const { depth } = await screen.ask<{ depth: number }>((done) => X.GetGeometry(child, done));
  return { id: visual, depth };
}

const setStates = async (screen: Screen, window: number): Promise<void> =>
  screen.setNumbers(window, '_NET_WM_STATE', 'ATOM', await Promise.all(STATES.map(screen.atom)));

async function setHints(screen: Screen, window: number, box: Box): Promise<void> {
  await screen.setText(window, 'WM_CLASS', 'companion\0companion\0');
  await screen.setText(window, 'WM_NAME', 'Companion');
  await screen.setText(window, '_NET_WM_NAME', 'Companion');
  const NINE = 9;
  const hints = Array.from({ length: NINE }, () => 0);
  // Input false: a click on us takes the keyboard from nobody.
  hints[0] = WM_HINTS_INPUT;
  await screen.setNumbers(window, 'WM_HINTS', 'WM_HINTS', hints);
  const EIGHTEEN = 18;
  const size = Array.from({ length: EIGHTEEN }, () => 0);
  size.splice(0, 5, SIZE_HINTS, box.x, box.y, box.width, box.height);
  await screen.setNumbers(window, 'WM_NORMAL_HINTS', 'WM_SIZE_HINTS', size);
  await screen.setNumbers(window, '_NET_WM_USER_TIME', 'CARDINAL', [0]);
  await screen.setNumbers(window, '_MOTIF_WM_HINTS', '_MOTIF_WM_HINTS', [2, 0, 0, 0, 0]);
  const utility = await screen.atom('_NET_WM_WINDOW_TYPE_UTILITY');
  await screen.setNumbers(window, '_NET_WM_WINDOW_TYPE', 'ATOM', [utility]);
  await screen.setNumbers(window, '_NET_WM_PID', 'CARDINAL', [process.pid]);
  await screen.setNumbers(window, 'WM_PROTOCOLS', 'ATOM', [await screen.atom(CLOSE)]);
  await setStates(screen, window);
}

/** How long a window manager may take over what it is asked. */
const MANAGER_WITHIN_MS = 5_000;

/** Resolves when the manager has let `window` go: mapped again any sooner it would be overlooked. After 5 s of one that does not, too. */
function untilWithdrawn(screen: Screen, window: number): Promise<void> {
  return untilSeen(screen, ['ReparentNotify', 'PropertyNotify', 'DestroyNotify'], async () => {
    const { parent } = await screen.ask<{ parent: number }>((done) => screen.X.QueryTree(window, done));
    if (parent === screen.root) {
      const [state = 0] = await screen.numbers(window, 'WM_STATE');
      return state === 0;
    }
    return false;
  });
}

/** Resolves when `window` is viewable, or after 5 s of a manager that does nothing. */
const untilViewable = (screen: Screen, window: number): Promise<void> =>
  untilSeen(screen, ['MapNotify'], async () => {
    const { mapState } = await screen.ask<{ mapState: number }>((done) => screen.X.GetWindowAttributes(window, done));
    return mapState === IS_VIEWABLE;
  });

/** Looks now and at each of these events until `is` holds, at most 5 s. Rejects when the connection ends. */
function untilSeen(screen: Screen, events: readonly string[], is: () => Promise<boolean>): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (): void => {
      clearTimeout(late);
      off();
      resolve();
    };
    const late = setTimeout(finish, MANAGER_WITHIN_MS);
    const look = (): void => {
      is().then((holds) => holds && finish(), reject);
    };
    const off = screen.on((event) => {
      if (events.includes(event.name)) look();
    });
    look();
  });
}

/** Gives `window` and its frame the shape of the unmapped window `stage`; `kind` says which of their shapes. Buffered. */
export function shapeLike(screen: Screen, container: Container, kind: number, stage: number): void {
  const { shape } = screen.extensions;
  const frame = container.frame();
  if (frame !== null) shape.Combine(SHAPE_SET, kind, SHAPE_BOUNDING, frame.window, frame.x, frame.y, stage);
  shape.Combine(SHAPE_SET, kind, SHAPE_BOUNDING, container.window, 0, 0, stage);
}

/** Takes a shape off again: the whole window. Buffered. */
export function unshape(screen: Screen, container: Container, kind: number): void {
  const { shape } = screen.extensions;
  const frame = container.frame();
  if (frame !== null) shape.Mask(SHAPE_SET, kind, frame.window, 0, 0, 0);
  shape.Mask(SHAPE_SET, kind, container.window, 0, 0, 0);
}
