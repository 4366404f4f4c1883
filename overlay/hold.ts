/** Tells the host which card the user is at, by pointer or focus, each change once: that one does not fold and its time stands still. */
import { keyOf } from './guard.ts';

export interface Hold {
  /** Looks again, after cards have come or gone. */
  review(): void;
}

/**
 * Watches `root`. A card that merely appears under a resting pointer is not held: the pointer has to move over it.
 * `changed` gets the card's key, or null when the user is at none.
 */
export function createHold(root: HTMLElement, changed: (key: string | null) => void): Hold {
  let pointedAt: Element | null = null;
  let told: string | null = null;

  const review = (): void => {
    const hovered = pointedAt?.isConnected ? keyOf(pointedAt) : null;
    const key = hovered ?? keyOf(document.activeElement);
    if (key === told) return;
    told = key;
    changed(key);
  };
  const point = (target: EventTarget | null): void => {
    pointedAt = target instanceof Element ? target : null;
    review();
  };

  root.addEventListener('pointermove', (event) => point(event.target));
  document.documentElement.addEventListener('pointerleave', () => point(null));
  root.addEventListener('focusin', review);
  root.addEventListener('focusout', () => queueMicrotask(review));
  return { review };
}
