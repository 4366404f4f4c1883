/** The agents whose hooks are known here: where they stand, which events are of use, how long each may take. Data only. */
import { join } from 'node:path';
import type { Agent } from '../../server/protocol/hooks.ts';
import type { Homes, Scope } from './homes.ts';

export interface HookEvent {
  /** Whole seconds, as the agents take them; the agent goes on without us after that. */
  readonly timeoutS: number;
  /** Which of the events of this name; null: all. */
  readonly matcher: string | null;
}

export interface HookAgent {
  /** Its file for a scope. For a project one that is the user's own: the entries name a path of this machine. */
  file(homes: Homes, scope: Scope): string;
  readonly events: Readonly<Record<string, HookEvent>>;
  readonly afterwards: string;
}

/** For what only tells how a session is going. */
const SOON: HookEvent = { timeoutS: 5, matcher: null };
/** At the end of a session agents wait no longer. */
const LAST: HookEvent = { timeoutS: 3, matcher: null };
/** For a question to the user (R15). */
const PATIENT: HookEvent = { timeoutS: 600, matcher: null };

export const HOOK_AGENTS = {
  'claude-code': {
    file: ({ claude, project }, scope) =>
      scope === 'user' ? join(claude, 'settings.json') : join(project, '.claude', 'settings.local.json'),
    events: {
      SessionStart: SOON,
      UserPromptSubmit: SOON,
      PreToolUse: SOON,
      PermissionRequest: PATIENT,
      PostToolUse: SOON,
      PostToolUseFailure: SOON,
      // Its other notifications are news, or an end of turn told again.
      Notification: { timeoutS: 5, matcher: 'permission_prompt' },
      SubagentStop: SOON,
      Stop: SOON,
      StopFailure: SOON,
      SessionEnd: LAST,
    },
    afterwards: 'Sessions that are open already hear of it when they are started again; /hooks shows the entries.',
  },
  codex: {
    file: ({ codex, project }, scope) => join(scope === 'user' ? codex : join(project, '.codex'), 'hooks.json'),
    events: {
      SessionStart: SOON,
      UserPromptSubmit: SOON,
      PreToolUse: SOON,
      PermissionRequest: PATIENT,
      PostToolUse: SOON,
      SubagentStop: SOON,
      Stop: SOON,
      Interrupt: LAST,
      SessionEnd: LAST,
    },
    afterwards: 'Codex runs no hook before you have looked at it: start Codex again and trust them in /hooks.',
  },
} as const satisfies Readonly<Record<Agent, HookAgent>>;
