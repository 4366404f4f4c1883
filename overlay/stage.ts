/** Which clip the figure plays now: a request's, else the drag, else the greeting, else the mood. Reports when a request's clip is through. */
import { parseCharacterFolder, type Scene } from '../server/protocol/link.ts';
import { FileTrouble } from './file-trouble.ts';
import { showsFigure } from './model.ts';
import type { Sprite } from './sprite.ts';

/** A clip to be played, and for whom. `requestId` null: the figure's own. */
export interface Part {
  readonly kind: 'request' | 'drag' | 'greet' | 'mood';
  readonly folder: string;
  readonly clip: string;
  readonly loops: number | null;
  readonly requestId: string | null;
}

/** What the page knows beside the scene. */
export interface Backstage {
  readonly greeted: boolean;
  readonly dragged: boolean;
  /** The request whose clip is through while the scene still names it. */
  readonly endedId: string | null;
}

/** The part for `scene`; null when the figure is hidden or out of sight. */
export function choosePart(scene: Scene, { greeted, dragged, endedId }: Backstage): Part | null {
  if (!showsFigure(scene)) return null;
  const home = scene.character;
  const { clip } = scene;
  if (clip !== null && clip.requestId !== endedId) return { kind: 'request', ...clip };
  if (dragged && scene.dragClip !== null)
    return { kind: 'drag', folder: home, clip: scene.dragClip, loops: null, requestId: null };
  if (!greeted && scene.greetClip !== null)
    return { kind: 'greet', folder: home, clip: scene.greetClip, loops: 1, requestId: null };
  return { kind: 'mood', folder: home, clip: scene.mood.clip, loops: null, requestId: null };
}

/** Reports whether the two folders are of one character, in whatever version. */
function sameCharacter(a: string, b: string): boolean {
  const [one, other] = [parseCharacterFolder(a), parseCharacterFolder(b)];
  return a === b || (one !== null && one.id === other?.id);
}

const samePart = (a: Part | null, b: Part | null): boolean =>
  a?.kind === b?.kind && a?.folder === b?.folder && a?.clip === b?.clip && a?.requestId === b?.requestId;

export interface Stage {
  /** Plays what `scene` asks for; what is playing already goes on undisturbed. */
  show(scene: Scene): void;
  setDragged(dragged: boolean): void;
}

export interface StageReports {
  /** The request's clip has begun: its first picture is drawn. */
  readonly onShown: (requestId: string) => void;
  readonly onEnded: (requestId: string) => void;
  /** A clip that was asked for, and is no mood, begins with the sound at this address. */
  readonly onSound: (address: string) => void;
  /** That file of a character cannot be used; what showed before stays. */
  readonly onTrouble: (folder: string, file: string) => void;
  /** The figure takes its room from now on: its first picture is there, or will not come. Told once. */
  readonly onReady: () => void;
}

/** The stage for `sprite`. A character that does not load is reported once and nothing of it is played. */
export function createStage(sprite: Sprite, reports: StageReports): Stage {
  let scene: Scene | null = null;
  let current: Part | null = null;
  /** What the sprite really plays; `current` may still have to be fetched. */
  let playing: Part | null = null;
  let loaded: string | null = null;
  let ready = false;
  let backstage: Backstage = { greeted: false, dragged: false, endedId: null };

  function settle(): void {
    if (scene === null) return;
    const part = choosePart(scene, backstage);
    sprite.setRunning(part !== null);
    if (samePart(part, current)) return;
    // A greeting that has begun is not cut short by another character: it ends, and then that one comes.
    if (part?.kind === 'greet' && playing?.kind === 'greet' && playing === current) return;
    current = part;
    if (part === null) return;
    if (part.folder === loaded) begin(part);
    else void fetchAndBegin(part);
  }

  async function fetchAndBegin(part: Part): Promise<void> {
    try {
      await sprite.load(part.folder);
      loaded = part.folder;
    } catch (error) {
      reports.onTrouble(part.folder, error instanceof FileTrouble ? error.file : '');
      tellReady();
    }
    if (loaded !== part.folder) return;
    // While it loaded, the scene may have moved on within the same character.
    if (current?.folder === part.folder) begin(current);
  }

  function begin(part: Part): void {
    const onBegin = (sound: string | null) => began(part, sound);
    playing = part;
    const finite = part.kind === 'request' || part.kind === 'greet';
    sprite.play(part.clip, part.loops, finite ? { onBegin, onEnd: () => end(part) } : { onBegin });
    // A request that comes first makes the greeting stale.
    if (part.kind === 'request') backstage = { ...backstage, greeted: true };
  }

  function began({ requestId, kind }: Part, sound: string | null): void {
    if (requestId !== null) reports.onShown(requestId);
    if (sound !== null && kind !== 'mood') reports.onSound(sound);
    tellReady();
  }

  function tellReady(): void {
    if (ready) return;
    ready = true;
    reports.onReady();
  }

  function end(part: Part): void {
    if (part.kind === 'greet') backstage = { ...backstage, greeted: true };
    else backstage = { ...backstage, endedId: part.requestId };
    if (part.requestId !== null) reports.onEnded(part.requestId);
    settle();
  }

  return {
    show(next) {
      // Another one greets in its turn.
      if (scene !== null && !sameCharacter(scene.character, next.character))
        backstage = { ...backstage, greeted: false };
      scene = next;
      settle();
    },
    setDragged(dragged) {
      backstage = { ...backstage, dragged };
      settle();
    },
  };
}
