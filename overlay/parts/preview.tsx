/** A character that plays for itself in a small picture: only while it can be seen, and nothing of it is kept afterwards. */
import { useEffect, useRef } from 'preact/hooks';
import type { CharacterRow } from '../../server/protocol/link.ts';
import { realClock } from '../clock.ts';
import { FileTrouble } from '../file-trouble.ts';
import { plainPaint } from '../paint.ts';
import { useShell } from '../shell.ts';
import { createSprite, type Sprite } from '../sprite.ts';

/** Side of the square it is fitted into, CSS px; the style sheet says the same. */
const SIDE_PX = 96;
/** No figure is drawn larger than this, however small it is. */
const MAX_PERCENT = 300;

interface PreviewProps {
  readonly row: CharacterRow;
  readonly still: boolean;
  /** The user looks at it: it greets. */
  readonly watched: boolean;
}

export function Preview({ row: { folder, greetClip }, still, watched }: PreviewProps) {
  const { send } = useShell();
  const canvas = useRef<HTMLCanvasElement>(null);
  const sprite = useRef<Sprite | null>(null);
  const now = useRef({ still, watched, isLoaded: false });
  now.current = { ...now.current, still, watched };

  const greet = (): void => {
    const { isLoaded, ...wanted } = now.current;
    // One still picture for another would be no greeting.
    if (isLoaded && wanted.watched && !wanted.still && greetClip !== null) sprite.current?.play(greetClip, 1);
  };

  const open = async (): Promise<void> => {
    if (sprite.current !== null) return;
    const element = canvas.current!;
    const report = (file: string): void => send({ type: 'broken', folder, file });
    const opened = createSprite(element, realClock, plainPaint(element), { onBroken: (_, file) => report(file) });
    sprite.current = opened;
    opened.setStill(now.current.still);
    opened.setScale(MAX_PERCENT, { width: SIDE_PX, height: SIDE_PX });
    try {
      await opened.load(folder);
      if (sprite.current !== opened) return;
      now.current.isLoaded = true;
      greet();
    } catch (error) {
      if (sprite.current === opened && error instanceof FileTrouble) report(error.file);
    }
  };

  const close = (): void => {
    sprite.current?.close();
    sprite.current = null;
    now.current.isLoaded = false;
  };

  useEffect(() => {
    const sight = new IntersectionObserver((entries) => {
      if (entries.at(-1)!.isIntersecting) void open();
      else close();
    });
    sight.observe(canvas.current!);
    return () => {
      sight.disconnect();
      close();
    };
  }, [folder]);
  useEffect(() => sprite.current?.setStill(still), [still]);
  useEffect(greet, [watched]);

  return (
    <span class="preview" aria-hidden="true">
      <canvas ref={canvas} width={1} height={1} />
    </span>
  );
}
