/**
 * `vendor.internal.companion.hook`: agents' hooks. A permission request becomes an ordinary question of that client, with no rights
 * of its own; everything that is not the user's own press abstains. docs/agent-hooks.md, R15.
 */
import type { Agent, SessionLine } from '../../protocol/hooks.ts';
import type { RequestId } from '../../protocol/ids.ts';
import type { Origin } from '../../protocol/origin.ts';
import { isTerminal } from '../../protocol/status.ts';
import type { Language } from '../../protocol/words.ts';
import { interactionChoose } from '../../registry/capabilities/interaction.choose.ts';
import type { vendorHook } from '../../registry/methods/vendor.internal.companion.hook.ts';
import type { Handlers, KnownActor } from '../call.ts';
import { type CreateDeps, createRequest } from '../create.ts';
import { ownRecord } from '../requests.ts';
import type { Waits } from '../waits.ts';
import { type Cards, createCards, type OpenCard } from './cards.ts';
import { type Meaning, meaningOf } from './meaning.ts';
import { permissionAnswer, permissionQuestion } from './permission.ts';
import { type HookEvent, readEvent } from './read-event.ts';
import { createSessions, type Session, type Sessions } from './sessions.ts';

/** How long a permission request may stay open, in ms; the agents' own limit for a hook is the same. */
export const HOOK_WAIT_MS = 600_000;
/** The longest delay a timer can have. */
const MAX_TIMER_MS = 2_147_483_647;

export interface HookDesk {
  readonly verb: Handlers[(typeof vendorHook)['name']];
  /** What the page may show of the sessions now. */
  lines(): readonly SessionLine[];
  mood(): ReturnType<Sessions['mood']>;
  /** Reports whether the request can as well be answered in the agent's terminal. */
  isAskedElsewhere(requestId: string): boolean;
  /** The user has pressed a session's line: where it was heard from, or null when it is gone. */
  press(key: string): Origin | null;
  close(): void;
}

export interface HookDeskDeps extends CreateDeps {
  readonly waits: Waits;
  /** For the texts of cards, when the user has chosen none. */
  readonly systemLanguage: Language;
  readonly onChange: () => void;
  /** A session has ended its work, well or not. */
  readonly onEnded: (how: 'done' | 'failed') => void;
}

interface Caller {
  readonly actor: KnownActor;
  readonly agent: Agent;
  readonly signal: AbortSignal;
}

export function createHookDesk(deps: HookDeskDeps): HookDesk {
  const { engine, clock, onChange } = deps;
  const sessions = createSessions();
  const cards: Cards = createCards();
  let timer: NodeJS.Timeout | null = null;

  /** The list is drawn anew, and the one timer is armed to the next state that ends by itself. */
  const changed = (): void => {
    const nowMs = clock.now().monoMs;
    sessions.review(nowMs);
    onChange();
    if (timer !== null) clearTimeout(timer);
    const end = sessions.nextEndMs();
    timer = end === null ? null : setTimeout(changed, Math.min(MAX_TIMER_MS, Math.max(1, Math.ceil(end - nowMs))));
    timer?.unref();
  };

  const enter = (session: Session, { state }: Meaning): void => {
    const before = session.state;
    if (state === 'gone') sessions.end(session);
    if (state === 'gone' || state === 'same' || state === before) return;
    session.state = state;
    session.isSeen = false;
    if ((state === 'done' || state === 'failed') && before !== 'idle') deps.onEnded(state);
  };

  const cancel = async ({ requestId, clientId }: OpenCard): Promise<void> => {
    if (requestId !== null) await engine.submit({ type: 'cancel', clientId, requestId, reason: 'superseded' });
  };

  const settle = (session: Session, event: HookEvent, { settles }: Meaning): void => {
    if (settles === 'nothing') return;
    for (const card of cards.settledBy(session, event, settles)) {
      // The agent has gone on without us. What cannot be stored ends by its deadline; nobody is answered by it any more.
      card.isSettled = true;
      cancel(card).catch(() => undefined);
    }
  };

  /** Waits for the user. Resolves to what the hook prints; a caller that has gone gets nothing, and its card goes. */
  const awaitAnswer = async (card: OpenCard, requestId: RequestId, signal: AbortSignal): Promise<string> => {
    const { clientId } = card;
    let record = ownRecord(engine, clientId, requestId);
    while (!isTerminal(record.status) && !signal.aborted && !card.isSettled) {
      await deps.waits.wait(clientId, requestId, record.revision, HOOK_WAIT_MS, signal);
      record = ownRecord(engine, clientId, requestId);
    }
    if (!isTerminal(record.status)) await cancel(card);
    const isAnswered = record.status === 'completed' && !signal.aborted && !card.isSettled;
    return isAnswered ? permissionAnswer(record.result) : '';
  };

  const ask = async (card: OpenCard, params: object, { actor, signal }: Caller): Promise<string> => {
    const { sessionId } = card.session;
    const { requestId } = await createRequest(
      deps,
      {
        capability: interactionChoose.id,
        params: { ...params },
        timeoutMs: HOOK_WAIT_MS,
        ...(sessionId.length <= 128 && { taskId: sessionId }),
      },
      actor,
      (named) => {
        card.requestId = named;
      },
    );
    changed();
    return awaitAnswer(card, requestId as RequestId, signal);
  };

  const askPermission = async (session: Session, event: HookEvent, caller: Caller): Promise<string> => {
    const language = engine.state().settings.language ?? deps.systemLanguage;
    const params = permissionQuestion(caller.agent, event, language);
    if (params === null || event.tool === null || caller.signal.aborted) return '';
    const card = cards.open(session, event, event.tool.digest);
    if (card === null) return '';
    let answer = '';
    try {
      answer = await ask(card, params, caller);
    } catch {
      // Hidden, paused, full, gone: whatever it is, the agent asks by itself.
    }
    cards.close(card);
    // Whoever closes the card is asked in the terminal. Who has gone may be dead: that is believed for minutes, not for a day.
    const isOpenStill = answer === '' && !caller.signal.aborted;
    if (!card.isSettled) Object.assign(session, { state: isOpenStill ? 'needs-you' : 'working' });
    session.heardAtMs = clock.now().monoMs;
    changed();
    return answer;
  };

  engine.onCommit(({ revoked }) => {
    for (const clientId of revoked) sessions.forget(clientId);
    if (revoked.length > 0) changed();
  });

  return {
    verb: async ({ agent, event: text, origin = {} }, actor, signal) => {
      const event = readEvent(text);
      if (event === null) return '';
      const { clientId } = actor;
      const session = sessions.hear({ clientId, agent, origin }, event, clock.now().monoMs);
      const meaning = meaningOf(event);
      settle(session, event, meaning);
      enter(session, meaning);
      changed();
      return event.name === 'PermissionRequest' ? askPermission(session, event, { actor, agent, signal }) : '';
    },
    lines: () => {
      const { access, paused } = engine.state().settings;
      return access && !paused ? sessions.lines() : [];
    },
    mood: () => sessions.mood(),
    isAskedElsewhere: (requestId) => cards.has(requestId),
    press: (key) => {
      const session = sessions.find(key);
      if (session === undefined) return null;
      session.isSeen = true;
      changed();
      return session.origin;
    },
    close: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
