/** The windows a window manager puts around ours: found, made see-through, and laid together with it in one step. */
import type { Box } from '../../protocol/window.ts';
import type { Screen } from './screen.ts';

interface Around {
  readonly window: number;
  readonly overrideRedirect: number;
  /** How much larger it is than what it holds. */
  readonly extraWidth: number;
  readonly extraHeight: number;
}

export interface WmFrame {
  /** The outermost one, a child of the root. */
  readonly window: number;
  /** Where ours lies in it. */
  readonly x: number;
  readonly y: number;
  /** From our parent outwards. */
  readonly around: readonly Around[];
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** What is around `window`; null: it is a child of the root itself. */
export async function findFrame(screen: Screen, window: number): Promise<WmFrame | null> {
  const { X, root } = screen;
  const sizeOf = (id: number): Promise<Size> => screen.ask<Size>((done) => X.GetGeometry(id, done));
  const around: Around[] = [];
  let inner = await sizeOf(window);
  for (let at = window; ; ) {
    const { parent } = await screen.ask<{ parent: number }>((done) => X.QueryTree(at, done));
    if (parent === root || parent === 0) break;
    const size = await sizeOf(parent);
    const { overrideRedirect } = await screen.ask<{ overrideRedirect: number }>((done) =>
      X.GetWindowAttributes(parent, done),
    );
    around.push({
      window: parent,
      overrideRedirect: Number(overrideRedirect),
      extraWidth: size.width - inner.width,
      extraHeight: size.height - inner.height,
    });
    inner = size;
    at = parent;
  }
  const top = around.at(-1)?.window;
  if (top === undefined) return null;
  // A frame that paints a background of its own would flash, and be black where ours is see-through.
  await clearBackgrounds(screen, top, window);
  const at = await screen.ask<{ destX: number; destY: number }>((done) =>
    X.TranslateCoordinates(window, top, 0, 0, done),
  );
  return { window: top, x: at.destX, y: at.destY, around };
}

async function clearBackgrounds(screen: Screen, window: number, but: number): Promise<void> {
  if (window === but) return;
  screen.X.ChangeWindowAttributes(window, { backgroundPixmap: 0 });
  const { children } = await screen
    .ask<{ children: readonly number[] }>((done) => screen.X.QueryTree(window, done))
    .catch(() => ({ children: [] }));
  for (const child of children) await clearBackgrounds(screen, child, but);
}

/**
 * Lays our managed window over `box` at once, its frame with it, and then asks the manager for just that. By asking alone, the
 * new shape would be seen at the old place until the manager has got round to it. Buffered, to be sent while the server is grabbed.
 */
export function layManaged({ X }: Screen, window: number, frame: WmFrame | null, box: Box): void {
  const around = frame?.around ?? [];
  for (const id of [window, ...around.map((each) => each.window)])
    X.ChangeWindowAttributes(id, { overrideRedirect: 1 });
  let { width, height } = box;
  if (frame === null) X.ConfigureWindow(window, box);
  else X.ConfigureWindow(window, { width, height });
  for (const each of around) {
    width += each.extraWidth;
    height += each.extraHeight;
    const isTop = each.window === frame?.window;
    const place = isTop ? { x: box.x - frame.x, y: box.y - frame.y } : {};
    X.ConfigureWindow(each.window, { ...place, width, height });
    X.ChangeWindowAttributes(each.window, { overrideRedirect: each.overrideRedirect });
  }
  X.ChangeWindowAttributes(window, { overrideRedirect: 0 });
  X.ConfigureWindow(window, box);
}
