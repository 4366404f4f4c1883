/** The wheel over a stack of cards that overflows, in the see-through window: turned by the page itself, so that no picture comes before its shape. */

/** Reports whether `element` itself scrolls, and is not at its end that way. */
function takes(element: Element, byPx: number): boolean {
  const { overflowY } = getComputedStyle(element);
  if (overflowY !== 'auto' && overflowY !== 'scroll') return false;
  const left = element.scrollHeight - element.clientHeight - element.scrollTop;
  return byPx > 0 ? left > 1 : element.scrollTop > 0;
}

/** Scrolls the stack in `root` by the wheel, unless something in a card takes it. */
export function turnStack(root: HTMLElement): void {
  root.addEventListener(
    'wheel',
    ({ target, deltaY }) => {
      const stack = target instanceof Element ? target.closest('.stack') : null;
      for (let at = target as Element | null; at !== null && at !== stack; at = at.parentElement)
        if (takes(at, deltaY)) return;
      stack?.scrollBy({ top: deltaY, behavior: 'instant' });
    },
    { passive: true },
  );
}
