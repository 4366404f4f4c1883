/** Rows 1 to 5: what a read and a durable create cost over the socket, beside bare frames and the disk. */
import { join } from 'node:path';
import type { Bench, Section } from './bench.ts';
import { askDunst } from './dbus.ts';
import { type Figure, judge, notMeasured } from './figure.ts';
import { buildLoad, httpRequest, type Pace, type Target, type Timing } from './load.ts';
import { end, missing, startRole } from './programs.ts';
import { interleave } from './stats.ts';

const ROWS = [1, 2, 3, 4, 5];
const PAUSE_US = 5_000;
const CALLERS = 32;

/** A notice that stays up longer than a round lasts, so that nothing but creates happens in it. */
const CREATE = {
  capability: 'notice.show',
  params: { text: 'The build is done and the bench goes on.', durationMs: 60_000 },
  idempotencyKey: 'bench-000000000000',
};

const call = (method: string, params: object): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

/** What Node compiles well it has seen often; the log, too, is written over again only after its first thousand pages. */
const WARM_UP = { reads: 5_000, eachCommit: 1_000, roundsAlone: 6, roundsMany: 3 };

async function measure(bench: Bench): Promise<Figure[]> {
  const lacking = missing('cc');
  if (lacking !== null) return ROWS.map((row) => notMeasured(row, 'requests over the socket', lacking));
  const load = await buildLoad(bench.folder);
  const companion = await bench.companion();
  const { client, key } = await companion.pair();
  const snapshot = await client.create({ ...CREATE, idempotencyKey: 'bench-read' });
  const answer = JSON.stringify(await client.get(snapshot.requestId));

  const floorServer = async (name: string, database: string | null) => {
    const socketPath = join(bench.folder, `${name}.sock`);
    const { child } = await startRole('floor-server', { socketPath, answer, database });
    return { child, socketPath };
  };
  const frames = await floorServer('frames', null);
  const committing = await floorServer('committing', join(bench.folder, 'committing.db'));
  const readBody = call('requests.get', { requestId: snapshot.requestId });
  const createBody = call('requests.create', CREATE);
  const raw: Target = { framing: 'raw', socketPath: frames.socketPath, request: `${readBody}\n` };
  const eachCommit: Target = { framing: 'raw', socketPath: committing.socketPath, request: `${createBody}\n` };
  const noBus = typeof bench.desk === 'string' ? bench.desk : bench.desk.noPeer;
  const bus = typeof bench.desk === 'string' || noBus !== null ? null : askDunst(bench.desk.busPath);
  const { socketPath } = companion;
  const read: Target = { framing: 'http', socketPath, request: httpRequest(key, readBody) };
  const create: Target = { framing: 'http', socketPath, request: httpRequest(key, createBody) };
  /** What a round has made is taken away before the next one; only the creates are timed. */
  const creates = async (pace: Pace): Promise<Timing> => {
    const timing = await load.calls(create, pace);
    await companion.ask('clear');
    return timing;
  };
  const alone: Pace = { connections: 1, calls: 200 };
  const many: Pace = { connections: CALLERS, calls: 480 };
  await load.calls(raw, { connections: CALLERS, calls: WARM_UP.reads });
  await load.calls(read, { connections: CALLERS, calls: WARM_UP.reads });
  await load.calls(eachCommit, { connections: CALLERS, calls: WARM_UP.eachCommit });
  for (let round = 0; round < WARM_UP.roundsMany; round += 1) await creates(many);
  for (let round = 0; round < WARM_UP.roundsAlone; round += 1) await creates(alone);

  const taken = await interleave(bench.quick ? 3 : 9, {
    rawAlone: () => load.calls(raw, { connections: 1, calls: 3_000 }),
    readAlone: () => load.calls(read, { connections: 1, calls: 3_000 }),
    bus: async () => (bus === null ? null : load.calls(bus, { connections: 1, calls: 500 })),
    rawMany: () => load.calls(raw, { connections: CALLERS, calls: 12_000 }),
    readMany: () => load.calls(read, { connections: CALLERS, calls: 6_000 }),
    sync: () => load.syncs(150),
    createAlone: () => creates(alone),
    syncPaced: () => load.syncs(100, PAUSE_US),
    createPaced: () => creates({ connections: 1, calls: 100, pauseUs: PAUSE_US }),
    eachCommit: () => load.calls(eachCommit, many),
    createMany: () => creates(many),
  });
  client.close();
  await end(frames.child);
  await end(committing.child);

  const column = (name: keyof typeof taken, figure: keyof Timing): number[] =>
    taken[name].map((round) => round?.[figure] ?? Number.NaN);
  const frame = 'newline frames';
  const sync = '4 KiB + fsync';
  return [
    judge({
      row: 1,
      name: 'read, one caller, p50',
      unit: 'us',
      floorName: frame,
      floor: column('rawAlone', 'p50'),
      product: column('readAlone', 'p50'),
      goal: { ratioAtMost: 1.8 },
    }),
    judge({
      row: 1,
      name: 'read, one caller, p95',
      unit: 'us',
      floorName: frame,
      floor: column('rawAlone', 'p95'),
      product: column('readAlone', 'p95'),
      goal: { ratioAtMost: 2.5 },
    }),
    noBus === null
      ? judge({
          row: 1,
          name: 'read, one caller, p50',
          unit: 'us',
          floorName: 'D-Bus call to dunst',
          floor: column('bus', 'p50'),
          product: column('readAlone', 'p50'),
          goal: { ratioAtMost: 0.25 },
        })
      : notMeasured(1, 'read / D-Bus call to dunst', noBus),
    judge({
      row: 2,
      name: `reads, ${CALLERS} callers`,
      unit: '/s',
      floorName: frame,
      floor: column('rawMany', 'perSecond'),
      product: column('readMany', 'perSecond'),
      goal: { ratioAtLeast: 0.3 },
    }),
    judge({
      row: 3,
      name: 'durable create, back to back, p50',
      unit: 'us',
      floorName: sync,
      floor: column('sync', 'p50'),
      product: column('createAlone', 'p50'),
      goal: { ratioAtMost: 2.7 },
    }),
    judge({
      row: 4,
      name: 'durable create, one per 5 ms, p50',
      unit: 'us',
      floorName: `${sync}, paced`,
      floor: column('syncPaced', 'p50'),
      product: column('createPaced', 'p50'),
      goal: { ratioAtMost: 3 },
    }),
    judge({
      row: 4,
      name: 'durable create, one per 5 ms, p95',
      unit: 'us',
      floorName: `${sync}, paced`,
      floor: column('syncPaced', 'p95'),
      product: column('createPaced', 'p95'),
      goal: { ratioAtMost: 2.5 },
    }),
    judge({
      row: 5,
      name: `durable creates, ${CALLERS} callers`,
      unit: '/s',
      floorName: 'bare frames, commit each',
      floor: column('eachCommit', 'perSecond'),
      product: column('createMany', 'perSecond'),
      goal: { note: '(for comparison)' },
    }),
    judge({
      row: 5,
      name: `durable creates, ${CALLERS} callers`,
      unit: '/s',
      floorName: 'product, one caller: a commit each',
      floor: column('createAlone', 'perSecond'),
      product: column('createMany', 'perSecond'),
      goal: { ratioAtLeast: 4 },
    }),
    judge({
      row: 5,
      name: `durable creates, ${CALLERS} callers`,
      unit: '/s',
      floorName: 'product, reads',
      floor: column('readMany', 'perSecond'),
      product: column('createMany', 'perSecond'),
      goal: { ratioAtLeast: 0.35 },
    }),
  ];
}

export const requests: Section = { rows: ROWS, measure };
