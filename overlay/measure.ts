/** Measures the page as if room were no matter: a look that is never painted, and leaves no trace. */
import type { Wanted } from './arrange.ts';
import { CARD_ATTRIBUTE, cardsIn } from './guard.ts';

/**
 * Runs `read` while the page is laid out for measuring: `fit` lets cards have the height they need at their present width,
 * `bounds` lets all parts have the size they would like in an endless window.
 */
export function measuring<Value>(root: HTMLElement, kind: 'fit' | 'bounds', read: () => Value): Value {
  const scrolled = [...root.querySelectorAll<HTMLElement>('.stack, [data-scroll], textarea')]
    .filter(({ scrollTop }) => scrollTop !== 0)
    .map((element) => ({ element, top: element.scrollTop }));
  root.dataset.measuring = kind;
  const value = read();
  delete root.dataset.measuring;
  for (const { element, top } of scrolled) element.scrollTop = top;
  return value;
}

/** Reports whether the cards in `root`, each as small as it may be, still are more than the room there is. */
export function isOverfull(root: HTMLElement): boolean {
  const stack = root.querySelector('.stack');
  return stack !== null && stack.scrollHeight > stack.clientHeight + 1;
}

/** What every card in the stack needs. `isWhole` tells those that may not be squeezed; `turned` those the user turned to, the last one first. */
export function measureWanted(
  root: HTMLElement,
  isWhole: (key: string) => boolean,
  turned: readonly string[],
): readonly Wanted[] {
  return measuring(root, 'fit', () =>
    cardsIn(root).map((card) => {
      const key = card.getAttribute(CARD_ATTRIBUTE) ?? '';
      const naturalPx = card.getBoundingClientRect().height;
      const least = Number.parseFloat(getComputedStyle(card).minBlockSize) || 0;
      const at = turned.indexOf(key);
      const rank = at >= 0 ? 1 + turned.length - at : Number(card.matches('[role="dialog"]'));
      return { key, naturalPx, leastPx: Math.min(naturalPx, least), whole: isWhole(key), rank };
    }),
  );
}

/** Height the stack may take, CSS px: the window without its edge, the figure's row, and the least of a page above the cards. */
export function stackRoomPx(root: HTMLElement): number {
  const style = getComputedStyle(root);
  const gap = Number.parseFloat(style.rowGap) || 0;
  const edge = Number.parseFloat(style.paddingBlockStart) + Number.parseFloat(style.paddingBlockEnd);
  const others = [...root.children].filter(
    (child): child is HTMLElement => child instanceof HTMLElement && !child.matches('.stack'),
  );
  const taken = others.map((child) => {
    const { display, position, minBlockSize } = getComputedStyle(child);
    if (display === 'none' || position === 'absolute') return 0;
    return gap + (child.matches('.panel') ? Number.parseFloat(minBlockSize) || 0 : child.offsetHeight);
  });
  return Math.max(0, root.clientHeight - edge - taken.reduce((sum, px) => sum + px, 0));
}
