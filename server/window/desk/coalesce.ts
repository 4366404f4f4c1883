/** Turns many occasions into few pieces of work: one at once, and while more come, one after each pause. No timer runs at rest. */

export interface Coalesced {
  /** There is occasion to do the work, with what is true from now on. */
  ask(): void;
  stop(): void;
}

/** Never runs `work` twice at once. What it throws is dropped: the next occasion tries again. */
export function coalesce(work: () => Promise<void>, pauseMs: number): Coalesced {
  let timer: NodeJS.Timeout | undefined;
  let isBusy = false;
  let isAsked = false;
  let isOver = false;
  const run = (): void => {
    isAsked = false;
    isBusy = true;
    work()
      .catch(() => {})
      .finally(() => {
        if (!isOver) timer = setTimeout(rest, pauseMs);
      });
  };
  const rest = (): void => {
    isBusy = false;
    if (isAsked) run();
  };
  return {
    ask: () => {
      isAsked = true;
      if (!isBusy && !isOver) run();
    },
    stop: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
