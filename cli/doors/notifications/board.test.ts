import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../../server/protocol/snapshot.ts';
import { snapshot } from '../../client/fake-host.ts';
import { CompanionError } from '../../companion-error.ts';
import { type Board, openBoard } from './board.ts';
import type { Note } from './note.ts';

const note = (summary: string, fields: Partial<Note> = {}): Note => ({
  app: null,
  summary,
  body: '',
  urgency: 'normal',
  expireMs: null,
  actions: [],
  ...fields,
});
const ACTIONS = { actions: [{ name: 'default', label: 'Open' }] };

/** A client whose requests end when the test says so. */
function setUp() {
  const heard: unknown[] = [];
  const cancelled: unknown[] = [];
  const ends = new Map<string, (end: Partial<Snapshot> | null) => void>();
  let created = 0;
  let refusal: CompanionError | null = null;
  const client = {
    create: async () => {
      if (refusal !== null) throw refusal;
      created += 1;
      return snapshot({ requestId: `r${created}` });
    },
    cancel: async (requestId: string, reason?: string) => {
      cancelled.push([requestId, reason]);
      ends.get(requestId)?.({ status: 'cancelled', reason: reason === undefined ? 'client_cancelled' : 'superseded' });
      return snapshot({ requestId });
    },
    waitUntilEnd: (requestId: string, { signal }: { signal?: AbortSignal } = {}) =>
      new Promise<Snapshot>((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
        ends.set(requestId, (end) => {
          if (end === null) reject(new CompanionError('UNREACHABLE'));
          else resolve(snapshot({ requestId, ...end }));
        });
      }),
  };
  const board: Board = openBoard(client, {
    acted: (id, { name }) => heard.push(['acted', id, name]),
    closed: (id, reason) => heard.push(['closed', id, reason]),
  });
  /** Lets everything that waits for nothing outside happen. */
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    board,
    heard,
    cancelled,
    refuse: (error: CompanionError) => {
      refusal = error;
    },
    end: async (requestId: string, end: Partial<Snapshot> | null) => {
      ends.get(requestId)!(end);
      await settle();
    },
    settle,
  };
}

describe('a board of notifications', () => {
  it.each<[Partial<Snapshot> | null, number]>([
    [{ status: 'completed', reason: 'displayed' }, 1],
    [{ status: 'expired', reason: 'deadline' }, 1],
    [{ status: 'completed', reason: 'user_dismissed' }, 2],
    [{ status: 'cancelled', reason: 'user_declined' }, 2],
    [{ status: 'cancelled', reason: 'suppressed' }, 4],
    [{ status: 'cancelled', reason: 'hidden' }, 4],
    [{ status: 'cancelled', reason: 'queue_evicted' }, 4],
    [{ status: 'failed', reason: 'runtime_restarted' }, 4],
    [null, 4],
  ])('tells of an end %j with reason %i', async (end, reason) => {
    const { board, heard, ...test } = setUp();
    expect(await board.show(note('a'), 0)).toBe(1);
    await test.end('r1', end);
    expect([heard, board.size]).toEqual([[['closed', 1, reason]], 0]);
  });

  it('tells of the action first, then that it is closed', async () => {
    const { board, heard, end } = setUp();
    await board.show(note('a', ACTIONS), 0);
    await end('r1', { status: 'completed', reason: 'user_answered', result: { selectedId: 'action-0' } });
    await board.show(note('a', ACTIONS), 0);
    await end('r2', { status: 'completed', reason: 'user_answered', result: { selectedId: 'dismiss' } });
    expect(heard).toEqual([
      ['acted', 1, 'default'],
      ['closed', 1, 2],
      ['closed', 2, 2],
    ]);
  });

  it('puts one in the place of another, and closes the number once', async () => {
    const { board, heard, cancelled, end, settle } = setUp();
    const id = await board.show(note('a'), 0);
    expect(await board.show(note('b'), id)).toBe(id);
    await settle();
    expect([cancelled, heard, board.size]).toEqual([[['r1', 'superseded']], [], 1]);
    await end('r2', { status: 'completed', reason: 'displayed' });
    expect(heard).toEqual([['closed', id, 1]]);
  });

  it('takes a number that it does not know as it is, and gives it to nobody else', async () => {
    const { board } = setUp();
    expect(await board.show(note('a'), 2)).toBe(2);
    expect([await board.show(note('b'), 0), await board.show(note('c'), 0)]).toEqual([1, 3]);
  });

  it('closes by call with reason 3, and does not mind a number that nobody knows', async () => {
    const { board, heard, settle } = setUp();
    const id = await board.show(note('a'), 0);
    await board.close(id);
    await board.close(77);
    await settle();
    expect(heard).toEqual([['closed', id, 3]]);
  });

  it('changes nothing when the companion refuses', async () => {
    const { board, heard, cancelled, refuse } = setUp();
    const id = await board.show(note('a'), 0);
    refuse(new CompanionError('RATE_LIMITED'));
    await expect(board.show(note('b'), id)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect([board.size, cancelled, heard]).toEqual([1, [], []]);
  });

  it('at its end withdraws all that is open, and says so', async () => {
    const { board, heard, cancelled, settle } = setUp();
    await board.show(note('a'), 0);
    await board.show(note('b'), 0);
    await board.end();
    await settle();
    expect(cancelled).toEqual([
      ['r1', undefined],
      ['r2', undefined],
    ]);
    expect([heard, board.size]).toEqual([
      [
        ['closed', 1, 4],
        ['closed', 2, 4],
      ],
      0,
    ]);
  });
});
