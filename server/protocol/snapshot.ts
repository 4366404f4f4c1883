/** A request as the host keeps it and as its owner sees it (spec §3, R3). A record is immutable; each change makes the next one. */
import type { ClientId, RequestId, RuntimeInstanceId } from './ids.ts';
import type { Reason, Status } from './status.ts';
import type { Json, JsonObject } from './words.ts';

/** What the user last pressed on a progress card; a signal to the owner, never an act. `at` is epoch ms. */
export interface Control {
  readonly action: 'pause' | 'resume' | 'cancel';
  readonly seq: number;
  readonly at: number;
}

/** Everything known about a request. Instants are epoch ms; `params` hold the newest state of an updatable request. */
export interface RequestRecord {
  readonly requestId: RequestId;
  readonly clientId: ClientId;
  /** The instance that accepted it. */
  readonly runtimeInstanceId: RuntimeInstanceId;
  readonly capability: string;
  readonly capabilityVersion: string;
  readonly taskId: string | null;
  /** null once cleared by a revocation. */
  readonly params: JsonObject | null;
  readonly status: Status;
  readonly revision: number;
  readonly reason: Reason | null;
  readonly createdAt: number;
  readonly deadlineAt: number;
  readonly displayedAt: number | null;
  readonly endedAt: number | null;
  readonly retainedUntil: number | null;
  readonly resolvedCapability: string;
  readonly resolvedStyle: string;
  readonly resolvedCharacter: string;
  readonly substituteReason: string | null;
  readonly control: Control | null;
  readonly failure: string | null;
  readonly result: Json;
}

/** A request on the wire. Every field is always there; instants are ISO 8601 with milliseconds and Z. */
export interface Snapshot {
  readonly requestId: string;
  readonly runtimeInstanceId: string;
  readonly capability: string;
  readonly capabilityVersion: string;
  readonly taskId: string | null;
  readonly status: Status;
  readonly revision: number;
  readonly reason: Reason | null;
  readonly createdAt: string;
  readonly deadlineAt: string;
  readonly displayedAt: string | null;
  readonly endedAt: string | null;
  readonly retainedUntil: string | null;
  readonly resolvedCapability: string;
  readonly resolvedStyle: string;
  readonly resolvedCharacter: string;
  readonly substituteReason: string | null;
  readonly control: { readonly action: Control['action']; readonly seq: number; readonly at: string } | null;
  readonly failure: string | null;
  readonly result: Json;
}

const iso = (epochMs: number): string => new Date(epochMs).toISOString();
const isoOrNull = (epochMs: number | null): string | null => (epochMs === null ? null : iso(epochMs));

/** The wire form of a record; nothing in it is volatile, so two reads of one revision are byte-equal. */
export function toSnapshot(record: RequestRecord): Snapshot {
  return {
    requestId: record.requestId,
    runtimeInstanceId: record.runtimeInstanceId,
    capability: record.capability,
    capabilityVersion: record.capabilityVersion,
    taskId: record.taskId,
    status: record.status,
    revision: record.revision,
    reason: record.reason,
    createdAt: iso(record.createdAt),
    deadlineAt: iso(record.deadlineAt),
    displayedAt: isoOrNull(record.displayedAt),
    endedAt: isoOrNull(record.endedAt),
    retainedUntil: isoOrNull(record.retainedUntil),
    resolvedCapability: record.resolvedCapability,
    resolvedStyle: record.resolvedStyle,
    resolvedCharacter: record.resolvedCharacter,
    substituteReason: record.substituteReason,
    control: record.control && { action: record.control.action, seq: record.control.seq, at: iso(record.control.at) },
    failure: record.failure,
    result: record.result,
  };
}
