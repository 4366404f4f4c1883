/** A little world for scheduler tests: time is a number, requests are made by kind, every batch is one call. */
import type { Now } from '../protocol/clock.ts';
import type { ClientId, RequestId, RuntimeInstanceId } from '../protocol/ids.ts';
import { LIMITS, type Limits } from '../protocol/limits.ts';
import { DEFAULT_SETTINGS } from '../protocol/settings.ts';
import type { RequestRecord } from '../protocol/snapshot.ts';
import type { Sight } from '../protocol/window.ts';
import type { Kind } from '../protocol/words.ts';
import { type Advance, advance } from './advance.ts';
import type { CreateEvent, Outcome, SchedulerEvent } from './events.ts';
import { initialState, type State } from './state.ts';

/** Wall time at which every world starts; far from the monotonic clock's 0, so that the two cannot be mixed up. */
const WALL_BASE_MS = 1_700_000_000_000;

export class World {
  state: State;
  nowMs = 0;
  readonly limits: Limits;
  /** Newest record of every request ever, ended ones too. */
  readonly records = new Map<RequestId, RequestRecord>();
  last: Advance | null = null;
  private count = 0;

  constructor(limits: Partial<Limits> = {}) {
    this.limits = { ...LIMITS, ...limits };
    this.state = initialState({ ...DEFAULT_SETTINGS, access: true }, { kept: 0, missed: 0 }, this.limits.maxCards);
    this.run({ type: 'overlay', state: 'up' });
  }

  now(): Now {
    return { wallMs: WALL_BASE_MS + this.nowMs, monoMs: this.nowMs };
  }

  /** One batch at the present instant. */
  batch(events: readonly SchedulerEvent[]): readonly Outcome[] {
    this.last = advance(this.state, events, this.now(), this.limits);
    this.state = this.last.state;
    for (const [requestId, { record }] of this.last.writes) this.records.set(requestId, record);
    return this.last.outcomes;
  }

  run(event: SchedulerEvent): Outcome {
    return this.batch([event])[0]!;
  }

  pass(ms: number): void {
    this.nowMs += ms;
    this.run({ type: 'tick' });
  }

  createEvent(
    client: string,
    kind: Kind,
    change: Partial<CreateEvent> & { timeoutMs?: number; key?: string; digest?: string } = {},
  ): CreateEvent {
    this.count += 1;
    const { key, digest = 'd', ...rest } = change;
    const requestId = `r${this.count}` as RequestId;
    const clientId = client as ClientId;
    const timeoutMs = rest.timeoutMs ?? 600_000;
    const { wallMs } = this.now();
    return {
      type: 'create',
      record: {
        requestId,
        clientId,
        runtimeInstanceId: 'i' as RuntimeInstanceId,
        capability: kind,
        capabilityVersion: '0.1.0',
        taskId: null,
        params: {},
        status: 'queued',
        revision: 1,
        reason: null,
        createdAt: wallMs,
        deadlineAt: wallMs + timeoutMs,
        displayedAt: null,
        endedAt: null,
        retainedUntil: null,
        resolvedCapability: kind,
        resolvedStyle: 'plain',
        resolvedCharacter: 'c',
        substituteReason: null,
        control: null,
        failure: null,
        result: null,
      },
      kind,
      timeoutMs,
      displayMs: kind === 'notice' ? 6_000 : kind === 'animation' ? this.limits.maxAnimationMs : null,
      maxUnfinishedOfKind: kind === 'interaction' || kind === 'animation' ? 8 : 32,
      suppressible: kind === 'notice',
      internal: false,
      idempotency: key === undefined ? null : { clientId, key, requestId, digest },
      known: null,
      unresolved: null,
      ...rest,
    };
  }

  /** Creates and expects acceptance; returns the ID. */
  create(client: string, kind: Kind, change: Parameters<World['createEvent']>[2] = {}): RequestId {
    const outcome = this.run(this.createEvent(client, kind, change));
    if (outcome.kind !== 'request') throw new Error(`refused: ${JSON.stringify(outcome)}`);
    return outcome.requestId;
  }

  /** The page reports everything on stage as painted. */
  paint(): void {
    const requestIds = [...this.state.slots, this.state.sprite].filter((id): id is RequestId => id !== null);
    this.run({ type: 'painted', requestIds });
  }

  record(requestId: RequestId): RequestRecord {
    return this.records.get(requestId)!;
  }

  /** The desktop leaves this much to be seen. */
  see(sight: Sight): void {
    this.run({ type: 'sight', sight });
  }

  onStage(): RequestId[] {
    return this.state.slots.filter((id): id is RequestId => id !== null);
  }
}
