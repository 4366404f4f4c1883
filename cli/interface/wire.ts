/** What a session speaks through: lines out, bytes in, and the news that somebody wants it to end. Tests pass their own. */

export interface Ears {
  onInput(chunk: Buffer): void;
  onInputEnd(): void;
  /** Nobody reads any more. */
  onGone(): void;
  /** Somebody outside wants the process to end. */
  onSignal(): void;
  /** Something was thrown where nobody could catch it. */
  onCrash(error: unknown): void;
}

export interface Wire {
  /** In order; never splits a line with another. */
  write(line: string): void;
  listen(ears: Ears): void;
  /** Resolves when everything is out, or nobody takes it; with false when somebody would have, and it could not be written. */
  drained(): Promise<boolean>;
}
