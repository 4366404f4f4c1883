/** The figure: plays a character's clips on one small canvas, a timer to the end of each frame and nothing in between. */
import { type CharacterManifest, type Clip, type Frame, IDLE_CLIP } from '../server/protocol/character.ts';
import { type CellReports, createCells } from './cells.ts';
import type { Clock } from './clock.ts';
import type { Size } from './cut.ts';
import { countRounds, momentAt, roundsFor, totalMs } from './frames.ts';
import { fetchPack, findClip, framesOf, type Pack, soundOf } from './pack.ts';
import { type Paint, plainPaint } from './paint.ts';
import { keyOf } from './pose.ts';

/** After this long the idle figure stands still: a still one costs a third of the slowest moving one. */
const REST_AFTER_MS = 60_000;

export interface Sprite {
  readonly canvas: HTMLCanvasElement;
  /**
   * Fetches `character.json` and its images from `folder` (ends in '/') and then goes on with what was last asked for.
   * Rejects when that fails; what showed before stays. Of several calls the last one wins, and the others resolve without effect.
   */
  load(folder: string): Promise<void>;
  /**
   * Starts `clip` from its beginning, as soon as its cells are there; an unknown one is idle. null loops: as the manifest says.
   * After the end follows the clip's fallback. A `load` under way is given up.
   */
  play(clip: string, loops: number | null, reports?: PlayReports): void;
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
  /** Gives everything back; whatever is called afterwards does nothing. */
  close(): void;
}

/** What becomes of the character by itself. */
export interface SpriteReports {
  /** This character is about to be drawn for the first time. */
  readonly onCharacter?: (manifest: CharacterManifest) => void;
  /** The clip of that name is the one that really shows from now on. */
  readonly onClip?: (character: string, clip: string) => void;
  /** Pictures that were wanted later than at first cannot be had: what showed before stays. */
  readonly onBroken?: (folder: string, file: string) => void;
}

/** Each is called at most once, and never after another `play`. */
export interface PlayReports {
  /** The clip's first picture is drawn. `sound`: address of what is heard with it; null: nothing. */
  readonly onBegin?: ((sound: string | null) => void) | undefined;
  /** The rounds are through. */
  readonly onEnd?: (() => void) | undefined;
}

interface Wish {
  readonly clip: string;
  readonly loops: number | null;
  readonly reports: PlayReports;
}

interface Playing {
  readonly name: string;
  readonly clip: Clip;
  readonly rounds: number;
  readonly reports: PlayReports;
  /** What follows when the rounds are through: another clip, or standing still. */
  readonly next: string | null;
}

/** What `wish` comes to with this character; a resting idle is a clip of as many rounds as a minute needs. */
function toPlaying(pack: Pack, { clip: wanted, loops, reports }: Wish): Playing {
  const own = findClip(pack, wanted);
  const name = own === undefined ? IDLE_CLIP : wanted;
  const clip = own ?? findClip(pack, IDLE_CLIP)!;
  // Whoever waits for the end of a clip that is not there must not wait for ever.
  const rounds = countRounds(clip, loops ?? (own === undefined && reports.onEnd !== undefined ? 1 : null));
  if (name === IDLE_CLIP && rounds === Number.POSITIVE_INFINITY)
    return { name, clip, rounds: roundsFor(clip, REST_AFTER_MS), reports, next: null };
  return { name, clip, rounds, reports, next: clip.fallback ?? IDLE_CLIP };
}

/** Calls `run` whenever the pixel ratio has changed, as by another screen or zoom, until `end`; no resize event tells of it. */
function onOtherRatio(run: () => void, end: AbortSignal): void {
  const changed = (): void => {
    onOtherRatio(run, end);
    run();
  };
  matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener('change', changed, { once: true, signal: end });
}

