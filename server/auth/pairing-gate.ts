/** How often programs may ask to be paired: open cards, rate, and a rest after denials (R6). */
import type { Now } from '../protocol/clock.ts';
import { ProtocolError } from '../protocol/errors.ts';
import type { Limits } from '../protocol/limits.ts';

export interface PairingGate {
  /** Lets one request in, given the ends (`monoMs`) of the open ones, or refuses at no cost. Errors: RATE_LIMITED with `retryAfterMs`. */
  admit(openUntilMonoMs: readonly number[], now: Now): void;
  noteApproval(): void;
  noteDenial(now: Now): void;
}

export function createPairingGate(limits: Limits): PairingGate {
  let tokens = limits.pairingBurst;
  let filledMonoMs = Number.NEGATIVE_INFINITY;
  let denials = 0;
  let restUntilMonoMs = Number.NEGATIVE_INFINITY;

  const refuse = (limit: keyof Limits, retryAfterMs: number): never => {
    throw new ProtocolError('RATE_LIMITED', { limit, retryAfterMs: Math.ceil(retryAfterMs) });
  };

  return {
    admit(openUntilMonoMs, { monoMs }) {
      if (monoMs < restUntilMonoMs) refuse('pairingRestMs', restUntilMonoMs - monoMs);
      if (openUntilMonoMs.length >= limits.maxOpenPairings)
        refuse('maxOpenPairings', Math.min(...openUntilMonoMs) - monoMs);
      tokens = Math.min(limits.pairingBurst, tokens + (monoMs - filledMonoMs) / limits.pairingIntervalMs);
      filledMonoMs = monoMs;
      if (tokens < 1) refuse('pairingIntervalMs', (1 - tokens) * limits.pairingIntervalMs);
      tokens -= 1;
    },
    noteApproval() {
      denials = 0;
    },
    noteDenial({ monoMs }) {
      denials += 1;
      if (denials < limits.pairingDenialsBeforeRest) return;
      denials = 0;
      restUntilMonoMs = monoMs + limits.pairingRestMs;
    },
  };
}
