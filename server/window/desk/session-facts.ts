/** The words in which those who watch the session tell what they know of it. */

export interface SessionState {
  readonly locked: boolean;
  /** From just before the machine goes to sleep until it is awake again. */
  readonly asleep: boolean;
}

/** One source says what it knows. */
export type Tell = (source: string, fact: keyof SessionState, isSo: boolean) => void;
