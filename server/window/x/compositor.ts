/** Whether a compositing manager blends windows here, and when that changes: it owns a selection of the screen (EWMH). */
import type { Screen } from './screen.ts';

const OWNER_CHANGES = 1 | 2 | 4;

export interface Compositor {
  runs(): boolean;
  stop(): void;
}

/** Watches; `changed` is called when one comes or goes. */
export async function watchCompositor(screen: Screen, changed: () => void): Promise<Compositor> {
  const { X, root, extensions } = screen;
  const selection = await screen.atom('_NET_WM_CM_S0');
  const ask = async (): Promise<boolean> =>
    (await screen.ask<number>((done) => X.GetSelectionOwner(selection, done)).catch(() => 0)) !== 0;
  extensions.fixes.SelectSelectionInput(root, selection, OWNER_CHANGES);
  let runs = await ask();
  const off = screen.on((event) => {
    if (event.name !== 'SelectionNotify' || event.selection !== selection) return;
    void ask().then((now) => {
      if (now === runs) return;
      runs = now;
      changed();
    });
  });
  return { runs: () => runs, stop: off };
}
