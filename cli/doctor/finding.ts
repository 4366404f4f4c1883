/** What one check has found, in plain words. */

export type CheckId =
  | 'node'
  | 'user'
  | 'chromium'
  | 'sandbox'
  | 'display'
  | 'window'
  | 'transparent'
  | 'always-on-top'
  | 'click-through'
  | 'positioned'
  | 'desktop'
  | 'hotkeys'
  | 'runtime-folder'
  | 'socket'
  | 'instances'
  | 'state'
  | 'disk'
  | 'settings'
  | 'credentials'
  | 'autostart';

export type Level = 'ok' | 'warning' | 'problem';

export interface Finding {
  readonly id: CheckId;
  readonly status: Level;
  /** What was looked at. */
  readonly title: string;
  readonly seen: string;
  /** What to do about it; null: nothing, or nothing that can be said here. */
  readonly mend: string | null;
}

/** The three ends of a check. */
export interface Ends {
  ok(seen: string): Finding;
  warning(seen: string, mend?: string | null): Finding;
  problem(seen: string, mend: string | null): Finding;
}

export const endsOf = (id: CheckId, title: string): Ends => ({
  ok: (seen) => ({ id, status: 'ok', title, seen, mend: null }),
  warning: (seen, mend = null) => ({ id, status: 'warning', title, seen, mend }),
  problem: (seen, mend) => ({ id, status: 'problem', title, seen, mend }),
});
