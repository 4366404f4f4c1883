import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RequestId } from '../protocol/ids.ts';
import { isTerminal, REASONS, type Status, TRANSITIONS } from '../protocol/status.ts';
import { SIGHTS } from '../protocol/window.ts';
import type { SchedulerEvent } from './events.ts';
import { World } from './testing.ts';

const KINDS = ['notice', 'progress', 'interaction', 'animation'] as const;

/** An abstract step; `pick` chooses among the requests made so far. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      kind: fc.constantFrom(...KINDS),
      client: fc.constantFrom('a', 'b', 'c'),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('answer', 'cancel', 'dismiss', 'decline', 'control', 'clipEnded', 'hold', 'update'),
      pick: fc.nat(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('paint' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 200_000 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('sight' as const), sight: fc.constantFrom(...SIGHTS) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('hide', 'show', 'crash', 'up', 'leaf', 'revoke', 'dnd') }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function eventOf(world: World, { do: what, ...rest }: Step): SchedulerEvent | null {
  const ids = [...world.records.keys()];
  const requestId = ids[('pick' in rest ? rest.pick : 0) % Math.max(1, ids.length)] as RequestId;
  if (what === 'create')
    return world.createEvent((rest as { client: string }).client, (rest as { kind: (typeof KINDS)[number] }).kind, {
      timeoutMs: 300_000,
    });
  if (what === 'sight') return { type: 'sight', sight: (rest as { sight: (typeof SIGHTS)[number] }).sight };
  if (what === 'hide' || what === 'show') return { type: 'settings', patch: { hidden: what === 'hide' } };
  if (what === 'dnd') return { type: 'settings', patch: { doNotDisturb: !world.state.settings.doNotDisturb } };
  if (what === 'crash' || what === 'up') return { type: 'overlay', state: what === 'crash' ? 'starting' : 'up' };
  if (what === 'leaf') return { type: 'leaf' };
  if (what === 'revoke') return { type: 'revoke', clientId: 'b' as never };
  if (ids.length === 0) return null;
  const record = world.record(requestId);
  switch (what) {
    case 'answer':
      return { type: 'answer', requestId, result: { text: 'x' } };
    case 'cancel':
      return { type: 'cancel', clientId: record.clientId, requestId, reason: 'client_cancelled' };
    case 'control':
      return { type: 'control', requestId, action: 'pause' };
    case 'update':
      return {
        type: 'update',
        clientId: record.clientId,
        requestId,
        expectedRevision: record.revision,
        patch: { percent: 1 },
        end: null,
      };
    default:
      return { type: what as 'dismiss', requestId };
  }
}

/** What must hold whatever happens. */
function checkWorld(world: World, before: ReadonlyMap<RequestId, { status: Status; revision: number }>): void {
  for (const [requestId, record] of world.records) {
    const earlier = before.get(requestId);
    if (earlier !== undefined && isTerminal(earlier.status)) expect(record.revision).toBe(earlier.revision);
    if (earlier !== undefined && earlier.status !== record.status) {
      expect(record.revision).toBeGreaterThan(earlier.revision);
      const direct = TRANSITIONS[earlier.status].includes(record.status);
      const byTwo = TRANSITIONS[earlier.status].some((via) => TRANSITIONS[via].includes(record.status));
      expect(direct || byTwo || record.revision - earlier.revision === 3).toBe(true);
    }
    expect(isTerminal(record.status)).toBe(!world.state.entries.has(requestId));
    expect(record.reason === null).toBe(!isTerminal(record.status));
    if (record.reason !== null) expect(REASONS[record.reason]).toContain(record.status);
    if (record.status !== 'completed') expect(record.result).toBeNull();
  }
  const staged = world.onStage();
  const { sight } = world.state;
  const mayStand = (kind: string): boolean => sight === 'clear' || (sight === 'notices' && kind === 'notice');
  for (const id of staged) expect(mayStand(world.state.entries.get(id)!.kind)).toBe(true);
  if (sight !== 'clear') expect(world.state.sprite).toBeNull();
  if (world.state.held !== null) expect(staged).toContain(world.state.held);
  expect(new Set(staged).size).toBe(staged.length);
  const asking = staged.map((id) => world.state.entries.get(id)!).filter(({ kind }) => kind === 'interaction');
  expect(new Set(asking.map(({ record }) => record.clientId)).size).toBe(asking.length);
  const waiting = [...world.state.entries.values()].filter(
    ({ kind, record }) => kind !== 'animation' && mayStand(kind) && !staged.includes(record.requestId),
  );
  const waitingClients = new Set(waiting.map(({ record }) => record.clientId));
  for (const client of waitingClients) {
    const others = staged.filter((id) => world.record(id).clientId !== client);
    const hasOwn = staged.some((id) => world.record(id).clientId === client);
    // A client without any card on stage means that nobody has two.
    if (!hasOwn && staged.length > 0)
      expect(new Set(others.map((id) => world.record(id).clientId)).size).toBe(others.length);
  }
}

it('keeps its promises for any order of events', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
      const world = new World({ createBurst: 1_000, updateBurst: 1_000 });
      for (const each of steps) {
        const before = new Map([...world.records].map(([id, { status, revision }]) => [id, { status, revision }]));
        if (each.do === 'paint') world.paint();
        else if (each.do === 'pass') world.pass((each as { ms: number }).ms);
        else {
          const event = eventOf(world, each);
          if (event !== null) world.run(event);
        }
        checkWorld(world, before);
        // Sight alone ends nothing and shows nothing as seen.
        if (each.do === 'sight') expect(world.last?.writes.size).toBe(0);
      }
    }),
    { numRuns: 300 },
  );
});
