/** Opens the window the page lives in, and lets window and runtime hear of each other: the screen's half of the composition root. */
import { join } from 'node:path';
import type { Config, ConfigFile } from './config.ts';
import type { Paths } from './protocol/paths.ts';
import type { Runtime } from './runtime/runtime.ts';
import { findChromium } from './window/find-chromium.ts';
import type { Inject } from './window/launch.ts';
import { openWindow, type Where, type Window } from './window/open-window.ts';

export interface HostOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** null: headless when there is no display. */
  readonly headless: boolean | null;
  /** Over what `config.json` says. */
  readonly config?: ConfigFile;
  /** Hears every log line too. */
  readonly echo?: (line: string) => void;
  /** The store is lost for good; the caller ends the process. */
  readonly onFatal?: () => void;
}

/** What every part of the start needs. */
export interface Base {
  readonly options: HostOptions;
  readonly paths: Paths;
  readonly config: Config;
  readonly log: (line: string) => void;
}

export interface ShowOptions {
  readonly base: Base;
  readonly runtime: Runtime;
  readonly inject: Inject;
  readonly token: string;
  /** Leaves word of what was seen of the desktop. */
  readonly report: () => void;
}

/** A see-through window on X, an ordinary one on Wayland alone, none where nothing can be seen. */
function whereToShow({ base: { options, config, log, paths }, runtime, report }: ShowOptions): Where {
  const { DISPLAY: display, WAYLAND_DISPLAY: wayland } = options.env;
  const headless = options.headless ?? config.headless ?? !(display || wayland);
  if (headless) return { kind: 'headless' };
  if (!display) return { kind: 'wayland' };
  return {
    kind: 'x11',
    open: async () => {
      const { openDesktop } = await import('./window/x/desktop.ts');
      return openDesktop({
        display,
        env: options.env,
        scale: config.scale,
        hotkeys: config.hotkeys,
        stateFolder: paths.stateFolder,
        fullScreen: () => runtime.settings().fullScreen,
        onFacts: report,
        onSight: runtime.setSight,
        onShowKey: runtime.toggleHidden,
        onCloseAsked: () => {
          if (!runtime.settings().hidden) runtime.toggleHidden();
        },
        log,
      });
    },
  };
}

/** Opens the window, or says why there can be none. */
export function showPage(show: ShowOptions): Window | null {
  const { options, paths, config, log } = show.base;
  const chromiumPath = findChromium(config.chromium, options.env);
  if (chromiumPath === null) {
    const named = config.chromium ?? options.env.COMPANION_CHROMIUM;
    const why = named ? `${named} cannot be run` : 'no Chromium found (Debian: apt-get install chromium)';
    log(`${why}: nothing can be shown, and requests are refused`);
    show.runtime.setOverlayState('failed');
    return null;
  }
  const window = openWindow({
    chromiumPath,
    where: whereToShow(show),
    env: options.env,
    userDataDir: join(paths.stateFolder, 'chromium'),
    inject: show.inject,
    socketPath: paths.socketPath,
    token: show.token,
    onState: (state) => {
      if (state === 'failed' || state === 'starting') show.runtime.setOverlayState(state);
    },
    onFacts: show.report,
    log,
  });
  show.runtime.onSettings(window.review);
  return window;
}
