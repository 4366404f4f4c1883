/** The see-through window around one Chromium, from its launch to its end: adopts its window, shows its shapes, moves it, gives it the keyboard. */
import { setTimeout as delay } from 'node:timers/promises';
import type { XEvent } from 'x11';
import { NOTHING_SEEN, type Seen } from '../../protocol/overlay.ts';
import type { Box, PageToWindow, WindowToPage } from '../../protocol/window.ts';
import { type Container, createContainer, findManager } from './container.ts';
import { DAMAGE_BOUNDING_BOX } from './extensions.ts';
import { createFocus, type Focus } from './focus.ts';
import { createPainter, type Painter } from './painter.ts';
import { parseWindowMessage } from './parse-window-message.ts';
import { isSamePlace, type Placer } from './placer.ts';
import { EVENTS, type Screen } from './screen.ts';
import { testWindow } from './self-test.ts';
import { createStackOver } from './stack-over.ts';

export interface ShapedWindow {
  /** The page is there and hears. */
  attach(tell: (message: WindowToPage) => void): void;
  /** Something the page said to its window. */
  receive(json: string): void;
  /** A compositor came or went. */
  setBlending(on: boolean): void;
  /** Monitors, panels or the size have changed: stands where it belongs again. */
  settle(): void;
  /** Gives the keyboard to the page, or back to whoever had it. */
  toggleFocus(): void;
  /** A window manager came or went: lets it have the window, or does without. */
  remanage(): void;
  /** A full-screen program has the monitor, and the user wants to see us over it. */
  standOver(client: number): void;
  /** Our windows on the screen. */
  windows(): readonly number[];
  seen(): Seen;
  close(): void;
}

export interface ShapedWindowOptions {
  readonly screen: Screen;
  /** Chromium's `--class`: nobody else's window is touched. */
  readonly className: string;
  readonly placer: Placer;
  readonly blending: boolean;
  /** Never managed, as under XWayland, where some compositors do not show a managed window. */
  readonly unmanaged: boolean;
  /** The user has put the figure elsewhere, or it has come to another monitor. */
  readonly onPlaced: () => void;
  /** The facts have been looked at anew. */
  readonly onSeen: () => void;
  /** The window manager was told to close the window. */
  readonly onCloseAsked: () => void;
  /** Chromium is there and its window is not, or cannot be had: it must be started again. */
  readonly onFailed: (reason: string) => void;
}

/** In the first byte of an event: another program has sent it (X11 protocol, SendEvent). */
const SENT = 0x80;
/** Chromium opens small windows of its own, too. */
const LEAST_WIDTH_PX = 50;
/** How long after the page has spoken its window may be unknown. */
const FOUND_WITHIN_MS = 5_000;
/** How often a new window manager is offered our window, and how long it may take each time. */
const MANAGED_TRIES = 5;
const MANAGED_WITHIN_MS = 400;

/** How often a window that is not where it belongs is looked at again, and when. */
const TESTS = 4;
const TEST_AGAIN_MS = 400;

