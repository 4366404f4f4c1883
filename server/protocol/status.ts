/** The life of a request: statuses, the whole law of their transitions, and why a request ended (spec §3). */

export const STATUSES = ['queued', 'running', 'awaiting_user', 'completed', 'cancelled', 'expired', 'failed'] as const;
export type Status = (typeof STATUSES)[number];

export const TRANSITIONS: Readonly<Record<Status, readonly Status[]>> = {
  queued: ['running', 'completed', 'cancelled', 'expired', 'failed'],
  running: ['awaiting_user', 'completed', 'cancelled', 'expired', 'failed'],
  awaiting_user: ['completed', 'cancelled', 'expired', 'failed'],
  completed: [],
  cancelled: [],
  expired: [],
  failed: [],
};

/** Reports whether no transition leads out of `status`. */
export const isTerminal = (status: Status): boolean => TRANSITIONS[status].length === 0;

/** Why requests end, with every status each reason may come with. */
export const REASONS = {
  user_answered: ['completed'],
  displayed: ['completed'],
  clip_ended: ['completed'],
  owner_completed: ['completed'],
  owner_failed: ['failed'],
  /** Closing a shown notice ends it well; closing a question or a progress card cancels it. */
  user_dismissed: ['completed', 'cancelled'],
  user_declined: ['cancelled'],
  client_cancelled: ['cancelled'],
  superseded: ['cancelled'],
  hidden: ['cancelled'],
  paused: ['cancelled'],
  access_off: ['cancelled'],
  key_revoked: ['cancelled'],
  suppressed: ['cancelled'],
  queue_evicted: ['cancelled'],
  deadline: ['expired'],
  runtime_restarted: ['failed'],
  display_failed: ['failed'],
} as const satisfies Record<string, readonly Status[]>;
export type Reason = keyof typeof REASONS;
