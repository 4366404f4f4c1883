/** Claude Code's `--output-format stream-json`: what it does, what it asks, and how its last turn ended. */
import { randomUUID } from 'node:crypto';
import type { Fields } from '../../../../server/protocol/json-object.ts';
import type { Adapter, Line, Reading, WatchEvent } from '../adapter.ts';
import { objectIn } from '../json-line.ts';
import { permissionPrompt } from './claude-permission.ts';
import { log, MAX_MESSAGE, NO_CONTROLS, problem, progress, verdict } from './events.ts';
import { percentOf, rising } from './rising.ts';
import { asList, asNumber, asObject, asText, jsonIn, objectsIn } from './values.ts';
import { duration, firstLine, together } from './words.ts';

/** Beginning of a question that is too long to be kept. */
const CUT_QUESTION = /^\{\s*"type"\s*:\s*"control_request"/;
/** What each kind of event has besides the session and its own ID. */
const CHECKS: Readonly<Record<string, (event: Fields) => boolean>> = {
  system: ({ subtype }) => typeof subtype === 'string',
  assistant: ({ message }) => Array.isArray(asObject(message)?.content),
  user: ({ message }) => asObject(message) !== null,
  stream_event: ({ event }) => asObject(event) !== null,
  tool_progress: ({ tool_name, tool_use_id }) => typeof tool_name === 'string' && typeof tool_use_id === 'string',
  result: ({ subtype, is_error }) => typeof subtype === 'string' && typeof is_error === 'boolean',
};
/** How a turn can end other than well. */
const ENDS: Readonly<Record<string, string>> = {
  error_max_turns: 'It stopped at its limit of turns',
  error_max_budget_usd: 'It stopped at its limit of cost',
  error_max_structured_output_retries: 'It did not manage to answer in the form asked for',
  error_during_execution: 'It broke off',
};

export const claudeCode: Adapter = {
  name: 'claude-code',
  summary: 'claude -p with --output-format stream-json --verbose: what it does, and its questions, answered here',
  recognizes(line) {
    const event = jsonIn(line);
    if (event === null || typeof event.type !== 'string') return false;
    if (event.type === 'control_request') return permissionPrompt(event) !== null;
    if (typeof event.session_id !== 'string' || !Object.hasOwn(CHECKS, event.type)) return false;
    // Other agents write events of these names too; theirs have no ID of their own, and tell no tools at the start.
    const isOwn =
      event.subtype === 'init'
        ? Array.isArray(event.tools) && Array.isArray(event.mcp_servers)
        : typeof event.uuid === 'string';
    return isOwn && CHECKS[event.type]!(event);
  },
  controls: NO_CONTROLS,
  silenceMs: null,
  repliesTo(line) {
    const event = objectIn(line);
    return event?.type === 'control_response' ? asText(asObject(event.response)?.request_id) : null;
  },
  expectsAnswers: readsLines,
  start: readClaudeCode,
};

const blocksOf = (event: Fields): readonly Fields[] => objectsIn(asObject(event.message)?.content);

/** What is said of a tool's use: its own words for it, or the file's name. Never the whole input. */
function toolText(input: Fields | null): string | null {
  const file = asText(input?.file_path) ?? asText(input?.notebook_path);
  return asText(input?.description) ?? file?.split('/').at(-1) ?? asText(input?.pattern);
}

/** `--input-format stream-json`: then it can be told things, and asked to stop, while it works. */
function readsLines(args: readonly string[]): boolean {
  const at = args.findIndex((arg) => arg === '--input-format' || arg.startsWith('--input-format='));
  return at !== -1 && (args[at] === '--input-format' ? args[at + 1] : args[at]!.split('=')[1]) === 'stream-json';
}

function readClaudeCode(args: readonly string[] = []): Reading {
  const todos = rising();
  let doing: { done: number; total: number } | null = null;
  /** Said when it was started, or shown by its asking on that channel. */
  let takesLines = readsLines(args);
  let last: Fields | null = null;

  const working = (phase: string | null, message?: string | null): WatchEvent =>
    progress({ percent: todos.next(null), phase, message, ...(doing !== null && { ...doing, unit: 'items' }) });

  function toolUse(block: Fields, mine: boolean): WatchEvent {
    const input = asObject(block.input);
    if (block.name === 'TodoWrite' && mine) return planned(objectsIn(input?.todos));
    return working(asText(block.name), toolText(input));
  }

  function planned(items: readonly Fields[]): WatchEvent {
    const done = items.filter(({ status }) => status === 'completed').length;
    doing = { done, total: items.length };
    const now = items.find(({ status }) => status === 'in_progress');
    const percent = todos.next(percentOf(done, items.length));
    return progress({ ...doing, percent, unit: 'items', phase: 'planning', message: asText(now?.activeForm) });
  }

  function assistant(event: Fields): readonly WatchEvent[] {
    // Inside a subagent what it says is not the answer, and its list not the list.
    const mine = typeof event.parent_tool_use_id !== 'string';
    return blocksOf(event).flatMap((block) => {
      if (block.type === 'tool_use') return [toolUse(block, mine)];
      if (block.type === 'thinking') return [working('thinking')];
      return block.type === 'text' && mine ? log('info', firstLine(asText(block.text) ?? '', MAX_MESSAGE)) : [];
    });
  }

  function system(event: Fields): readonly WatchEvent[] {
    switch (event.subtype) {
      case 'init':
        return [working('starting', asText(event.model))];
      case 'task_started':
      case 'task_progress':
        return [working(asText(event.last_tool_name) ?? 'subagent', asText(event.description))];
      case 'task_notification':
        return event.status === 'failed' ? log('warn', `a subagent failed: ${asText(event.summary) ?? ''}`) : [];
      case 'status':
        return typeof event.status === 'string' ? [working(event.status)] : [];
      case 'api_retry':
        return log('warn', `trying again, ${asNumber(event.attempt) ?? 1} of ${asNumber(event.max_retries) ?? '?'}`);
      case 'permission_denied':
        return log('warn', `${asText(event.tool_name) ?? 'a tool'} was not allowed`);
      case 'compact_boundary':
        return log('info', 'it made room in its memory');
      default:
        return [];
    }
  }

  function result(event: Fields): readonly WatchEvent[] {
    last = event;
    const well = isWell(event);
    const text = resultText(event);
    return [
      ...(well ? [] : problem(text, false)),
      { kind: 'result', outcome: well ? 'done' : 'failed', ...(text !== undefined && { message: text }) },
    ];
  }

  function control(event: Fields): readonly WatchEvent[] {
    takesLines = true;
    const prompt = permissionPrompt(event);
    if (prompt !== null) return [prompt];
    return log('warn', 'it asks something that can not be shown here');
  }

  function unread({ text, cut }: Line): readonly WatchEvent[] {
    if (!cut || !CUT_QUESTION.test(text)) return [];
    takesLines = true;
    return log('warn', 'it asks something too long to be shown here');
  }

  return {
    read(line) {
      const event = jsonIn(line);
      if (event === null) return unread(line);
      switch (event.type) {
        case 'system':
          return system(event);
        case 'assistant':
          return assistant(event);
        case 'user':
          return blocksOf(event).flatMap(({ type, is_error }) =>
            type === 'tool_result' && is_error === true ? log('warn', 'a tool failed') : [],
          );
        case 'tool_progress':
          return [working(asText(event.tool_name), toolProgressText(event)), { kind: 'heartbeat' }];
        case 'control_request':
          return control(event);
        case 'control_cancel_request':
          return typeof event.request_id === 'string' ? [{ kind: 'prompt-closed', id: event.request_id }] : [];
        case 'result':
          return typeof event.subtype === 'string' ? result(event) : [];
        default:
          return [];
      }
    },
    verdict({ code, signal }) {
      if (signal !== null || code === null || code === 130) return null;
      if (last === null) return code === 0 ? verdict('abnormal', 'it ended without a result') : null;
      const text = resultText(last);
      return isWell(last) && code === 0 ? verdict('done', text) : verdict('failed', isWell(last) ? null : text);
    },
    cancel: () =>
      takesLines
        ? JSON.stringify({ type: 'control_request', request_id: randomUUID(), request: { subtype: 'interrupt' } })
        : null,
  };
}

const isWell = ({ subtype, is_error }: Fields): boolean => subtype === 'success' && is_error !== true;

const resultText = (event: Fields): string | undefined => {
  const error = asList(event.errors).find((each) => typeof each === 'string');
  const text = asText(event.result) ?? together(ENDS[String(event.subtype)], asText(error)) ?? '';
  return firstLine(text, MAX_MESSAGE);
};

const toolProgressText = (event: Fields): string | null => {
  const seconds = asNumber(event.elapsed_time_seconds);
  return seconds === null ? null : duration(seconds);
};