/** Waits for Chromium's window on `screen`, from before its launch on. */
export function createShapedWindow(options: ShapedWindowOptions): ShapedWindow {
  const { screen, placer } = options;
  const { X, extensions } = screen;
  let container: Container | null = null;
  let painter: Painter | null = null;
  let focus: Focus | null = null;
  let stackOver: ((client: number) => Promise<void>) | null = null;
  let tell: ((message: WindowToPage) => void) | null = null;
  let told: Extract<WindowToPage, { type: 'place' }> | null = null;
  let blending = options.blending;
  let damage = 0;
  let seen: Seen = NOTHING_SEEN;
  let isAdopting = false;
  /** Showing and hiding one after the other. */
  let turn: Promise<void> = Promise.resolve();
  let wantsToShow = false;
  let isTested = false;
  let isDragAsked = false;

  const managed = async (): Promise<boolean> => !options.unmanaged && (await findManager(screen)) !== null;

  const test = async (): Promise<void> => {
    const shown = painter?.shown();
    const laid = painter?.laid();
    if (container === null || !shown || !laid || !container.isMapped()) return;
    seen = await testWindow(screen, container, shown, blending, laid);
    options.onSeen();
  };

  const testSoon = (): void => {
    if (isTested) return;
    isTested = true;
    void testUntilPlaced(TESTS).catch(() => {});
  };

  /** A window manager that is slow has not had its turn yet with what has just been asked of it. */
  const testUntilPlaced = async (times: number): Promise<void> => {
    await screen.ask((done) => X.GetInputFocus(done));
    await test();
    if (seen.positioned || times <= 1) return;
    await delay(TEST_AGAIN_MS, undefined, { ref: false });
    if (isTested) await testUntilPlaced(times - 1);
  };

  /** Chromium's window has just been created: makes ours around it before it can be mapped. */
  const adopt = async (child: number): Promise<void> => {
    isAdopting = true;
    // Whatever takes longer on a busy machine: in there no window manager can take it, and nobody sees it.
    const shelter = X.AllocID();
    X.CreateWindow(shelter, screen.root, 0, 0, 1, 1, 0, 0, 0, 0, { overrideRedirect: 1 });
    X.ReparentWindow(child, shelter, 0, 0);
    screen.flush();
    const size = placer.pageSize();
    const corner = placer.originFor({ type: 'shape', generation: 1, pieces: [], figure: null, ...size });
    const made = await createContainer(screen, child, { ...corner, ...size }, managed, () => painter?.goOn());
    container = made;
    X.DestroyWindow(shelter);
    painter = createPainter({
      screen,
      container: made,
      originFor: placer.originFor,
      onShown: testSoon,
    });
    painter.setBlending(blending);
    focus = createFocus(screen, made, (message) => tell?.(message));
    stackOver = createStackOver(screen, made);
    made.resize(size);
    damage = X.AllocID();
    extensions.damage.Create(damage, child, DAMAGE_BOUNDING_BOX);
    await show();
  };

  /** A window that has been mapped, or put into a frame, has neither its shape nor its pixels any more. */
  const drawAnew = (): void => {
    painter?.refresh();
    painter?.renew();
  };

  const show = async (): Promise<void> => {
    await container?.show();
    drawAnew();
  };

  /** Follows the newest wish; a quick there and back leaves nothing behind. */
  const follow = (): void => {
    turn = turn
      .then(async () => {
        if (container === null) return;
        if (wantsToShow && !container.isMapped()) await show();
        else if (!wantsToShow && container.isMapped() && tell !== null) {
          focus?.giveBack();
          await container.hide();
        }
      })
      .catch(() => {});
  };

  const tellPlace = (): void => {
    const place = placer.place();
    if (told !== null && isSamePlace(told, place)) return;
    told = place;
    tell?.(place);
  };

  const settle = (): void => {
    if (container === null) return;
    container.resize(placer.pageSize());
    tellPlace();
    painter?.move();
    screen.flush();
    isTested = false;
  };

  /** The pointer was there when it took hold, wherever it is by now. */
  const takeHold = (inPage: { readonly x: number; readonly y: number }): void => {
    const shape = painter?.shown()?.shape;
    if (shape === undefined) return;
    const corner = placer.originFor(shape);
    placer.dragFrom({ x: corner.x + inPage.x, y: corner.y + inPage.y });
  };

  const drag = async ({ phase, x, y }: Extract<PageToWindow, { type: 'drag' }>): Promise<void> => {
    if (phase === 'start') takeHold({ x, y });
    if (phase === 'move' && isDragAsked) return;
    isDragAsked = true;
    const at = await screen
      .ask<{ rootX: number; rootY: number }>((done) => X.QueryPointer(screen.root, done))
      .finally(() => {
        isDragAsked = false;
      });
    const pointer = { x: at.rootX, y: at.rootY };
    placer.dragTo(pointer);
    if (phase !== 'end') return painter?.move();
    if (!placer.drop()) return;
    settle();
    options.onPlaced();
  };

  const putBy = (place: () => void): void => {
    place();
    settle();
    options.onPlaced();
  };

  const takers: { readonly [Type in PageToWindow['type']]: (message: Extract<PageToWindow, { type: Type }>) => void } =
    {
      mask: (message) => painter?.take(message),
      shape: (message) => {
        wantsToShow = message.pieces.length > 0;
        painter?.take(message);
        follow();
      },
      bounds: (message) => {
        // A page that shows nothing wants nothing.
        if (!wantsToShow) return;
        placer.want(message);
        settle();
      },
      drag: (message) => void drag(message).catch(() => {}),
      focus: ({ on }) => (on ? void focus?.take(false).catch(() => {}) : focus?.giveBack()),
      resetPosition: () => putBy(placer.reset),
      moveTo: ({ monitor }) => putBy(() => placer.moveTo(monitor)),
    };

  const isOurs = async (window: number): Promise<boolean> =>
    (await screen.property(window, 'WM_CLASS'))?.includes(options.className) ?? false;

  const consider = async (window: number): Promise<void> => {
    if (!(await isOurs(window)) || isAdopting) return;
    await adopt(window).catch(() => options.onFailed('its window could not be taken over'));
  };

  const hear = (event: XEvent): void => {
    const { name, wid } = event;
    if (container === null) meet(event);
    else if (name === 'DamageNotify' && event.damage === damage) {
      const { x, y, w, h } = event.area as { x: number; y: number; w: number; h: number };
      extensions.damage.Subtract(damage, 0, 0);
      painter?.damaged({ x, y, width: w, height: h });
    } else if (name === 'Expose' && wid === container.window) painter?.exposed(event as unknown as Box);
    else if (name === 'ReparentNotify' && wid === container.window && container.isMapped())
      void container.findFrame().then(drawAnew, () => {});
    else if (name === 'ConfigureNotify' && wid === container.window && event.wid1 === wid) laidOut(event);
    else if (name === 'ConfigureNotify' && wid === container.child) resized(event as unknown as Box);
    else if (name === 'MapNotify' && wid === container.window) painter?.renew();
    else if (name === 'MapNotify' && wid === container.child && container.isMapped()) void show().catch(() => {});
    // A window manager that was faster than we has let go of it by taking it off.
    else if (name === 'UnmapNotify' && wid === container.child) putBack(wid);
    else if (name === 'ClientMessage' && wid === container.window) void asked(event).catch(() => {});
    else focus?.hear(event);
  };

  const putBack = (child: number): void => {
    X.MapWindow(child);
    screen.flush();
  };

  const laidOut = (event: XEvent): void => {
    painter?.repaint();
    // Sent by a program, not by the server: the window manager's answer.
    if ((event.rawData[0]! & SENT) !== 0) container?.answered(event as unknown as Box);
  };

  /** A window nobody knows yet may be Chromium's; its class comes a little after it. */
  const meet = (event: XEvent): void => {
    // While one is taken over, what is created is ours: its events were chosen when it was made.
    if (isAdopting) return;
    if (event.name === 'CreateNotify' && event.parent === screen.root && !event.overrideRedirect) {
      if ((event.width as number) <= LEAST_WIDTH_PX) return;
      X.ChangeWindowAttributes(event.wid, { eventMask: EVENTS.property });
      screen.flush();
    } else if (event.name !== 'PropertyNotify') return;
    void consider(event.wid).catch(() => {});
  };

  let size = { width: 0, height: 0 };
  const resized = ({ width, height }: Box): void => {
    if (width === size.width && height === size.height) return;
    size = { width, height };
    painter?.renew();
  };

  const asked = async (event: XEvent): Promise<void> => {
    const protocols = await screen.atom('WM_PROTOCOLS');
    const close = await screen.atom('WM_DELETE_WINDOW');
    const [what] = event.data as readonly number[];
    if (event.message_type === protocols && what === close) options.onCloseAsked();
  };

  let late: NodeJS.Timeout | undefined;
  const remanage = async (): Promise<void> => {
    if (container === null || !container.isMapped() || (await managed()) === container.isManaged()) return;
    const { window } = container;
    // A manager that has announced itself may not listen yet; it lists what it has.
    for (let tries = 0; tries < MANAGED_TRIES; tries += 1) {
      await container.hide();
      await show();
      if (!container.isManaged()) return;
      await delay(MANAGED_WITHIN_MS);
      if ((await screen.numbers(screen.root, '_NET_CLIENT_LIST')).includes(window)) return;
    }
  };

  const off = screen.on(hear);
  return {
    attach: (to) => {
      tell = to;
      clearTimeout(late);
      if (container === null)
        late = setTimeout(() => {
          if (container === null) options.onFailed('its window was not found');
        }, FOUND_WITHIN_MS);
      told = null;
      tellPlace();
    },
    receive: (json) => {
      const message = parseWindowMessage(json);
      if (message !== null) takers[message.type](message as never);
    },
    setBlending: (on) => {
      blending = on;
      painter?.setBlending(on);
      isTested = false;
    },
    settle,
    toggleFocus: () => {
      if (focus?.isHere()) focus.giveBack();
      else void focus?.take(true);
    },
    remanage: () => {
      turn = turn.then(remanage).catch(() => {});
    },
    standOver: (client) => void stackOver?.(client).catch(() => {}),
    windows: () => (container === null ? [] : [container.window, container.child, container.frame()?.window ?? 0]),
    seen: () => seen,
    close: () => {
      off();
      clearTimeout(late);
      focus?.giveBack();
      painter?.close();
      if (container !== null) X.DestroyWindow(container.window);
      screen.flush();
    },
  };
}
