/** What our window really is on this screen, read back from the server: pixels, shape, place and state (design §3). */
import type { Seen } from '../../protocol/overlay.ts';
import type { Container } from './container.ts';
import { SHAPE_BOUNDING, SHAPE_INPUT } from './extensions.ts';
import type { Shown } from './painter.ts';
import { IS_VIEWABLE, type Screen } from './screen.ts';

/** Pixels the region of that kind covers. */
async function area(screen: Screen, window: number, kind: number): Promise<number> {
  const { rectangles } = await screen.ask<{ rectangles: readonly (readonly number[])[] }>((done) =>
    screen.extensions.shape.GetRectangles(window, kind, done),
  );
  return rectangles.reduce((sum, [, , width = 0, height = 0]) => sum + width * height, 0);
}

/** A pixel of the page that no piece covers, in our window; null: the pieces fill it. */
function emptyPixel({ placed, box }: Shown): { readonly x: number; readonly y: number } | null {
  const corners = [
    { x: box.x, y: box.y },
    { x: box.x + box.width - 1, y: box.y },
    { x: box.x, y: box.y + box.height - 1 },
    { x: box.x + box.width - 1, y: box.y + box.height - 1 },
  ];
  const isCovered = (at: { x: number; y: number }): boolean =>
    placed.some(
      ({ x, y, stencil }) =>
        at.x >= x + 1 && at.y >= y + 1 && at.x < x + stencil.width - 1 && at.y < y + stencil.height - 1,
    );
  const free = corners.find((corner) => !isCovered(corner));
  return free === undefined ? null : { x: free.x - box.x, y: free.y - box.y };
}

async function isClear(screen: Screen, window: number, shown: Shown): Promise<boolean> {
  const at = emptyPixel(shown);
  if (at === null) return true;
  return (await screen.pixel(window, at.x, at.y))[3] === 0;
}

/** Reports whether any window that can be seen lies above ours and over it. */
async function isTopmost(screen: Screen, container: Container): Promise<boolean> {
  const { children } = await screen.ask<{ children: readonly number[] }>((done) =>
    screen.X.QueryTree(screen.root, done),
  );
  const top = container.frame()?.window ?? container.window;
  const at = children.indexOf(top);
  for (const above of children.slice(at + 1)) {
    const attributes = await screen
      .ask<{ mapState: number }>((done) => screen.X.GetWindowAttributes(above, done))
      .catch(() => null);
    if (attributes?.mapState === IS_VIEWABLE) return false;
  }
  return at >= 0;
}

async function isAbove(screen: Screen, container: Container): Promise<boolean> {
  if (!container.isManaged()) return isTopmost(screen, container);
  const above = await screen.atom('_NET_WM_STATE_ABOVE');
  const supported = await screen.numbers(screen.root, '_NET_SUPPORTED');
  const states = await screen.numbers(container.window, '_NET_WM_STATE');
  return supported.includes(above) && states.includes(above);
}

/** Looks at the window as it is shown now; `corner` is where it was laid. */
export async function testWindow(
  screen: Screen,
  container: Container,
  shown: Shown,
  blending: boolean,
  corner: { readonly x: number; readonly y: number },
): Promise<Seen> {
  const { window } = container;
  const whole = shown.box.width * shown.box.height;
  const [bounding, input] = [await area(screen, window, SHAPE_BOUNDING), await area(screen, window, SHAPE_INPUT)];
  const at = await screen.ask<{ destX: number; destY: number }>((done) =>
    screen.X.TranslateCoordinates(window, screen.root, 0, 0, done),
  );
  return {
    transparent: blending ? await isClear(screen, window, shown) : bounding < whole,
    alwaysOnTop: await isAbove(screen, container),
    clickThrough: Math.min(bounding, input) < whole,
    positioned: at.destX === corner.x && at.destY === corner.y,
  };
}
