/** What all rows share: how much time there is, the disk and the desk they use, and one running product. */
import type { Companion, Launch } from './companion.ts';
import type { Desk } from './desk.ts';
import type { Figure } from './figure.ts';

export interface Bench {
  readonly quick: boolean;
  /** A folder of this run, on the disk that is measured. */
  readonly folder: string;
  /** The private desktop, or why there is none. */
  readonly desk: Desk | string;
  /** The product that rows share; started when first asked for. */
  companion(): Promise<Companion>;
  /** How a product of a row's own is started. */
  readonly launch: Launch;
}

export interface Section {
  readonly rows: readonly number[];
  measure(bench: Bench): Promise<Figure[]>;
}