/** A sprite on `canvas`, empty until a character is loaded. Nothing is thrown later than by `load`. */
export function createSprite(
  canvas: HTMLCanvasElement,
  clock: Clock,
  paint: Paint = plainPaint(canvas),
  tell: SpriteReports = {},
  makeCells: typeof createCells = createCells,
): Sprite {
  const end = new AbortController();
  let pack: Pack | null = null;
  let loading = 0;
  let packs = 0;
  let wish: Wish = { clip: IDLE_CLIP, loops: null, reports: {} };
  let playing: Playing | null = null;
  let begun = false;
  let resting = false;
  let still = false;
  let running = true;
  let percent = 100;
  let limit: Size | null = null;
  /** The clip's own time stands still while it is stopped or its cells are not there. */
  let going = false;
  let startedAt = 0;
  let stoppedAt = 0;
  let shown: Frame | null = null;
  let drawn: ImageBitmap | null = null;
  let callOff = (): void => {};

  const wantedSize = ({ canvas: size }: CharacterManifest): Size => ({
    width: (size.w * percent) / 100,
    height: (size.h * percent) / 100,
  });

  /** Size of the backing store, in pixels of the screen. */
  function pixelSize(manifest: CharacterManifest): Size {
    const { width, height } = wantedSize(manifest);
    const share = limit === null ? 1 : Math.min(1, limit.width / width, limit.height / height);
    const toPixels = (side: number): number => Math.max(1, Math.round(side * share * devicePixelRatio));
    return { width: toPixels(width), height: toPixels(height) };
  }

  function resize({ width, height }: Size): void {
    canvas.style.width = `${width / devicePixelRatio}px`;
    canvas.style.height = `${height / devicePixelRatio}px`;
    if (canvas.width === width && canvas.height === height) return;
    canvas.width = width;
    canvas.height = height;
    drawn = null;
  }

  /** Draws `frame`; as long as its cell is not there, what showed before. */
  function draw({ manifest, cells }: Pack, frame: Frame): void {
    if (cells.find(frame) !== undefined) shown = frame;
    const image = shown === null ? undefined : cells.find(shown);
    if (shown === null || image === undefined) return;
    resize(pixelSize(manifest));
    if (image === drawn) return;
    drawn = image;
    const id = `${packs} ${keyOf(shown)} ${image.width}x${image.height}`;
    paint.draw({ id, image, smooth: manifest.canvas.scaling === 'smooth' });
  }

  /** Says which cells are to be there: those of what plays and of what follows it, or the one that stays. */
  function want(): void {
    if (pack === null || playing === null) return;
    const { clip, next } = playing;
    const following = next === null ? [] : framesOf(findClip(pack, next)!, still);
    const needed = running ? [...framesOf(clip, still || resting), ...following] : [];
    const stays = still || resting || !running;
    pack.cells.want([...(shown === null ? [] : [shown]), ...needed], pixelSize(pack.manifest), stays);
    if (stays) paint.rest();
  }

  /** Shows what is due now and arms the one timer for what comes next. */
  function show(): void {
    callOff();
    if (pack === null || playing === null) return;
    const { clip, rounds, next } = playing;
    go(running && pack.cells.cover(framesOf(clip, still || resting)));
    const elapsedMs = (going ? clock.now() : stoppedAt) - startedAt;
    const moment = momentAt(clip, rounds, elapsedMs);
    const ended = moment.ended && next === null;
    draw(pack, clip.frames[still || ended ? clip.stillFrame : moment.frame]!);
    if (!going) return;
    if (ended) rest();
    else if (moment.ended) goOn(playing);
    else {
      wake(!still ? moment.nextMs : next === null ? null : totalMs(clip, rounds) - elapsedMs);
      if (!begun) begin(pack, playing);
    }
  }

  function review(): void {
    want();
    show();
  }

  function go(on: boolean): void {
    if (on === going) return;
    if (on) startedAt += clock.now() - stoppedAt;
    else stoppedAt = clock.now();
    going = on;
  }

  function wake(ms: number | null): void {
    if (ms !== null && Number.isFinite(ms)) callOff = clock.after(ms, show);
  }

  function rest(): void {
    if (resting) return;
    resting = true;
    want();
  }

  function begin(from: Pack, { name, clip, reports }: Playing): void {
    begun = true;
    tell.onClip?.(from.manifest.id, name);
    // Another character that takes over goes on with the wish, and begins nothing anew.
    wish = { ...wish, reports: { ...reports, onBegin: undefined } };
    reports.onBegin?.(soundOf(from, clip));
  }

  function goOn(ended: Playing): void {
    playing = { ...ended, reports: {} };
    const after = playing;
    ended.reports.onEnd?.();
    if (playing === after && ended.next !== null) start({ clip: ended.next, loops: null, reports: {} });
  }

  function start(asked: Wish): void {
    wish = asked;
    if (pack === null) return;
    playing = toPlaying(pack, asked);
    [begun, resting, going] = [false, false, false];
    startedAt = clock.now();
    stoppedAt = startedAt;
    review();
  }

  async function load(folder: string): Promise<void> {
    loading += 1;
    const turn = loading;
    const reports: CellReports = { onCut: show, onBroken: (file) => tell.onBroken?.(folder, file) };
    const loaded = await fetchPack(folder, (manifest, files) => makeCells(manifest, files, clock, reports));
    if (turn !== loading) {
      loaded.close();
      return;
    }
    pack?.close();
    pack = loaded;
    packs += 1;
    shown = null;
    drawn = null;
    tell.onCharacter?.(loaded.manifest);
    start(wish);
  }

  onOtherRatio(review, end.signal);

  return {
    canvas,
    load,
    play(clip, loops, reports = {}) {
      // Meant for the character that is here: one that is still on its way has been given up.
      loading += 1;
      start({ clip, loops, reports });
    },
    setStill(on) {
      still = on;
      review();
    },
    setRunning(on) {
      if (on === running) return;
      running = on;
      review();
    },
    setScale(to, within = null) {
      percent = to;
      limit = within;
      review();
    },
    wantedSize: () => pack && wantedSize(pack.manifest),
    close() {
      end.abort();
      callOff();
      loading += 1;
      pack?.close();
      pack = null;
    },
  };
}
