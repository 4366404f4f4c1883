/** The figure: plays a character's clips on one small canvas, a timer to the end of each frame and nothing in between. */
import type { CharacterManifest, Clip, Frame } from '../server/protocol/character.ts';
import type { Clock } from './clock.ts';
import { countRounds, momentAt, roundMs } from './frames.ts';
import { type Paint, plainPaint } from './paint.ts';

const IDLE_CLIP = 'idle';
/** After this long the idle figure stands still: a still one costs a third of the slowest moving one. */
const REST_AFTER_MS = 60_000;

export interface Sprite {
  /** Bears `data-character` (ID) and `data-clip` (the clip that really shows) once a character is loaded. */
  readonly canvas: HTMLCanvasElement;
  /**
   * Fetches `character.json` and its images from `folder` (ends in '/') and then goes on with what was last asked for.
   * Rejects when that fails; what showed before stays. Of several calls the last one wins.
   */
  load(folder: string): Promise<void>;
  /**
   * Starts `clip` from its beginning; an unknown one is idle. null loops: as the manifest says. `onEnd` is called when
   * the rounds are through, at most once and never after another `play`. After the end follows the clip's fallback.
   */
  play(clip: string, loops: number | null, onEnd: (() => void) | null): void;
  /** Reduced motion: one still frame per clip; a finite clip still ends after its nominal time. */
  setStill(still: boolean): void;
  /** false stops the clip and every timer; true goes on where it stopped. */
  setRunning(running: boolean): void;
  /**
   * Size on screen in percent of the manifest's canvas, but no larger than `limit` (CSS px) where there is one.
   * The backing store is as many whole pixels of the screen.
   */
  setScale(percent: number, limit?: Size | null): void;
  /** The size on screen without a limit; null before a character is loaded. */
  wantedSize(): Size | null;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

interface Pack {
  readonly manifest: CharacterManifest;
  readonly images: ReadonlyMap<string, ImageBitmap>;
}

interface Wish {
  readonly clip: string;
  readonly loops: number | null;
  readonly onEnd: (() => void) | null;
}

interface Playing {
  readonly clip: Clip;
  readonly rounds: number;
  readonly onEnd: (() => void) | null;
  /** What follows when the rounds are through: another clip, or standing still. */
  readonly next: string | null;
}

async function fetchPack(folder: string): Promise<Pack> {
  const get = async (file: string): Promise<Response> => {
    const response = await fetch(`${folder}${file}`);
    if (!response.ok) throw new Error(`character file answered ${response.status}`);
    return response;
  };
  const manifest = (await (await get('character.json')).json()) as CharacterManifest;
  const images = await Promise.all(
    manifest.images.map(async ({ id, file }) => [id, await createImageBitmap(await (await get(file)).blob())] as const),
  );
  return { manifest, images: new Map(images) };
}

/** The clip of that name, own names only; undefined when there is none. */
const findClip = ({ manifest }: Pack, name: string): Clip | undefined =>
  Object.hasOwn(manifest.clips, name) ? manifest.clips[name] : undefined;

/** What `wish` comes to with this character; a resting idle is a clip of as many rounds as a minute needs. */
function toPlaying(pack: Pack, wish: Wish): { readonly name: string; readonly playing: Playing } {
  const own = findClip(pack, wish.clip);
  const name = own === undefined ? IDLE_CLIP : wish.clip;
  const clip = own ?? findClip(pack, IDLE_CLIP)!;
  const { onEnd } = wish;
  // Whoever waits for the end of a clip that is not there must not wait for ever.
  const loops = wish.loops ?? (own === undefined && onEnd !== null ? 1 : null);
  const rounds = countRounds(clip, loops);
  if (name === IDLE_CLIP && rounds === Number.POSITIVE_INFINITY)
    return { name, playing: { clip, rounds: Math.ceil(REST_AFTER_MS / roundMs(clip)), onEnd: null, next: null } };
  return { name, playing: { clip, rounds, onEnd, next: clip.fallback ?? IDLE_CLIP } };
}

/** Calls `run` whenever the pixel ratio has changed, as by another screen or zoom; no resize event tells of it. */
function onOtherRatio(run: () => void): void {
  const changed = (): void => {
    onOtherRatio(run);
    run();
  };
  matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener('change', changed, { once: true });
}

/** A sprite on `canvas`, empty until a character is loaded. Nothing is thrown later than by `load`. */
export function createSprite(canvas: HTMLCanvasElement, clock: Clock, paint: Paint = plainPaint(canvas)): Sprite {
  let pack: Pack | null = null;
  let loading = 0;
  let packs = 0;
  let wish: Wish = { clip: IDLE_CLIP, loops: null, onEnd: null };
  let playing: Playing | null = null;
  let still = false;
  let running = true;
  let percent = 100;
  let limit: Size | null = null;
  let startedAt = 0;
  let stoppedAt = 0;
  let drawn: Frame | null = null;
  let callOff = (): void => {};

  const wantedSize = ({ canvas: size }: CharacterManifest): Size => ({
    width: (size.w * percent) / 100,
    height: (size.h * percent) / 100,
  });

  function resize(manifest: CharacterManifest): void {
    const { width, height } = wantedSize(manifest);
    const share = limit === null ? 1 : Math.min(1, limit.width / width, limit.height / height);
    const [w, h] = [width, height].map((side) => Math.max(1, Math.round(side * share * devicePixelRatio))) as [
      number,
      number,
    ];
    canvas.style.width = `${w / devicePixelRatio}px`;
    canvas.style.height = `${h / devicePixelRatio}px`;
    if (canvas.width === w && canvas.height === h) return;
    canvas.width = w;
    canvas.height = h;
    drawn = null;
  }

  function draw(frame: Frame): void {
    if (pack === null) return;
    resize(pack.manifest);
    if (frame.image === drawn?.image && frame.cell === drawn.cell) return;
    drawn = frame;
    const { columns, cellW, cellH } = pack.manifest.images.find(({ id }) => id === frame.image)!.grid;
    paint({
      id: `${packs} ${frame.image} ${frame.cell}`,
      image: pack.images.get(frame.image)!,
      x: (frame.cell % columns) * cellW,
      y: Math.floor(frame.cell / columns) * cellH,
      width: cellW,
      height: cellH,
      smooth: pack.manifest.canvas.scaling === 'smooth',
    });
  }

  /** Shows what is due now and arms the one timer for what comes next. */
  function show(): void {
    callOff();
    if (playing === null) return;
    const { clip, rounds, next } = playing;
    const elapsedMs = (running ? clock.now() : stoppedAt) - startedAt;
    const moment = momentAt(clip, rounds, elapsedMs);
    const resting = moment.ended && next === null;
    draw(clip.frames[still || resting ? clip.stillFrame : moment.frame]!);
    if (!running || resting) return;
    if (moment.ended) end(playing);
    else if (!still) wake(moment.nextMs);
    else if (next !== null) wake(roundMs(clip) * rounds - elapsedMs);
  }

  function wake(ms: number | null): void {
    if (ms !== null && Number.isFinite(ms)) callOff = clock.after(ms, show);
  }

  function end(ended: Playing): void {
    playing = { ...ended, onEnd: null };
    const after = playing;
    ended.onEnd?.();
    if (playing === after && ended.next !== null) start({ clip: ended.next, loops: null, onEnd: null });
  }

  function start(asked: Wish): void {
    wish = asked;
    if (pack === null) return;
    const { name, playing: made } = toPlaying(pack, asked);
    playing = made;
    canvas.dataset.clip = name;
    startedAt = clock.now();
    stoppedAt = startedAt;
    show();
  }

  async function load(folder: string): Promise<void> {
    loading += 1;
    const turn = loading;
    const loaded = await fetchPack(folder);
    if (turn !== loading) return;
    for (const image of pack?.images.values() ?? []) image.close();
    pack = loaded;
    packs += 1;
    drawn = null;
    canvas.dataset.character = loaded.manifest.id;
    start(wish);
  }

  onOtherRatio(show);

  return {
    canvas,
    load,
    play: (clip, loops, onEnd) => start({ clip, loops, onEnd }),
    setStill(on) {
      still = on;
      show();
    },
    setRunning(on) {
      if (on === running) return;
      if (on) startedAt += clock.now() - stoppedAt;
      else stoppedAt = clock.now();
      running = on;
      show();
    },
    setScale(to, within = null) {
      percent = to;
      limit = within;
      show();
    },
    wantedSize: () => pack && wantedSize(pack.manifest),
  };
}
