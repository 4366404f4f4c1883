/** Time as an argument. Durations run on `monoMs`; `wallMs` is for display and for the wire only. */

export interface Now {
  /** Epoch milliseconds; may jump. */
  readonly wallMs: number;
  /** Milliseconds that only grow and count time asleep (R8). */
  readonly monoMs: number;
}
