/** What `watch` and `run` use of the client, and what its errors mean to somebody who goes on working without it. */
import type { Client } from '../../client/client.ts';

export type Companion = Pick<
  Client,
  'create' | 'wait' | 'waitUntilEnd' | 'get' | 'cancel' | 'update' | 'progress' | 'notify'
>;

/** How soon something is tried again while the companion is away or full. */
export const AGAIN_MS = 2_000;

interface Told {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly retryable?: unknown;
  readonly details?: { readonly reason?: unknown; readonly status?: unknown };
}

// By its fields: the client lies in another file, and with it the class of its errors.
const toldBy = (error: unknown): Told => (typeof error === 'object' && error !== null ? error : {});

export const codeOf = (error: unknown): string => String(toldBy(error).code ?? 'INTERNAL_ERROR');
export const reasonOf = (error: unknown): string => String(toldBy(error).details?.reason ?? '');
export const statusOf = (error: unknown): string => String(toldBy(error).details?.status ?? '');

/** Reports whether the same call may do later: the companion is away, starting, or full. */
export const mayDoLater = (error: unknown): boolean => toldBy(error).retryable === true;

/** One line that says what stands in the way. */
export const wordsOf = (error: unknown): string => {
  const reason = reasonOf(error);
  return `${codeOf(error)}: ${String(toldBy(error).message ?? 'it made a mistake')}${reason && ` (${reason})`}`;
};
