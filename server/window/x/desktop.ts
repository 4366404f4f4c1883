/** One X display for as long as it lives: what is watched on it, where the figure stands, and the window around each Chromium. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { NOTHING_SEEN, type Seen } from '../../protocol/overlay.ts';
import type { DesktopReport, FullScreenPolicy, Sight } from '../../protocol/window.ts';
import { coalesce } from '../desk/coalesce.ts';
import type { Monitor } from '../desk/geometry.ts';
import { grabHotkeys, type HotkeyAction } from '../desk/hotkeys.ts';
import { watchMonitors } from '../desk/monitors.ts';
import { openPlacesFile } from '../desk/places-file.ts';
import { raiseWindow } from '../desk/raise-terminal.ts';
import { watchCompositor } from './compositor.ts';
import { findManager } from './container.ts';
import { createPlacer } from './placer.ts';
import { connectScreen, type Screen } from './screen.ts';
import { createShapedWindow, type ShapedWindow } from './shaped-window.ts';
import { watchSight } from './sight-watch.ts';

export interface Desktop {
  readonly backend: 'x11' | 'xwayland';
  /** To be called before each launch of Chromium, with its end as the way out. */
  open(onFailed: (reason: string) => void): { readonly args: readonly string[]; readonly window: ShapedWindow };
  facts(): DesktopFacts;
  /** Asks the window manager to bring another program's window up; false when it knows none of that ID. */
  raise(windowId: string): Promise<boolean>;
  /** The user's settings have changed. */
  review(): void;
  close(): void;
  readonly ended: Promise<void>;
}

export interface DesktopFacts extends Seen {
  readonly compositor: boolean;
  readonly windowManager: string | null;
  readonly hotkeys: DesktopReport['hotkeys'];
}

export interface DesktopOptions {
  readonly display: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** By what they do; null: switched off. */
  readonly hotkeys: Readonly<Record<HotkeyAction, string | null>>;
  /** Where the figure's places are remembered. */
  readonly stateFolder: string;
  readonly fullScreen: () => FullScreenPolicy;
  /** What can be seen has changed. */
  readonly onSight: (sight: Sight) => void;
  /** The key that shows and hides was pressed. */
  readonly onShowKey: () => void;
  /** Device pixels a CSS pixel; null: as the desktop says. */
  readonly scale: number | null;
  readonly onFacts: () => void;
  /** The user has closed the figure's window by the window manager. */
  readonly onCloseAsked: () => void;
  readonly log: (line: string) => void;
}

const USUAL_DPI = 96;
const MANAGER_SETTLES_MS = 300;
const SCALE = { least: 0.5, most: 4, step: 0.25 } as const;

/** The desktop's own word on its resolution: the resource `Xft.dpi`. Millimetres of monitors are too often nonsense. */
async function scaleOf(screen: Screen): Promise<number> {
  const resources = (await screen.property(screen.root, 'RESOURCE_MANAGER'))?.toString('latin1') ?? '';
  const dpi = Number(/^Xft\.dpi:\s*([\d.]+)/m.exec(resources)?.[1] ?? USUAL_DPI);
  const steps = Math.round(dpi / USUAL_DPI / SCALE.step);
  return Math.min(SCALE.most, Math.max(SCALE.least, steps * SCALE.step));
}

async function managerName(screen: Screen): Promise<string | null> {
  const manager = await findManager(screen);
  if (manager === null) return null;
  return (await screen.property(manager, '_NET_WM_NAME'))?.toString('utf8') ?? 'unnamed';
}

/** Newer ones say it by an extension, older ones by the names of their outputs. */
async function isXwayland(screen: Screen, monitors: readonly Monitor[]): Promise<boolean> {
  const { present } = await screen.ask<{ present: number }>((done) => screen.X.QueryExtension('XWAYLAND', done));
  return Boolean(present) || monitors.some(({ name }) => name.startsWith('XWAYLAND'));
}

