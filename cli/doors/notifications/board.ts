/** The notifications that are open, by their numbers: what each shows, who takes whose place, and why each closed. Knows no bus. */
import type { Snapshot } from '../../../server/protocol/snapshot.ts';
import type { Client } from '../../client/client.ts';
import { type Action, type Note, pickedAction, toRequest } from './note.ts';

/** Why one closed. Desktop Notifications 1.2, NotificationClosed. */
export const CLOSED = { expired: 1, dismissed: 2, closedByCall: 3, undefined: 4 } as const;
export type Closed = (typeof CLOSED)[keyof typeof CLOSED];

/** How long a question stands that says nothing itself: programs put an action on everything, and one question hides the next. */
const DEFAULT_QUESTION_MS = 60_000;
const LAST_ID = 2 ** 32 - 1;

/** Hears what becomes of a notification whose number somebody knows. */
export interface BoardListener {
  acted(id: number, action: Action): void;
  closed(id: number, reason: Closed): void;
}

export interface Board {
  /** Shows it and returns its number, `replacesId` where that is not 0. Errors: as `Client.create`; then nothing has changed. */
  show(note: Note, replacesId: number): Promise<number>;
  /** Takes it away. A number nobody knows is no error. */
  close(id: number): Promise<void>;
  /** Takes all away and hears no more of any. */
  end(): Promise<void>;
  /** How many are open. */
  readonly size: number;
}

interface Open {
  readonly requestId: string;
  readonly note: Note;
}

const BY_REASON: Readonly<Partial<Record<NonNullable<Snapshot['reason']>, Closed>>> = {
  displayed: CLOSED.expired,
  deadline: CLOSED.expired,
  user_answered: CLOSED.dismissed,
  user_dismissed: CLOSED.dismissed,
  user_declined: CLOSED.dismissed,
  client_cancelled: CLOSED.closedByCall,
};

/** An empty board that shows through `client`. */
export function openBoard(client: Pick<Client, 'create' | 'cancel' | 'waitUntilEnd'>, listener: BoardListener): Board {
  const board = new Map<number, Open>();
  const ending = new AbortController();
  let lastId = 0;

  const nextId = (): number => {
    do lastId = lastId < LAST_ID ? lastId + 1 : 1;
    while (board.has(lastId));
    return lastId;
  };
  // It has ended, or the host will see to it.
  const withdraw = ({ requestId }: Open, reason?: 'superseded'): Promise<unknown> =>
    client.cancel(requestId, reason).catch(() => {});

  /** Waits for its end and tells it, unless another has taken its place. */
  const follow = async (id: number, open: Open): Promise<void> => {
    // A host that is away for long has lost it.
    const end = await client.waitUntilEnd(open.requestId, { signal: ending.signal }).catch(() => null);
    if (board.get(id) !== open || ending.signal.aborted) return;
    board.delete(id);
    const action = end === null ? null : pickedAction(open.note, end);
    if (action !== null) listener.acted(id, action);
    listener.closed(id, (end?.reason && BY_REASON[end.reason]) ?? CLOSED.undefined);
  };

  return {
    show: async (note, replacesId) => {
      const { requestId } = await client.create(toRequest(note, DEFAULT_QUESTION_MS));
      const id = replacesId === 0 ? nextId() : replacesId;
      const open = { requestId, note };
      const before = board.get(id);
      board.set(id, open);
      if (before !== undefined) void withdraw(before, 'superseded');
      void follow(id, open);
      return id;
    },
    close: async (id) => {
      const open = board.get(id);
      if (open !== undefined) await withdraw(open);
    },
    end: async () => {
      const open = [...board.entries()];
      ending.abort(new Error('the board is closed'));
      board.clear();
      await Promise.all(open.map(([, each]) => withdraw(each)));
      for (const [id] of open) listener.closed(id, CLOSED.undefined);
    },
    get size() {
      return board.size;
    },
  };
}
