/** Permission cards that are open, and the calls that wait behind them: one for each request, none for the same one told twice. */
import type { ClientId, RequestId } from '../../protocol/ids.ts';
import type { HookEvent } from './read-event.ts';
import type { Session } from './sessions.ts';

export interface OpenCard {
  readonly session: Session;
  readonly clientId: ClientId;
  readonly thread: string | null;
  readonly digest: string;
  /** null: nobody told which use it is of. */
  readonly toolUseId: string | null;
  /** null until it has been made. */
  requestId: RequestId | null;
  /** It is no longer to be answered here, whatever its request's state. */
  isSettled: boolean;
}

export interface Cards {
  /**
   * Puts a card up for a permission request. null: this very request is open already. A use that was announced counts once,
   * so that the same command in two uses has two cards, and a hook that is installed twice has one.
   */
  open(session: Session, event: HookEvent, digest: string): OpenCard | null;
  close(card: OpenCard): void;
  /** Cards whose request an event has settled. */
  settledBy(session: Session, event: HookEvent, settles: 'tool' | 'thread' | 'session'): readonly OpenCard[];
  /** Reports whether this request is asked by a card of ours. */
  has(requestId: string): boolean;
}

export function createCards(): Cards {
  const cards = new Set<OpenCard>();

  const isOf = (card: OpenCard, { thread, toolUseId, tool }: HookEvent, settles: 'tool' | 'thread' | 'session') => {
    if (settles === 'session') return true;
    if (settles === 'thread') return card.thread === thread;
    if (card.toolUseId !== null && toolUseId !== null) return card.toolUseId === toolUseId;
    return card.thread === thread && card.digest === tool?.digest;
  };

  return {
    open: (session, { thread }, digest) => {
      const [toolUseId = null] =
        [...session.uses].find(([id, does]) => does === digest && !session.asked.has(id)) ?? [];
      const isTwice = [...cards].some(
        (card) => card.session === session && card.thread === thread && card.digest === digest,
      );
      if (toolUseId === null && isTwice) return null;
      if (toolUseId !== null) session.asked.add(toolUseId);
      const { clientId } = session;
      const card = { session, clientId, thread, digest, toolUseId, requestId: null, isSettled: false };
      cards.add(card);
      session.cards += 1;
      return card;
    },
    close: (card) => {
      if (cards.delete(card)) card.session.cards -= 1;
    },
    settledBy: (session, event, settles) =>
      [...cards].filter((card) => card.session === session && isOf(card, event, settles)),
    has: (requestId) => [...cards].some((card) => card.requestId === requestId),
  };
}
