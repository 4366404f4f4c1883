/** Bounded waits that wake at once: a waiter hears of the commit that passed its revision, never of anything before it (spec §3, R4). */
import { ProtocolError } from '../protocol/errors.ts';
import type { ClientId, RequestId } from '../protocol/ids.ts';
import { isTerminal } from '../protocol/status.ts';
import type { Commit, Engine } from './engine.ts';

export interface Waits {
  /**
   * Resolves to true when the request has passed `afterRevision` or ended, to false after `waitMs` ms or when `signal` aborts.
   * Rejects with UNAUTHENTICATED when the client's key is revoked meanwhile.
   */
  wait(
    clientId: ClientId,
    requestId: RequestId,
    afterRevision: number,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<boolean>;
}

interface Waiter {
  readonly clientId: ClientId;
  readonly requestId: RequestId;
  readonly afterRevision: number;
  finish(changed: boolean): void;
  fail(error: Error): void;
}

export function createWaits(engine: Engine): Waits {
  const byRequest = new Map<RequestId, Set<Waiter>>();

  const waiters = function* (): Iterable<Waiter> {
    for (const set of byRequest.values()) yield* set;
  };

  engine.onCommit(({ records, revoked }: Commit) => {
    if (revoked.length > 0) {
      for (const waiter of [...waiters()])
        if (revoked.includes(waiter.clientId)) waiter.fail(new ProtocolError('UNAUTHENTICATED'));
    }
    for (const [requestId, record] of records) {
      for (const waiter of [...(byRequest.get(requestId) ?? [])]) {
        if (record.revision > waiter.afterRevision || isTerminal(record.status)) waiter.finish(true);
      }
    }
  });

  return {
    wait: (clientId, requestId, afterRevision, waitMs, signal) =>
      new Promise((resolve, reject) => {
        const leave = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', giveUp);
          const set = byRequest.get(requestId);
          set?.delete(waiter);
          if (set?.size === 0) byRequest.delete(requestId);
        };
        const waiter: Waiter = {
          clientId,
          requestId,
          afterRevision,
          finish: (changed) => {
            leave();
            resolve(changed);
          },
          fail: (error) => {
            leave();
            reject(error);
          },
        };
        const giveUp = (): void => waiter.finish(false);
        const timer = setTimeout(giveUp, waitMs);
        signal.addEventListener('abort', giveUp);
        if (signal.aborted) return giveUp();
        const set = byRequest.get(requestId) ?? new Set();
        set.add(waiter);
        byRequest.set(requestId, set);
      }),
  };
}
