/** Pages to judge the drawings by: every frame of every clip, on light and on dark. */
import type { DrawnCharacter } from './drawn.ts';

const GROUNDS = { light: '#f4f4f6', dark: '#15161a' };

export interface DrawnPage {
  readonly name: string;
  readonly body: string;
  readonly width: number;
  readonly height: number;
}

/** One page a ground, a row for each clip; rendered at twice its size each figure is as on a dense screen. */
export function contactPages({ facts: { id, canvas }, clips }: DrawnCharacter): readonly DrawnPage[] {
  const rows = Object.values(clips).map(({ frames }) => {
    const figures = frames.map(({ drawing }) => drawing).join('');
    return `<div style="display:flex;height:${canvas.h}px">${figures}</div>`;
  });
  const columns = Math.max(...Object.values(clips).map(({ frames }) => frames.length));
  const [width, height] = [columns * canvas.w, rows.length * canvas.h];
  return Object.entries(GROUNDS).map(([ground, colour]) => ({
    name: `${id}-${ground}`,
    body: `<div style="background:${colour};width:${width}px;height:${height}px">${rows.join('')}</div>`,
    width,
    height,
  }));
}
