/** How much room the content needs, so that the window can be as small as that; told only when it changes. */
import { cardsIn } from './guard.ts';
import type { Send } from './link.ts';

/** Height an element would like: its own, plus what its scrolling parts hide. */
function naturalHeight(element: HTMLElement): number {
  const hidden = [element, ...element.querySelectorAll<HTMLElement>('[data-scroll]')].map(
    (part) => part.scrollHeight - part.clientHeight,
  );
  return element.offsetHeight + hidden.reduce((sum, px) => sum + Math.max(0, px), 0);
}

/** Measures `root` and sends `bounds` when they are others than last time. */
export function createBounds(root: HTMLElement, send: Send): () => void {
  let told = '';
  return () => {
    const panels = [...root.querySelectorAll<HTMLElement>('[data-panel]')];
    const pieces = [...cardsIn(root), ...panels, ...root.querySelectorAll<HTMLElement>('.foot')];
    const gap = 12;
    const height = Math.ceil(pieces.reduce((sum, piece) => sum + naturalHeight(piece) + gap, gap));
    const width = Math.ceil(Math.max(0, ...pieces.map((piece) => piece.scrollWidth)) + 2 * gap);
    const foot = root.querySelector<HTMLElement>('.foot')?.offsetHeight ?? 0;
    document.documentElement.style.setProperty('--foot', `${foot}px`);
    const now = `${width}x${height}`;
    if (now === told) return;
    told = now;
    send({ type: 'bounds', width, height });
  };
}
