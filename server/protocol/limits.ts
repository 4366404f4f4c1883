/** Every number that bounds something, with its unit in the name. Published by `runtime.describe`. */

export const LIMITS = {
  /** Bytes of one HTTP body that comes in. */
  maxFrameBytes: 65_536,
  maxBatchCalls: 32,
  maxConnections: 256,
  /** From a connection's first byte of a request to the end of its body. */
  receiveTimeoutMs: 5_000,
  idleTimeoutMs: 120_000,
  maxJsonDepth: 16,
  maxWaitMs: 60_000,
  minTimeoutMs: 1_000,
  maxTimeoutMs: 86_400_000,
  maxUnfinished: 256,
  maxUnfinishedPerClient: 32,
  maxInteractionsPerClient: 8,
  maxAnimationsPerClient: 8,
  /** Notices of one client not yet shown; one more evicts the oldest of them. */
  maxWaitingNoticesPerClient: 8,
  createsPerSecond: 20,
  createBurst: 40,
  updatesPerSecond: 60,
  updateBurst: 120,
  maxOpenPairings: 3,
  pairingLifetimeMs: 300_000,
  pairingIntervalMs: 2_000,
  pairingBurst: 30,
  pairingDenialsBeforeRest: 3,
  pairingRestMs: 300_000,
  maxKeptResults: 50_000,
  resultRetentionMs: 86_400_000,
  tombstoneRetentionMs: 604_800_000,
  maxCards: 3,
  maxAnimationMs: 20_000,
  defaultNoticeMs: 6_000,
  minNoticeMs: 1_000,
  maxNoticeMs: 60_000,
  /** How long a shown progress card or question keeps its slot while another client's card waits. */
  progressTurnMs: 30_000,
  questionTurnMs: 120_000,
  /** Presses and keys this soon after painting are ignored. */
  armMs: 400,
} as const;

/** The limits in force: the published names, with values that the configuration may have changed. */
export type Limits = { readonly [Name in keyof typeof LIMITS]: number };
