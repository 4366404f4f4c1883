/** Which sound goes with which cards: one for what comes up together, and none that could disturb. */
import type { Card, Scene } from '../server/protocol/link.ts';
import type { Tone } from '../server/protocol/words.ts';

/** Requests that have been on screen; of more than the host ever keeps open the oldest are forgotten. */
export type Heard = ReadonlySet<string>;

const MAX_HEARD = 512;
/** The most serious first. */
const SERIOUS: readonly Tone[] = ['error', 'warning', 'success', 'information'];

/** A question sounds like information, whatever it is about: it is a question and no alarm. */
const toneOf = ({ presentation }: Card): Tone =>
  presentation.view === 'notice' || presentation.view === 'progress' ? presentation.tone : 'information';

/** Reports whether anything may be heard now. */
export const mayBeHeard = ({ settings, sight }: Scene): boolean =>
  settings.sounds && !settings.paused && !settings.hidden && !settings.doNotDisturb && sight === 'clear';

/**
 * What to play now that the cards in `shown` are on screen, and who has been heard then. A card that comes back from
 * folding, or came up while all was to be quiet, is not heard again.
 */
export function soundFor(
  heard: Heard,
  scene: Scene,
  shown: ReadonlySet<string>,
): { readonly tone: Tone | null; readonly heard: Heard } {
  const fresh = scene.cards.filter(({ requestId }) => shown.has(requestId) && !heard.has(requestId));
  if (fresh.length === 0) return { tone: null, heard };
  const tones = new Set(fresh.map(toneOf));
  return {
    tone: mayBeHeard(scene) ? SERIOUS.find((tone) => tones.has(tone))! : null,
    heard: new Set([...heard, ...fresh.map(({ requestId }) => requestId)].slice(-MAX_HEARD)),
  };
}
