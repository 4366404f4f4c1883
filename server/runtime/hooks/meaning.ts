/** What each event of an agent means: for its session's state, and for permission cards that may still be open. A table, and what it cannot say. */
import type { SessionState } from '../../protocol/hooks.ts';
import { isUnasked } from './permission.ts';
import type { EventName, HookEvent } from './read-event.ts';

export interface Meaning {
  /** `same`: a sign of life; `gone`: the session has ended. */
  readonly state: SessionState | 'same' | 'gone';
  /** Whose cards have been answered in the terminal, or need no answer any more. */
  readonly settles: 'nothing' | 'tool' | 'thread' | 'session';
}

const MEANINGS: Readonly<Record<EventName, Meaning>> = {
  SessionStart: { state: 'idle', settles: 'session' },
  UserPromptSubmit: { state: 'working', settles: 'thread' },
  // Other uses of the same turn may still be waiting for an answer.
  PreToolUse: { state: 'working', settles: 'nothing' },
  PermissionRequest: { state: 'needs-you', settles: 'nothing' },
  PermissionDenied: { state: 'working', settles: 'tool' },
  PostToolUse: { state: 'working', settles: 'tool' },
  PostToolUseFailure: { state: 'working', settles: 'tool' },
  PostToolBatch: { state: 'working', settles: 'thread' },
  Notification: { state: 'same', settles: 'nothing' },
  SubagentStart: { state: 'same', settles: 'nothing' },
  SubagentStop: { state: 'same', settles: 'thread' },
  PreCompact: { state: 'same', settles: 'nothing' },
  PostCompact: { state: 'same', settles: 'nothing' },
  Stop: { state: 'done', settles: 'thread' },
  StopFailure: { state: 'failed', settles: 'thread' },
  Interrupt: { state: 'idle', settles: 'session' },
  SessionEnd: { state: 'gone', settles: 'session' },
};

/** The one notification by which an agent says that it waits for its user; others are news, or an end of turn told again. */
const WAITS = 'permission_prompt';

/** What `event` means. */
export function meaningOf(event: HookEvent): Meaning {
  const { name, kind, hasBackground } = event;
  const meaning = MEANINGS[name];
  if (name === 'PermissionRequest' && isUnasked(event)) return { ...meaning, state: 'working' };
  if (name === 'Notification' && kind === WAITS) return { ...meaning, state: 'needs-you' };
  // The turn is over, the work is not: it will go on by itself.
  if (name === 'Stop' && hasBackground) return { ...meaning, state: 'working' };
  // In the middle of its work it makes room in its memory.
  if (name === 'SessionStart' && kind === 'compact') return { state: 'same', settles: 'nothing' };
  return meaning;
}
