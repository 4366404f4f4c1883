/** Taking hold of the figure: a press, a long press or right click, or a drag that carries it, in the page or with its window. */

const LONG_PRESS_MS = 500;
const DRAG_FROM_PX = 5;

export interface GripReports {
  /** A plain press, by pointer or keyboard. */
  readonly onPress: () => void;
  /** Right click, long press, or the menu key. */
  readonly onMenu: () => void;
  readonly onDrag: (dragged: boolean) => void;
  /** The window follows the pointer itself and hears when, and where in the page it was taken (CSS px); null: the figure is carried within the page, along its ground. */
  readonly onCarry: ((phase: 'start' | 'move' | 'end', takenX: number, takenY: number) => void) | null;
}

interface Hand {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly fromX: number;
  readonly timer: number;
  /** What the press has turned into. */
  kind: 'press' | 'menu' | 'drag';
}

/** Watches `element`; returns how to let go of it. A drag moves it by `translate`; when dropped it comes down to its ground. */
export function createGrip(element: HTMLElement, { onPress, onMenu, onDrag, onCarry }: GripReports): () => void {
  let hand: Hand | null = null;
  let restX = 0;
  let swallowClick = false;
  const place = (x: number, y: number): void => {
    element.style.translate = x === 0 && y === 0 ? '' : `${x}px ${y}px`;
  };
  const release = (): void => {
    if (hand === null) return;
    clearTimeout(hand.timer);
    if (hand.kind === 'drag') {
      if (onCarry === null) place(restX, 0);
      else onCarry('end', hand.x, hand.y);
      onDrag(false);
    }
    swallowClick = hand.kind !== 'press';
    hand = null;
  };
  const drag = (event: PointerEvent, held: Hand): void => {
    if (onCarry !== null) {
      onCarry('move', held.x, held.y);
      return;
    }
    const box = element.getBoundingClientRect();
    const [nowX = 0, nowY = 0] = element.style.translate.split(' ').map(Number.parseFloat);
    // Stays in the window: the rest of the way is the window's own.
    const leftmost = nowX - box.left;
    const rightmost = nowX + (document.documentElement.clientWidth - box.right);
    const topmost = nowY - box.top;
    restX = Math.min(rightmost, Math.max(leftmost, held.fromX + event.clientX - held.x));
    place(restX, Math.min(0, Math.max(topmost, event.clientY - held.y)));
  };
  // As soon as the pointer has moved, and not with the next frame.
  const moved = onCarry !== null && 'onpointerrawupdate' in element ? 'pointerrawupdate' : 'pointermove';
  const move = (event: PointerEvent): void => {
    if (hand === null || event.pointerId !== hand.id || hand.kind === 'menu') return;
    if (hand.kind === 'press') {
      if (Math.hypot(event.clientX - hand.x, event.clientY - hand.y) < DRAG_FROM_PX) return;
      hand.kind = 'drag';
      clearTimeout(hand.timer);
      onDrag(true);
      onCarry?.('start', hand.x, hand.y);
    }
    drag(event, hand);
  };
  const on = <Name extends keyof HTMLElementEventMap>(name: Name, run: (event: HTMLElementEventMap[Name]) => void) => {
    element.addEventListener(name, run);
    return () => element.removeEventListener(name, run);
  };
  const offs = [
    on('pointerdown', (event) => {
      if (event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      swallowClick = false;
      const timer = window.setTimeout(() => {
        if (hand?.kind !== 'press') return;
        hand.kind = 'menu';
        onMenu();
      }, LONG_PRESS_MS);
      hand = { id: event.pointerId, x: event.clientX, y: event.clientY, fromX: restX, timer, kind: 'press' };
    }),
    on(moved, (event) => move(event as PointerEvent)),
    on('pointerup', release),
    on('pointercancel', release),
    on('lostpointercapture', release),
    on('click', () => {
      if (swallowClick) swallowClick = false;
      else onPress();
    }),
    // Right click, and the menu key or Shift+F10, which browsers turn into this event.
    on('contextmenu', (event) => {
      event.preventDefault();
      onMenu();
    }),
    on('keydown', (event) => {
      if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) return;
      event.preventDefault();
      onMenu();
    }),
  ];
  const goHome = (): void => {
    restX = 0;
    place(0, 0);
  };
  document.addEventListener(GO_HOME, goHome);
  return () => {
    release();
    for (const off of offs) off();
    document.removeEventListener(GO_HOME, goHome);
  };
}

/** Sent on the document to bring a carried figure back to its place. */
export const GO_HOME = 'companion-go-home';