/** Connects to the display. Rejects when it cannot, or when the server lacks what a see-through window needs. */
export async function openDesktop(options: DesktopOptions): Promise<Desktop> {
  const screen = await connectScreen(options.display);
  const scale = options.scale ?? (await scaleOf(screen));
  let window: ShapedWindow | null = null;
  // What changes while this is still being put together is looked at once it is.
  let onChange = (): void => {};
  const monitors = await watchMonitors(screen, () => onChange());
  const xwayland = await isXwayland(screen, monitors.list());
  let name = await managerName(screen);
  const compositor = await watchCompositor(screen, () => onChange());
  // Under XWayland shapes of windows are ignored, and everything is blended.
  const blends = (): boolean => screen.argbVisual !== null && (xwayland || compositor.runs());
  const hotkeys = await grabHotkeys(screen, options.hotkeys, (action) => {
    if (action === 'show') options.onShowKey();
    else window?.toggleFocus();
  });
  for (const { keys, grabbed } of hotkeys.report())
    if (!grabbed) options.log(`the hotkey ${keys} cannot be had: another program has it, or this keyboard lacks it`);
  const places = await openPlacesFile(join(options.stateFolder, 'places.json'), options.log);
  const placer = createPlacer(monitors.list(), places.remembered, scale);
  const sight = watchSight(screen, {
    monitor: () => placer.monitor().box,
    own: () => window?.windows() ?? [],
    policy: options.fullScreen,
    env: options.env,
    log: options.log,
    onSight: options.onSight,
    onOver: (client) => window?.standOver(client),
  });
  onChange = () => {
    placer.setMonitors(monitors.list());
    window?.setBlending(blends());
    window?.settle();
    sight.review();
  };

  // A manager announces itself a little before it is one.
  const managers = coalesce(async () => {
    await delay(MANAGER_SETTLES_MS);
    window?.remanage();
  }, 0);
  const signs = await Promise.all(['_NET_SUPPORTING_WM_CHECK', '_NET_CLIENT_LIST'].map(screen.atom));
  screen.on((event) => {
    if (event.name === 'PropertyNotify' && event.wid === screen.root && signs.includes(event.atom as number))
      managers.ask();
  });

  return {
    backend: xwayland ? 'xwayland' : 'x11',
    open: (onFailed) => {
      const className = `companion-${randomBytes(6).toString('hex')}`;
      const size = placer.pageSize();
      const opened = createShapedWindow({
        screen,
        className,
        placer,
        blending: blends(),
        unmanaged: xwayland,
        onPlaced: () => {
          places.keep(placer.remembered());
          sight.review();
        },
        onSeen: () => {
          void managerName(screen).then((now) => {
            name = now;
            options.onFacts();
          });
        },
        onCloseAsked: options.onCloseAsked,
        onFailed,
      });
      window = opened;
      const css = { width: Math.ceil(size.width / scale), height: Math.ceil(size.height / scale) };
      return {
        args: [
          '--ozone-platform=x11',
          `--class=${className}`,
          `--force-device-scale-factor=${scale}`,
          // The marker's colour must reach the window as it was painted.
          '--force-color-profile=srgb',
          '--test-type',
          `--window-size=${css.width},${css.height}`,
        ],
        window: {
          ...opened,
          close: () => {
            opened.close();
            if (window === opened) window = null;
          },
        },
      };
    },
    facts: () => ({
      ...(window?.seen() ?? NOTHING_SEEN),
      compositor: compositor.runs(),
      windowManager: name,
      hotkeys: hotkeys.report(),
    }),
    raise: (windowId) => raiseWindow(screen, windowId),
    review: sight.review,
    close: () => {
      window?.close();
      compositor.stop();
      monitors.stop();
      hotkeys.stop();
      managers.stop();
      sight.stop();
      screen.close();
    },
    ended: screen.ended,
  };
}
