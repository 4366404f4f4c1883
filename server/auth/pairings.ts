/** Open pairings, in memory only: who asked, what the user said, and for how long that holds (docs/auth-profile.md, section 4). */
import { randomBytes, randomInt } from 'node:crypto';
import sodium from 'sodium-native';
import type { Now } from '../protocol/clock.ts';
import { invalidParams, ProtocolError } from '../protocol/errors.ts';
import { newPairingId, type PairingId } from '../protocol/ids.ts';
import type { Limits } from '../protocol/limits.ts';
import type { Scope } from '../protocol/words.ts';
import { assertName } from './names.ts';
import { createPairingGate } from './pairing-gate.ts';
import { assertScopeSet } from './scopes.ts';

export interface PairingParams {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly about: string | null;
}

/** What goes back to the program; `expiresAt` is epoch ms. */
export interface PairingTicket {
  readonly pairingId: PairingId;
  readonly pairingSecret: string;
  readonly code: string;
  readonly expiresAt: number;
}

/** What the pairing card shows; `name` and `about` are untrusted text, `expiresAt` is epoch ms. */
export interface OpenPairing extends PairingParams {
  readonly pairingId: PairingId;
  readonly code: string;
  readonly expiresAt: number;
}

export interface Approval {
  readonly name: string;
  readonly scopes: readonly Scope[];
}

export type PairingWord = { readonly status: 'pending' } | ({ readonly status: 'approved' } & Approval);

export interface Pairings {
  /** Opens a pairing. Errors: INVALID_PARAMS, RATE_LIMITED with `retryAfterMs`. */
  request(params: PairingParams, now: Now): PairingTicket;
  /** The user's yes. Errors: NOT_FOUND unless it is pending; INVALID_PARAMS for a bad name or scopes that were not asked for. */
  approve(pairingId: string, choice: Approval, now: Now): void;
  /** The user's no. Errors: NOT_FOUND unless it is pending. */
  deny(pairingId: string, now: Now): void;
  /** What the user has said so far. Errors: PAIRING_DENIED, PAIRING_EXPIRED; NOT_FOUND when unknown, used, or with a wrong secret. */
  peek(pairingId: string, secret: string, now: Now): PairingWord;
  /**
   * Claims an approved pairing, so that of several waiters one makes the key; to the others it is NOT_FOUND.
   * Then `finish` it when the client is on disk, or `release` it when the commit failed. Errors: as `peek`; NOT_FOUND while pending.
   */
  take(pairingId: string, secret: string, now: Now): Approval;
  /** Forgets a pairing whose key has been handed out. */
  finish(pairingId: string): void;
  /** Gives a claimed approval back. */
  release(pairingId: string): void;
  /** Those that wait for the user, oldest first; the overlay shows the first. */
  open(now: Now): readonly OpenPairing[];
  /** `monoMs` at which the next pairing runs out, for the one timer of the host; null when none is open. */
  nextDeadline(now: Now): number | null;
  /** Ends every open pairing as denied, because access was switched off; does not count towards the rest after denials. */
  clear(): void;
}

interface Entry {
  readonly card: OpenPairing;
  readonly secret: Buffer;
  readonly expiresMonoMs: number;
  state: 'pending' | 'approved' | 'taken' | 'denied' | 'expired';
  approval: Approval | null;
}

