/** Keeps our window over a full-screen program that the window manager would keep over it: only where the user wants to see us there. */
import type { Container } from './container.ts';
import type { Screen } from './screen.ts';

const ABOVE = 0;
/** A manager that puts its window back each time has the last word. */
const MAX_TIMES = 4;
const WITHIN_MS = 2_000;

/** The child of the root that `window` is, or is in. */
async function topOf({ X, root, ask }: Screen, window: number): Promise<number> {
  for (let at = window; ; ) {
    const { parent } = await ask<{ parent: number }>((done) => X.QueryTree(at, done));
    if (parent === root || parent === 0) return at;
    at = parent;
  }
}

/**
 * How to put `container` right over `client`, if it is below it. Right over it and not uppermost: what hides everything on
 * purpose, as a locked screen, stays over both. By EWMH a full-screen window that has the keyboard is above those that are kept
 * above, so no manager is asked.
 */
export function createStackOver(screen: Screen, container: Container): (client: number) => Promise<void> {
  const { X, root, ask } = screen;
  const doneAt: number[] = [];
  return async (client) => {
    if (!container.isMapped()) return;
    const sibling = await topOf(screen, client);
    const { children } = await ask<{ children: readonly number[] }>((done) => X.QueryTree(root, done));
    const frame = container.frame();
    const ours = frame?.window ?? container.window;
    const [at, below] = [children.indexOf(ours), children.indexOf(sibling)];
    const now = performance.now();
    if (at < 0 || below < at || now - (doneAt.at(-MAX_TIMES) ?? -WITHIN_MS) < WITHIN_MS) return;
    doneAt.push(now);
    doneAt.splice(0, doneAt.length - MAX_TIMES);
    const overrideRedirect =
      frame === null ? Number(!container.isManaged()) : (frame.around.at(-1)?.overrideRedirect ?? 0);
    // Past the manager, which would leave it below.
    X.ChangeWindowAttributes(ours, { overrideRedirect: 1 });
    X.ConfigureWindow(ours, { sibling, stackMode: ABOVE });
    X.ChangeWindowAttributes(ours, { overrideRedirect });
    screen.flush();
  };
}
