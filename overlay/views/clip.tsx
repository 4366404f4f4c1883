/** The figure: its canvas, the marks of its state, and the ways to take hold of it (press, long press, right click, keys, drag). */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Settings } from '../../server/protocol/settings.ts';
import { createGrip } from '../grip.ts';
import { MoonIcon, PauseIcon, SparkIcon } from '../parts/icons.tsx';
import { useShell } from '../shell.ts';

const toDevice = (cssPx: number): number => Math.round(cssPx * devicePixelRatio);

interface FigureProps {
  readonly canvas: HTMLCanvasElement;
  readonly settings: Settings;
  readonly menuOpen: boolean;
  /** A request's clip plays, and motion is reduced. */
  readonly cue: boolean;
  readonly setDragged: (dragged: boolean) => void;
}

export function Figure({ canvas, settings, menuOpen, cue, setDragged }: FigureProps) {
  const { words, happen, shaped, toWindow } = useShell();
  const button = useRef<HTMLButtonElement>(null);
  const handlers = useRef({ open: menuOpen, setDragged });
  handlers.current = { open: menuOpen, setDragged };
  // Before the first paint: a press on what is seen must not fall through.
  useLayoutEffect(() => {
    const element = button.current!;
    element.prepend(canvas);
    return createGrip(element, {
      onPress: () => happen({ type: 'menu', open: !handlers.current.open }),
      onMenu: () => happen({ type: 'menu', open: true }),
      onDrag: (dragged) => handlers.current.setDragged(dragged),
      onCarry: shaped ? (phase, x, y) => toWindow({ type: 'drag', phase, x: toDevice(x), y: toDevice(y) }) : null,
    });
  }, []);
  return (
    <>
      <button
        type="button"
        class="figure"
        ref={button}
        data-action="menu"
        aria-label={words.figure}
        aria-haspopup="dialog"
        aria-expanded={menuOpen}
      >
        <span class="hit" />
      </button>
      <div class="marks">
        {settings.paused && (
          <span
            class="mark"
            data-mark="paused"
            role="img"
            aria-label={words.requestsPaused}
            title={words.requestsPaused}
          >
            <PauseIcon />
          </span>
        )}
        {settings.doNotDisturb && (
          <span class="mark" data-mark="dnd" role="img" aria-label={words.doNotDisturb} title={words.doNotDisturb}>
            <MoonIcon />
          </span>
        )}
        {cue && (
          <span class="mark" data-mark="cue" role="img" aria-label={words.animating} title={words.animating}>
            <SparkIcon />
          </span>
        )}
      </div>
    </>
  );
}