/** Pairings under `limits`; `pairedNames` are the names of the clients that exist when it is called. The runtime looks again after each call. */
export function createPairings(limits: Limits, pairedNames: () => readonly string[]): Pairings {
  const entries = new Map<string, Entry>();
  const gate = createPairingGate(limits);

  /** Time passes: what is over expires, and what has been told long enough is forgotten. */
  const settle = (now: Now): void => {
    for (const [pairingId, entry] of entries) {
      if (now.monoMs >= entry.expiresMonoMs + limits.pairingLifetimeMs) entries.delete(pairingId);
      else if (now.monoMs >= entry.expiresMonoMs && isOpen(entry)) end(entry, 'expired');
    }
  };
  const pending = (): Entry[] => [...entries.values()].filter(({ state }) => state === 'pending');
  const approvedNames = (): string[] => [...entries.values()].flatMap(({ approval }) => approval?.name ?? []);
  const pendingOne = (pairingId: string, now: Now): Entry => {
    settle(now);
    const entry = entries.get(pairingId);
    if (entry?.state !== 'pending') throw new ProtocolError('NOT_FOUND');
    return entry;
  };
  const known = (pairingId: string, secret: string, now: Now): Entry => {
    settle(now);
    const entry = entries.get(pairingId);
    if (entry === undefined || !isSameSecret(entry.secret, secret) || entry.state === 'taken')
      throw new ProtocolError('NOT_FOUND');
    if (entry.state === 'denied') throw new ProtocolError('PAIRING_DENIED');
    if (entry.state === 'expired') throw new ProtocolError('PAIRING_EXPIRED');
    return entry;
  };

  return {
    request(params, now) {
      settle(now);
      assertName(params.name, [...pairedNames(), ...approvedNames()]);
      assertScopeSet(params.scopes);
      const open = pending();
      gate.admit(
        open.map(({ expiresMonoMs }) => expiresMonoMs),
        now,
      );
      const secret = randomBytes(32).toString('base64url');
      const card: OpenPairing = {
        name: params.name,
        scopes: params.scopes,
        about: params.about,
        pairingId: newPairingId(),
        code: newCode(open.map((entry) => entry.card.code)),
        expiresAt: now.wallMs + limits.pairingLifetimeMs,
      };
      entries.set(card.pairingId, {
        card,
        secret: Buffer.from(secret),
        expiresMonoMs: now.monoMs + limits.pairingLifetimeMs,
        state: 'pending',
        approval: null,
      });
      return { pairingId: card.pairingId, pairingSecret: secret, code: card.code, expiresAt: card.expiresAt };
    },
    approve(pairingId, { name, scopes }, now) {
      const entry = pendingOne(pairingId, now);
      assertName(name, [...pairedNames(), ...approvedNames()]);
      assertScopeSet(scopes);
      if (!scopes.every((scope) => entry.card.scopes.includes(scope))) throw invalidParams('/scopes', 'askedFor');
      entry.state = 'approved';
      entry.approval = { name, scopes };
      gate.noteApproval();
    },
    deny(pairingId, now) {
      pendingOne(pairingId, now).state = 'denied';
      gate.noteDenial(now);
    },
    peek(pairingId, secret, now) {
      const { approval } = known(pairingId, secret, now);
      return approval === null ? { status: 'pending' } : { status: 'approved', ...approval };
    },
    take(pairingId, secret, now) {
      const entry = known(pairingId, secret, now);
      if (entry.approval === null) throw new ProtocolError('NOT_FOUND');
      entry.state = 'taken';
      return entry.approval;
    },
    finish(pairingId) {
      entries.delete(pairingId);
    },
    release(pairingId) {
      const entry = entries.get(pairingId);
      if (entry?.state === 'taken') entry.state = 'approved';
    },
    open(now) {
      settle(now);
      return pending().map(({ card }) => card);
    },
    nextDeadline(now) {
      settle(now);
      const deadlines = [...entries.values()].filter(isOpen).map(({ expiresMonoMs }) => expiresMonoMs);
      return deadlines.length === 0 ? null : Math.min(...deadlines);
    },
    clear() {
      for (const entry of entries.values()) if (isOpen(entry)) end(entry, 'denied');
    },
  };
}

function end(entry: Entry, state: 'denied' | 'expired'): void {
  entry.state = state;
  entry.approval = null;
}

const isOpen = (entry: Entry): boolean => entry.state === 'pending' || entry.state === 'approved';

/** Six digits, different from those on the cards that are open, so that a user can tell them apart. */
function newCode(others: readonly string[]): string {
  for (;;) {
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    if (!others.includes(code)) return code;
  }
}

function isSameSecret(secret: Buffer, presented: string): boolean {
  const bytes = Buffer.from(presented);
  return bytes.byteLength === secret.byteLength && sodium.sodium_memcmp(bytes, secret);
}
