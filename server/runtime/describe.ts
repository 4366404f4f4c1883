/** `runtime.describe`: what this runtime is and what the caller may do; seen, not assumed (spec §2, R1). */
import type { Actor } from '../protocol/actor.ts';
import type { RuntimeInstanceId } from '../protocol/ids.ts';
import type { Limits } from '../protocol/limits.ts';
import type { OverlayFacts } from '../protocol/overlay.ts';
import { IMPLEMENTATION, PROTOCOL_VERSIONS } from '../protocol/version.ts';
import { unavailability } from '../scheduler/create.ts';
import type { OverlayState } from '../scheduler/state.ts';
import type { Handlers } from './call.ts';
import type { Engine } from './engine.ts';

export interface DescribeDeps {
  readonly engine: Engine;
  readonly limits: Limits;
  readonly instance: () => { readonly id: RuntimeInstanceId; readonly startedAt: number };
  readonly overlay: () => OverlayFacts;
  readonly systemReducedMotion: () => boolean | null;
}

const OVERLAY_STATE: Readonly<Record<OverlayState, OverlayFacts['state']>> = {
  up: 'up',
  starting: 'starting',
  failed: 'down',
};

function reducedMotion(user: boolean | null, system: boolean | null): { on: boolean; by: 'user' | 'system' | null } {
  if (user !== null) return { on: user, by: 'user' };
  return system === true ? { on: true, by: 'system' } : { on: false, by: null };
}

const authorizationOf = (actor: Actor) =>
  actor.kind === 'anonymous' ? null : { clientId: actor.clientId, name: actor.name, scopes: actor.scopes };

export function createDescribe(deps: DescribeDeps): Handlers['runtime.describe'] {
  return (_params, actor) => {
    const state = deps.engine.state();
    const unavailable =
      unavailability(state, actor.kind === 'host') ?? (deps.engine.isStorageFull() ? { reason: 'storage' } : null);
    const { id, startedAt } = deps.instance();
    return {
      implementation: IMPLEMENTATION,
      protocolVersions: PROTOCOL_VERSIONS,
      runtimeInstanceId: id,
      startedAt: new Date(startedAt).toISOString(),
      storageSince: new Date(deps.engine.store().storageSince).toISOString(),
      access: state.settings.access ? 'on' : 'off',
      accepting: { ok: unavailable === null, reason: unavailable?.reason ?? null },
      overlay: { ...deps.overlay(), state: OVERLAY_STATE[state.overlay] },
      reducedMotion: reducedMotion(state.settings.reduceMotion, deps.systemReducedMotion()),
      limits: deps.limits,
      retention: { resultMs: deps.limits.resultRetentionMs, tombstoneMs: deps.limits.tombstoneRetentionMs },
      authorization: authorizationOf(actor),
    };
  };
}
