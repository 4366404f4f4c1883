/** Pairing: a program asks, the user decides on the overlay, the key is made and handed out once (docs/auth-profile.md, R7). */
import { makeKey } from '../auth/keys.ts';
import type { Approval, Pairings } from '../auth/pairings.ts';
import { ProtocolError } from '../protocol/errors.ts';
import { newClientId, type PairingId } from '../protocol/ids.ts';
import type { PairingCard } from '../protocol/link.ts';
import type { Handlers } from './call.ts';
import type { Clients } from './clients.ts';
import type { HostClock } from './clock.ts';
import type { Engine } from './engine.ts';

/** The desk where open pairings lie: one card is on top, the others wait. */
export interface PairingDesk {
  approve(pairingId: PairingId, choice: Approval): void;
  deny(pairingId: PairingId): void;
  /** Ends all as denied: access was switched off. */
  clear(): void;
  card(): { readonly card: PairingCard | null; readonly waiting: number };
  readonly verbs: Pick<Handlers, 'pairing.request' | 'pairing.wait'>;
  close(): void;
}

export interface PairingDeps {
  readonly engine: Engine;
  readonly clients: Clients;
  readonly pairings: Pairings;
  readonly clock: HostClock;
  readonly secret: Uint8Array;
  /** The card changed. */
  readonly onChange: () => void;
}

export function createPairingDesk({ engine, clients, pairings, clock, secret, onChange }: PairingDeps): PairingDesk {
  const wakers = new Set<() => void>();
  let timer: NodeJS.Timeout | null = null;

  /** Something was said or has run out: waiters look again, the card is drawn anew, the one timer is armed to the next end. */
  const changed = (): void => {
    for (const wake of [...wakers]) wake();
    onChange();
    if (timer !== null) clearTimeout(timer);
    const now = clock.now();
    const next = pairings.nextDeadline(now);
    timer = next === null ? null : setTimeout(changed, Math.max(0, Math.ceil(next - now.monoMs)));
  };

  const waitForChange = (waitMs: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(limit);
        wakers.delete(finish);
        signal.removeEventListener('abort', finish);
        resolve();
      };
      const limit = setTimeout(finish, waitMs);
      wakers.add(finish);
      signal.addEventListener('abort', finish);
      if (signal.aborted) finish();
    });

  /** Key made, client on disk, then handed out: in that order, and once. */
  const handOut = async (pairingId: string, pairingSecret: string) => {
    const { name, scopes } = pairings.take(pairingId, pairingSecret, clock.now());
    const { key, verifier } = makeKey(secret);
    const clientId = newClientId();
    try {
      await clients.admit({ clientId, name, scopes, verifier, createdAt: clock.now().wallMs, lastUsedAt: null });
    } catch (error) {
      pairings.release(pairingId);
      throw error;
    }
    pairings.finish(pairingId);
    changed();
    return { status: 'approved', key, clientId, name, scopes };
  };

  return {
    approve: (pairingId, choice) => {
      pairings.approve(pairingId, choice, clock.now());
      changed();
    },
    deny: (pairingId) => {
      pairings.deny(pairingId, clock.now());
      changed();
    },
    clear: () => {
      pairings.clear();
      changed();
    },
    card: () => {
      const open = pairings.open(clock.now());
      return { card: open[0] ?? null, waiting: Math.max(0, open.length - 1) };
    },
    verbs: {
      'pairing.request': ({ name, scopes, about }) => {
        const { access, hidden } = engine.state().settings;
        if (!access) throw new ProtocolError('RUNTIME_UNAVAILABLE', { reason: 'access_off' });
        if (hidden) throw new ProtocolError('RUNTIME_UNAVAILABLE', { reason: 'hidden' });
        const ticket = pairings.request({ name, scopes, about: about ?? null }, clock.now());
        changed();
        return { ...ticket, expiresAt: new Date(ticket.expiresAt).toISOString() };
      },
      'pairing.wait': async ({ pairingId, pairingSecret, waitMs }, _actor, signal) => {
        const first = pairings.peek(pairingId, pairingSecret, clock.now());
        if (first.status === 'pending' && waitMs > 0) await waitForChange(waitMs, signal);
        const word = pairings.peek(pairingId, pairingSecret, clock.now());
        // A key is not made for a caller that has hung up: it could not be handed out a second time.
        if (word.status === 'pending' || signal.aborted) return { status: 'pending' };
        return handOut(pairingId, pairingSecret);
      },
    },
    close: () => {
      if (timer !== null) clearTimeout(timer);
      for (const wake of [...wakers]) wake();
    },
  };
}
