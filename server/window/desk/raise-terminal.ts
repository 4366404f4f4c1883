/** Brings up the terminal an agent runs in. What is run and told is fixed here; of the origin only names of windows and panes are used. */
import { execFile } from 'node:child_process';
import type { Origin } from '../../protocol/origin.ts';
import type { Screen } from '../x/screen.ts';

/** tmux answers at once or not at all. */
const TMUX_WITHIN_MS = 2_000;
/** How far above a terminal's own window the one that a manager knows may be. */
const MAX_CLIMB = 8;
/** In the words of the window manager specification: asked by the user's own hand, not by a program. */
const FROM_USER = 2;

/** Brings the pane to the front in its tmux; false when there is none, or no tmux. */
export function selectPane({ tmuxPane, tmuxServer }: Origin, env: NodeJS.ProcessEnv): Promise<boolean> {
  if (tmuxPane === undefined) return Promise.resolve(false);
  const server = tmuxServer === undefined ? [] : ['-L', tmuxServer];
  const args = [...server, 'select-window', '-t', tmuxPane, ';', 'select-pane', '-t', tmuxPane];
  return new Promise((resolve) => {
    execFile('tmux', args, { env, timeout: TMUX_WITHIN_MS }, (error) => resolve(error === null));
  });
}

/** Asks the window manager to bring the window up; false when it knows no such window, or there is no manager. */
export async function raiseWindow(screen: Screen, windowId: string): Promise<boolean> {
  const clients = await screen.numbers(screen.root, '_NET_CLIENT_LIST');
  let window = Number(windowId);
  try {
    for (let climbed = 0; climbed < MAX_CLIMB && window !== screen.root; climbed += 1) {
      if (clients.includes(window)) {
        await screen.tellManager(window, '_NET_ACTIVE_WINDOW', [FROM_USER, 0, 0, 0, 0]);
        return true;
      }
      const at = window;
      window = (await screen.ask<{ parent: number }>((done) => screen.X.QueryTree(at, done))).parent;
    }
  } catch {
    // It has gone.
  }
  return false;
}
