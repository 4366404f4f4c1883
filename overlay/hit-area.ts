/** Which part of the figure takes the pointer, as its character says; the style sheet does the rest. */
import type { CharacterManifest } from '../server/protocol/character.ts';

/** Percent of the canvas that lie outside of the area: top, right, bottom, left; null: all of the figure takes the pointer. */
export function hitInset({ canvas, hitArea }: Pick<CharacterManifest, 'canvas' | 'hitArea'>): string | null {
  if (hitArea === undefined) return null;
  const { x, y, w, h } = hitArea;
  const share = (px: number, of: number): string => `${(100 * px) / of}%`;
  return [
    share(y, canvas.h),
    share(canvas.w - x - w, canvas.w),
    share(canvas.h - y - h, canvas.h),
    share(x, canvas.w),
  ].join(' ');
}

/** From now on the figure in `page` is that of `manifest`. */
export function takeHitArea(page: HTMLElement, manifest: CharacterManifest): void {
  const inset = hitInset(manifest);
  page.toggleAttribute('data-hit', inset !== null);
  if (inset !== null) page.style.setProperty('--hit-inset', inset);
}
