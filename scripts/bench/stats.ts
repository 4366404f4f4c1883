/** Percentiles, and rounds in which every variant meets the same state of the machine. */

/** The value below which `share` (0 to 1) of `values` lie; NaN when there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

type Steps = Readonly<Record<string, () => Promise<unknown>>>;
type Taken<All extends Steps> = { readonly [Name in keyof All]: Awaited<ReturnType<All[Name]>>[] };

/**
 * Takes each step once a round, in rotating order, so that a drift of the machine hits all alike.
 * One round more goes first, unmeasured. Returns the values of each step, a round each.
 */
export async function interleave<All extends Steps>(rounds: number, steps: All): Promise<Taken<All>> {
  const names = Object.keys(steps);
  const taken: Record<string, unknown[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -1; round < rounds; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round + names.length) % names.length]!;
      const value = await steps[name]!();
      if (round >= 0) taken[name]!.push(value);
    }
  }
  return taken as Taken<All>;
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
