/** The sessions of agents that have been heard of: in memory only, each state with a lifetime. docs/agent-hooks.md */
import { type Agent, SESSION_STATES, type SessionLine, type SessionState } from '../../protocol/hooks.ts';
import type { ClientId } from '../../protocol/ids.ts';
import type { Origin } from '../../protocol/origin.ts';
import { baseName } from './base-name.ts';
import type { HookEvent } from './read-event.ts';

/** How long a state is believed without a word, in ms; an agent that was killed says nothing. */
const LIFETIMES_MS: Readonly<Record<SessionState, number>> = {
  working: 180_000,
  'needs-you': 86_400_000,
  failed: 3_600_000,
  done: 604_800_000,
  idle: 3_600_000,
};
/** Sessions kept at most; the one that has been silent longest goes first. */
const MAX_SESSIONS = 32;
/** Tool uses of one session that are remembered as begun. */
const MAX_OPEN_USES = 64;
const MAX_PROJECT = 32;

export interface Session {
  readonly key: string;
  /** Order of arrival. */
  readonly number: number;
  readonly clientId: ClientId;
  readonly agent: Agent;
  readonly sessionId: string;
  /** Where it began: agents change folders as they go. */
  path: string;
  origin: Origin;
  state: SessionState;
  /** Monotonic ms of the last word. */
  heardAtMs: number;
  /** The user has taken note of how it stands: the figure need not go on about it. */
  isSeen: boolean;
  /** Begun and not ended: ID of the use to what it does. */
  readonly uses: Map<string, string>;
  /** IDs of those for which a card was put up. */
  readonly asked: Set<string>;
  /** Cards that are open for it. */
  cards: number;
}

export interface Sessions {
  /** The session an event is of; new when it is the first word of one. */
  hear(caller: { clientId: ClientId; agent: Agent; origin: Origin }, event: HookEvent, nowMs: number): Session;
  find(key: string): Session | undefined;
  end(session: Session): void;
  /** Forgets all of a client whose key is no more. */
  forget(clientId: ClientId): void;
  /** Lets states end whose time is up. */
  review(nowMs: number): void;
  /** Monotonic ms when the next state ends; null: none will. */
  nextEndMs(): number | null;
  /** Most urgent first, then the oldest. */
  lines(): readonly SessionLine[];
  /** The most urgent thing the figure may show of them; null: nothing. */
  mood(): 'wait' | 'fail' | 'work' | null;
}

const lifeOf = (session: Session): number => session.heardAtMs + LIFETIMES_MS[session.state];

/** Notes a use as begun or ended. */
function noteUse(session: Session, { name, toolUseId, tool }: HookEvent): void {
  if (toolUseId === null) return;
  if (name === 'PreToolUse' && tool !== null) {
    const [oldest] = session.uses.keys();
    if (session.uses.size >= MAX_OPEN_USES && oldest !== undefined) session.uses.delete(oldest);
    session.uses.set(toolUseId, tool.digest);
  } else {
    session.uses.delete(toolUseId);
    session.asked.delete(toolUseId);
  }
}

export function createSessions(): Sessions {
  const byKey = new Map<string, Session>();
  let made = 0;

  const make = (caller: { clientId: ClientId; agent: Agent; origin: Origin }, event: HookEvent): Session => {
    made += 1;
    const session: Session = {
      key: `s${made}`,
      number: made,
      ...caller,
      sessionId: event.sessionId,
      path: event.folder,
      state: 'idle',
      heardAtMs: 0,
      isSeen: false,
      uses: new Map(),
      asked: new Set(),
      cards: 0,
    };
    byKey.set(session.key, session);
    return session;
  };

  /** A session with an open card is never the one to go. */
  const makeRoom = (): void => {
    if (byKey.size <= MAX_SESSIONS) return;
    const [silent] = [...byKey.values()].filter(({ cards }) => cards === 0).sort((a, b) => a.heardAtMs - b.heardAtMs);
    if (silent !== undefined) byKey.delete(silent.key);
  };

  /** As it stands now, a card that is open included. */
  const stateOf = ({ state, cards }: Session): SessionState => (cards > 0 ? 'needs-you' : state);

  const toLine = (session: Session): SessionLine => {
    const { key, sessionId, agent, path, origin } = session;
    const raises = origin.windowId !== undefined || origin.tmuxPane !== undefined;
    const where = [origin.terminal, origin.tty, origin.tmuxPane].filter(Boolean).join(' ');
    const project = baseName(path, MAX_PROJECT);
    return { key, sessionId, agent, project, path, state: stateOf(session), where, raises };
  };

  return {
    hear: (caller, event, nowMs) => {
      const { clientId, agent, origin } = caller;
      const known = [...byKey.values()].find(
        (one) => one.clientId === clientId && one.agent === agent && one.sessionId === event.sessionId,
      );
      const session = known ?? make(caller, event);
      session.heardAtMs = nowMs;
      if (session.path === '') session.path = event.folder;
      if (Object.keys(origin).length > 0) session.origin = origin;
      noteUse(session, event);
      makeRoom();
      return session;
    },
    find: (key) => byKey.get(key),
    end: ({ key }) => {
      byKey.delete(key);
    },
    forget: (clientId) => {
      for (const session of [...byKey.values()]) if (session.clientId === clientId) byKey.delete(session.key);
    },
    review: (nowMs) => {
      for (const session of [...byKey.values()]) {
        if (session.cards > 0 || lifeOf(session) > nowMs) continue;
        if (session.state === 'working') Object.assign(session, { state: 'idle', heardAtMs: lifeOf(session) });
        if (lifeOf(session) <= nowMs) byKey.delete(session.key);
      }
    },
    nextEndMs: () => {
      const ends = [...byKey.values()].filter(({ cards }) => cards === 0).map(lifeOf);
      return ends.length === 0 ? null : Math.min(...ends);
    },
    lines: () => {
      const rank = (session: Session): number => SESSION_STATES.indexOf(stateOf(session));
      return [...byKey.values()].sort((a, b) => rank(a) - rank(b) || a.number - b.number).map(toLine);
    },
    mood: () => {
      const states = new Set([...byKey.values()].filter((one) => !one.isSeen || one.cards > 0).map(stateOf));
      if (states.has('needs-you')) return 'wait';
      if (states.has('failed')) return 'fail';
      return states.has('working') ? 'work' : null;
    },
  };
}
