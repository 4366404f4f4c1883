/** Works out what may be seen from everything that is watched, and tells each change once. */
import type { Box, FullScreenPolicy, Sight } from '../../protocol/window.ts';
import { watchFullScreen } from '../desk/full-screen.ts';
import { watchScreenSaver } from '../desk/lock-by-x.ts';
import { watchSession } from '../desk/session.ts';
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
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: (line: string) => void;
  readonly onSight: (sight: Sight) => void;
  /** We are to be seen over that full-screen window. */
  readonly onOver: (client: number) => void;
}

/** Watches; everything can be seen until it tells otherwise. */
export function watchSight(screen: Screen, options: SightOptions): SightWatch {
  const { monitor, own, policy, env, log, onSight, onOver } = options;
  let isCovered = false;
  let session = { locked: false, asleep: false };
  let isLockedByX = false;
  let told: Sight = 'clear';
  const tell = (): void => {
    const isLocked = session.locked || isLockedByX;
    const sight = sightOf({ policy: policy(), isCovered, isLocked, isAsleep: session.asleep });
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
    onTaken: (client) => {
      if (told !== 'none') onOver(client);
    },
  });
  const bus = watchSession({
    env,
    log,
    onChange: (now) => {
      session = now;
      tell();
    },
  });
  const saver = watchScreenSaver(screen, (isOn) => {
    isLockedByX = isOn;
    tell();
  });
  return {
    review: () => {
      fullScreen.review();
      tell();
    },
    stop: () => {
      fullScreen.stop();
      bus.stop();
      saver.stop();
      // Who goes away leaves nothing out of sight.
      if (told !== 'clear') onSight('clear');
    },
  };
}
