/** Finds out which format a program speaks from the first lines that say it. */
import type { Adapter, Line } from './adapter.ts';

/** A program that has said so much in no known format speaks none. */
const MAX_LINES = 2_000;

/** The format of the first line that is one's; null as long as there is none. `isOver`: it is no use to ask further. */
export class Detector {
  readonly #adapters: readonly Adapter[];
  #lines = 0;

  constructor(adapters: readonly Adapter[]) {
    this.#adapters = adapters;
  }

  get isOver(): boolean {
    return this.#lines >= MAX_LINES;
  }

  recognize(line: Line): Adapter | null {
    if (this.isOver || line.text === '') return null;
    this.#lines += 1;
    return this.#adapters.find((adapter) => adapter.recognizes(line)) ?? null;
  }
}
