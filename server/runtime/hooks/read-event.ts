/** Reads what an agent handed its hook. The text is anybody's: what is not understood is null or left out, and nothing throws. */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { type Fields, isObject } from '../../protocol/json-object.ts';

/** What is read of an event, whichever agent it is of; both name events and fields alike. */
export interface HookEvent {
  readonly name: EventName;
  readonly sessionId: string;
  /** The folder the agent works in; '' when it does not say. */
  readonly folder: string;
  /** The subagent it happened in; null: the session's own thread. */
  readonly thread: string | null;
  readonly tool: ToolUse | null;
  /** null where the agent gives none, as with permission requests. */
  readonly toolUseId: string | null;
  /** For notifications, what kind; for a start, why. */
  readonly kind: string | null;
  /** How the agent goes about permissions. */
  readonly mode: string | null;
  /** Something goes on in the background although the turn has ended. */
  readonly hasBackground: boolean;
}

export interface ToolUse {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The same for two uses exactly when they do the same. */
  readonly digest: string;
}

/** Every event that means something here; the agents have more, and may have new ones tomorrow. */
export const EVENT_NAMES = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PermissionDenied',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'Notification',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'Stop',
  'StopFailure',
  'Interrupt',
  'SessionEnd',
] as const;
export type EventName = (typeof EVENT_NAMES)[number];

/** Characters of a name or an ID that are still one. */
const MAX_WORD = 200;
/** Longest path on this system. */
const MAX_PATH = 4_096;

const wordOf = (value: unknown, max = MAX_WORD): string | null =>
  typeof value === 'string' && value !== '' && value.length <= max ? value : null;

/** Only what a command does tells two of them apart: an agent words the rest differently from event to event. */
const essenceOf = (input: Fields): unknown => (typeof input.command === 'string' ? input.command : input);

function toolOf({ tool_name: name, tool_input: input }: Fields): ToolUse | null {
  const known = wordOf(name);
  if (known === null || !isObject(input)) return null;
  const essence = canonicalize([known, essenceOf(input)]) ?? '';
  return { name: known, input, digest: createHash('sha256').update(essence).digest('base64') };
}

function eventOf(fields: Fields): HookEvent | null {
  const name = EVENT_NAMES.find((known) => known === fields.hook_event_name);
  const sessionId = wordOf(fields.session_id);
  if (name === undefined || sessionId === null) return null;
  const { background_tasks: background } = fields;
  return {
    name,
    sessionId,
    folder: wordOf(fields.cwd, MAX_PATH) ?? '',
    thread: wordOf(fields.agent_id),
    tool: toolOf(fields),
    toolUseId: wordOf(fields.tool_use_id),
    kind: wordOf(name === 'Notification' ? fields.notification_type : fields.source),
    mode: wordOf(fields.permission_mode),
    hasBackground: Array.isArray(background) && background.length > 0,
  };
}

/** The event in `text`; null for junk, and for events nobody here knows. */
export function readEvent(text: string): HookEvent | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? eventOf(value) : null;
  } catch {
    // Not JSON, or nested so deeply that it exhausts the stack.
    return null;
  }
}
