/** How a session ended, played once as an ordinary animation of the host's own: it has a place in the queue and no right before others. */
import { HOST } from '../../protocol/actor.ts';
import { animationCelebrate } from '../../registry/capabilities/animation.celebrate.ts';
import { animationFail } from '../../registry/capabilities/animation.fail.ts';
import { animationGreet } from '../../registry/capabilities/animation.greet.ts';
import { type CreateDeps, createRequest } from '../create.ts';

/** What is tried in turn; a character need not be able to do any of it. */
const CLIPS = {
  done: [animationCelebrate.id, animationGreet.id],
  failed: [animationFail.id],
} as const;
/** What cannot be shown soon is not news any more. */
const TIMEOUT_MS = 10_000;

/** The function it returns never throws and is not waited for. */
export function createApplause(deps: CreateDeps): (how: keyof typeof CLIPS) => void {
  const { engine } = deps;

  /** Only where a program could play one too, and none is at it. */
  const mayPlay = (): boolean => {
    const { settings, sight, entries } = engine.state();
    const isQuiet = [...entries.values()].every(({ kind }) => kind !== 'animation');
    return settings.access && !settings.paused && !settings.hidden && sight === 'clear' && isQuiet;
  };

  const play = async (how: keyof typeof CLIPS): Promise<void> => {
    for (const capability of CLIPS[how]) {
      try {
        await createRequest(deps, { capability, params: {}, timeoutMs: TIMEOUT_MS, allowSubstitute: true }, HOST);
        return;
      } catch {
        // This character cannot, or not now.
      }
    }
  };

  return (how) => {
    if (mayPlay()) void play(how);
  };
}
