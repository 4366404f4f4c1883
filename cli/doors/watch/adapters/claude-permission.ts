/** Claude Code asks whether it may use a tool: the question, what exactly it is about, and the line that carries the answer. */
import type { Fields } from '../../../../server/protocol/json-object.ts';
import type { PromptEvent } from '../adapter.ts';
import { toLine } from '../text.ts';
import { answeredInWords, questionPrompt } from './claude-question.ts';
import { shownWhole } from './shown-whole.ts';
import { asObject, asText } from './values.ts';

const MAX_QUESTION = 160;
/** Code points of a card's details; what does not fit may not be agreed to with one press. */
const MAX_DETAILS = 3_900;
const MAX_REASON = 400;
const MORE = '\n[there is more of this than can be shown here]';

/** Lets the tool run; anything else that comes back does not. */
const ALLOW = 'allow';
const DENY = 'deny';
const OPTIONS = [
  { value: ALLOW, label: 'Allow' },
  { value: DENY, label: 'Deny' },
] as const;

/** The answer to a request, as the line for the program's standard input. */
const toAnswer =
  (requestId: string) =>
  (response: object): string =>
    JSON.stringify({ type: 'control_response', response: { subtype: 'success', request_id: requestId, response } });

const denied = (message: string): object => ({ behavior: DENY, message, interrupt: false });
const allowed = (updatedInput: Fields): object => ({ behavior: ALLOW, updatedInput });

/** The prompt of a `can_use_tool` request; null when it is none, or not as such a request is. */
export function permissionPrompt(event: Fields): PromptEvent | null {
  const id = asText(event.request_id);
  const request = asObject(event.request);
  const tool = asText(request?.tool_name);
  const input = asObject(request?.input);
  if (id === null || id === '' || request?.subtype !== 'can_use_tool' || tool === null || input === null) return null;
  const answer = toAnswer(id);
  const question = tool === 'AskUserQuestion' ? questionPrompt(input) : null;
  if (question !== null) {
    // What it asks is answered with the choice, or in words; words go back as the reason why it is not asked on the terminal.
    const { read, ...shown } = question;
    const reply = (value: string): string => answer(toResponse(read(value), value));
    return { kind: 'prompt', id, suggested: null, ...shown, reply };
  }
  return {
    kind: 'prompt',
    id,
    question: toLine(asText(request.title) ?? '', MAX_QUESTION) ?? questionAbout(asText(request.display_name) ?? tool),
    options: OPTIONS,
    suggested: request.default_to_no === true ? DENY : null,
    ...detailsOf(tool, input, request),
    reply: (value) => answer(value === ALLOW ? allowed(input) : denied('The user said no.')),
  };
}

const toResponse = (updatedInput: Fields | null, value: string): object =>
  updatedInput === null ? denied(answeredInWords(value)) : allowed(updatedInput);

const questionAbout = (tool: string): string => toLine(`Claude wants to use ${tool}`, MAX_QUESTION) ?? 'Claude asks';

/** What it is about, and whether that has to be looked at before it is answered. */
function detailsOf(tool: string, input: Fields, request: Fields): { details: string; careful?: true } {
  const { text, isWhole } = shownWhole(inputText(tool, input, request), MAX_DETAILS);
  const isCareful = request.default_to_no === true || request.requires_user_interaction === true || !isWhole;
  return { details: isWhole ? text : `${text}${MORE}`, ...(isCareful && { careful: true }) };
}

/** The command first and as it is, then all other input, then why it is asked. Nothing of the input is left out. */
function inputText(tool: string, { command, ...others }: Fields, request: Fields): string {
  const about = [
    ['path', request.blocked_path],
    ['why', request.decision_reason],
    ['about', request.description],
  ] as const;
  const lines = [
    command === undefined ? tool : written(command),
    ...Object.entries(others).map(([name, value]) => `${name}: ${indented(written(value))}`),
    ...about.flatMap(([name, value]) => {
      const line = toLine(asText(value) ?? '', MAX_REASON);
      return line === undefined ? [] : [`(${name}: ${line})`];
    }),
  ];
  return lines.join('\n');
}

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
/** So that no line of a value looks like the next one's name. */
const indented = (text: string): string => text.replaceAll('\n', '\n  ');
