/** Claude Code asks whether it may use a tool: the question, what exactly it is about, and the line that carries the answer. */
import type { PromptEvent } from '../adapter.ts';
import { clamp, plainLine, shownWhole } from '../plain-text.ts';
import { asObject, asText, type Fields } from './values.ts';

const MAX_QUESTION = 160;
/** Code points of a card's details; what does not fit is said to be missing, and may not be agreed to with one press. */
const MAX_DETAILS = 3_900;

/** Lets the tool run; anything else that comes back does not. */
export const ALLOW = 'allow';
const DENY = 'deny';
const DENIED = 'The user said no.';

const OPTIONS = [
  { value: ALLOW, label: 'Allow' },
  { value: DENY, label: 'Deny' },
] as const;

/** The prompt of a `can_use_tool` request; null when it is none, or not as such a request is. */
export function permissionPrompt(event: Fields): PromptEvent | null {
  const id = asText(event.request_id);
  const request = asObject(event.request);
  const tool = asText(request?.tool_name);
  const input = asObject(request?.input);
  if (id === null || id === '' || request?.subtype !== 'can_use_tool' || tool === null || input === null) return null;
  const whole = shownWhole(detailsOf(tool, input, request));
  const details = clamp(whole, MAX_DETAILS);
  const askToLook = request.default_to_no === true || request.requires_user_interaction === true;
  const name = asText(request.display_name) ?? tool;
  return {
    kind: 'prompt',
    id,
    question: plainLine(asText(request.title) ?? '', MAX_QUESTION) ?? questionAbout(name),
    options: OPTIONS,
    suggested: request.default_to_no === true ? DENY : null,
    details: details === whole ? whole : `${details}\n[there is more of this than can be shown here]`,
    ...((askToLook || details !== whole) && { careful: true }),
    reply: (value) => answer(id, value === ALLOW ? { behavior: ALLOW, updatedInput: input } : DENIAL),
  };
}

const DENIAL = { behavior: DENY, message: DENIED, interrupt: false } as const;

const questionAbout = (tool: string): string => plainLine(`Claude wants to use ${tool}`, MAX_QUESTION) ?? 'Claude asks';

const answer = (requestId: string, response: object): string =>
  JSON.stringify({ type: 'control_response', response: { subtype: 'success', request_id: requestId, response } });

/** The command first and as it is, then all other input, then why it is asked. Nothing of the input is left out. */
function detailsOf(tool: string, { command, ...others }: Fields, request: Fields): string {
  const about = [
    ['path', request.blocked_path],
    ['why', request.decision_reason],
    ['about', request.description],
  ] as const;
  const lines = [
    ...(command === undefined ? [tool] : [written(command)]),
    ...Object.entries(others).map(([name, value]) => `${name}: ${indented(written(value))}`),
    ...about.flatMap(([name, value]) => {
      const line = plainLine(asText(value) ?? '', 400);
      return line === null ? [] : [`(${name}: ${line})`];
    }),
  ];
  return lines.join('\n');
}

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
/** So that no line of a value looks like the next one's name. */
const indented = (text: string): string => text.replaceAll('\n', '\n  ');
