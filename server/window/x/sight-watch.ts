/** Works out what may be seen from everything that is watched, and tells each change once. */
import type { Box, FullScreenPolicy, Sight } from '../../protocol/window.ts';
import { watchFullScreen } from '../desk/full-screen.ts';
import { sightOf } from '../desk/sight.ts';
import type { Screen } from './screen.ts';

export interface SightWatch {
  /** The user's settings or the figure's monitor have changed. */
  review(): void;
  stop(): void;
}

export interface SightOptions {
  readonly monitor: () => Box;
  readonly own: () => readonly number[];
  readonly policy: () => FullScreenPolicy;
  readonly onSight: (sight: Sight) => void;
}

/** Watches; everything can be seen until it tells otherwise. */
export function watchSight(screen: Screen, { monitor, own, policy, onSight }: SightOptions): SightWatch {
  let isCovered = false;
  let told: Sight = 'clear';
  const tell = (): void => {
    const sight = sightOf({ policy: policy(), isCovered, isLocked: false, isAsleep: false });
    if (sight === told) return;
    told = sight;
    onSight(sight);
  };
  const fullScreen = watchFullScreen(screen, {
    monitor,
    own,
    onChange: (covered) => {
      isCovered = covered;
      tell();
    },
  });
  return {
    review: () => {
      fullScreen.review();
      tell();
    },
    stop: () => {
      fullScreen.stop();
      // Who goes away leaves nothing out of sight.
      if (told !== 'clear') onSight('clear');
    },
  };
}
