/** The display this shell has, and the window that the running companion has. */
import type { DisplayFacts, Facts } from './facts.ts';
import { endsOf, type Finding } from './finding.ts';
import { installCommand } from './packages.ts';

const seesWindow = ({ host }: Facts): boolean => host !== null && host.overlay.backend !== 'headless';

/** What each way of not answering means. */
function unansweredText({ name, answer, reason }: DisplayFacts): readonly [seen: string, mend: string] {
  switch (answer) {
    case 'refused':
      return [
        `${name} refuses this user${reason ? `: ${reason}` : ''}.`,
        'XAUTHORITY (or ~/.Xauthority) must be the file of the desktop\'s own session. Run this in a terminal there, or take the value from there: echo "$XAUTHORITY"',
      ];
    case 'silent':
      return [`${name} accepts a connection and says nothing.`, 'Is the desktop stuck? Log in again.'];
    case 'unreadable':
      return [`DISPLAY is ${name}, which names no display.`, 'Set it as in a terminal on the desktop, usually to :0.'];
    default:
      return [
        `Nothing answers at ${name}.`,
        'Set DISPLAY as in a terminal on the desktop (there: echo "$DISPLAY"), or unset it to run headless.',
      ];
  }
}

export function checkDisplay(facts: Facts): Finding {
  const { ok, warning, problem } = endsOf('display', 'Display');
  const { name, wayland, answer } = facts.display;
  if (answer === 'welcome') return ok(`${name} answers${wayland === null ? '' : ', by XWayland'}.`);
  if (name !== null) return problem(...unansweredText(facts.display));
  if (seesWindow(facts)) return ok('None in this shell; the running companion has one.');
  if (wayland === null) {
    return warning(
      'None: DISPLAY is not set. The companion runs headless then: all works, and nobody can see it.',
      'Start it in a terminal on the desktop.',
    );
  }
  const install = installCommand(facts.distributions, 'xwayland');
  return problem(
    `Wayland (${wayland}) without XWayland: DISPLAY is not set, and the figure's window needs it.`,
    `${install === null ? 'Install XWayland' : `Run: ${install}`}, have the desktop use it (sway: xwayland enable), and log in again.`,
  );
}

const NOT_KNOWN = 'Not known: no companion runs here. Start it to see.';

function headless({ display, desktop, state }: Facts): Finding {
  const { warning } = endsOf('window', 'Window');
  if (desktop?.trouble) {
    return warning(`The companion runs headless: ${desktop.trouble}`, `More may be told in ${state.logFile}`);
  }
  if (display.answer !== 'welcome')
    return warning('The companion runs headless: nobody can see it.', 'Start it in a terminal on the desktop.');
  return warning(
    'The companion runs headless although there is a display.',
    'Start it again here, without --headless and without "headless" in config.json.',
  );
}

export function checkWindow(facts: Facts): Finding {
  const { ok, warning, problem } = endsOf('window', 'Window');
  const { host, desktop, state } = facts;
  if (host === null) return ok(NOT_KNOWN);
  const { overlay } = host;
  if (overlay.state === 'down') {
    return problem('The browser does not come up, so nothing can be shown.', `Why is told in ${state.logFile}`);
  }
  if (overlay.backend === 'headless') return headless(facts);
  if (overlay.state === 'starting') return ok('It is just coming up.');
  if (overlay.backend !== 'window') return ok(`Our own, by ${overlay.backend === 'x11' ? 'X11' : 'XWayland'}.`);
  const why = desktop?.trouble ? `: ${desktop.trouble}` : '.';
  return warning(`A plain one: no see-through window could be made here${why}`, `More may be told in ${state.logFile}`);
}

const CAPTIONS = {
  transparent: ['transparent', 'See-through', 'The desktop shows around the figure.', 'The figure stands in a box.'],
  alwaysOnTop: ['always-on-top', 'On top', 'It stays above other windows.', 'Other windows can cover the figure.'],
  clickThrough: [
    'click-through',
    'Clicks beside it',
    'They reach what is below.',
    'Clicks beside the figure do not reach the window below it.',
  ],
  positioned: [
    'positioned',
    'Place',
    'It stands where you put it.',
    'The figure cannot choose its place or come back to it.',
  ],
} as const;

type OverlayFact = keyof typeof CAPTIONS;

function mendOf(fact: OverlayFact, { desktop, distributions }: Facts): string {
  if (fact === 'alwaysOnTop') {
    return desktop?.windowManager === null
      ? 'No window manager runs; start one that knows EWMH (most do).'
      : 'Look in the settings of the window manager for a rule about "companion", or for windows above others.';
  }
  if (fact === 'positioned') return 'Log in to an X11 session, or to a Wayland one with XWayland.';
  if (desktop?.compositor === false) return compositorMend(distributions);
  return 'The X server must have the extensions SHAPE and Composite; log in to an ordinary desktop session.';
}

function compositorMend(distributions: readonly string[]): string {
  const install = installCommand(distributions, 'picom');
  return `Switch on compositing in the desktop's settings, or use picom${install === null ? '' : `: ${install}`}`;
}

/** One of the four facts about the window. */
export const checkOverlayFact =
  (fact: OverlayFact) =>
  (facts: Facts): Finding => {
    const [id, title, yes, no] = CAPTIONS[fact];
    const { ok, warning } = endsOf(id, title);
    const { host } = facts;
    if (host === null) return ok(NOT_KNOWN);
    if (host.overlay.state !== 'up') return ok('Not known: its window is not up.');
    if (host.overlay.backend === 'headless') return ok('Does not matter: it runs headless.');
    if (host.overlay[fact]) return ok(yes);
    return warning(no, host.overlay.backend === 'window' ? 'See "Window".' : mendOf(fact, facts));
  };

export function checkDesktop({ host, desktop, distributions }: Facts): Finding {
  const { ok, warning } = endsOf('desktop', 'Window manager and compositor');
  if (host === null) return ok(NOT_KNOWN);
  if (desktop === null || host.overlay.backend === 'headless') return ok('Not known: the companion has no window.');
  const manager = desktop.windowManager === null ? 'No window manager' : `Window manager ${desktop.windowManager}`;
  if (desktop.compositor !== false) return ok(desktop.compositor ? `${manager}, with a compositor.` : `${manager}.`);
  return warning(`${manager}, no compositor: the figure's edges are hard.`, compositorMend(distributions));
}

export function checkHotkeys({ host, desktop, settings }: Facts): Finding {
  const { ok, warning } = endsOf('hotkeys', 'Hotkeys');
  if (host === null) return ok(NOT_KNOWN);
  if (desktop === null || desktop.hotkeys.length === 0) return ok('None in use.');
  const told = (grabbed: boolean) =>
    desktop.hotkeys.filter((key) => key.grabbed === grabbed).map(({ action, keys }) => `${keys} (${action})`);
  const taken = told(false);
  if (taken.length === 0) return ok(`${told(true).join(', ')}.`);
  return warning(
    `Taken by another program, or not on this keyboard: ${taken.join(', ')}.`,
    `Choose others in ${settings.file}: "hotkeys": { "focus": "Ctrl+Alt+Space", "show": "Ctrl+Alt+H" }; null switches one off. Then start the companion again.`,
  );
}
