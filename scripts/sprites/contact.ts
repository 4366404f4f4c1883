/** Pages to judge the drawings by: every frame of every clip, at both sizes, on light and on dark. */
import type { DrawnClip } from './clips.ts';
import { CANVAS, drawFigure } from './figure.ts';

const GROUNDS = { light: '#f4f4f6', dark: '#15161a' };

/** One page per clip and ground; rendered at twice its size each figure is as on a dense screen. */
export function* contactSheet(
  clips: Readonly<Record<string, DrawnClip>>,
): Generator<readonly [string, { readonly body: string; readonly width: number; readonly height: number }]> {
  const entries = Object.entries(clips);
  const columns = Math.max(...entries.map(([, { shots }]) => shots.length));
  for (const [ground, colour] of Object.entries(GROUNDS)) {
    const rows = entries.map(([, { shots }]) => {
      const figures = shots.map(({ pose }) => drawFigure(pose)).join('');
      return `<div style="display:flex;height:${CANVAS}px">${figures}</div>`;
    });
    const [width, height] = [columns * CANVAS, entries.length * CANVAS];
    yield [
      `contact-${ground}`,
      {
        body: `<div style="background:${colour};width:${width}px;height:${height}px">${rows.join('')}</div>`,
        width,
        height,
      },
    ];
  }
}
