/** `codex exec --json`: what the agent does, its list of things to do as a percentage, and how the turn ended. */
import type { Fields } from '../../../../server/protocol/json-object.ts';
import type { Adapter, Reading, WatchEvent } from '../adapter.ts';
import { log, MAX_MESSAGE, NO_CONTROLS, problem, progress, verdict } from './events.ts';
import { percentOf, rising } from './rising.ts';
import { asObject, asText, jsonIn, objectsIn } from './values.ts';
import { count, firstLine } from './words.ts';

const ITEM_EVENT = /^item\.(started|updated|completed)$/;
/** Kinds of item, and what the agent does in one. */
const DOINGS: Readonly<Record<string, string>> = {
  agent_message: 'answering',
  reasoning: 'thinking',
  command_execution: 'running a command',
  file_change: 'changing files',
  mcp_tool_call: 'using a tool',
  web_search: 'searching the web',
  todo_list: 'planning',
  error: 'working',
};

const errorText = (holder: Fields): string | null => asText(asObject(holder.error)?.message);

export const codex: Adapter = {
  name: 'codex',
  summary: 'codex exec --json: what the agent does, and its list of things to do',
  recognizes(line) {
    const event = jsonIn(line);
    if (event === null) return false;
    if (event.type === 'thread.started') return typeof event.thread_id === 'string';
    if (event.type === 'turn.completed') return typeof asObject(event.usage)?.output_tokens === 'number';
    if (event.type === 'turn.failed') return errorText(event) !== null;
    const item = asObject(event.item);
    return (
      typeof event.type === 'string' &&
      ITEM_EVENT.test(event.type) &&
      typeof item?.id === 'string' &&
      Object.hasOwn(DOINGS, String(item.type))
    );
  },
  controls: NO_CONTROLS,
  silenceMs: null,
  start: readCodex,
};

/** What is said of an item while it goes on. */
function itemText(item: Fields): string | null {
  switch (item.type) {
    case 'command_execution':
      return firstLine(asText(item.command) ?? '', MAX_MESSAGE) ?? null;
    case 'file_change':
      return changedFiles(objectsIn(item.changes));
    case 'mcp_tool_call':
      return [asText(item.server), asText(item.tool)].filter((part) => part !== null).join(': ');
    case 'web_search':
      return asText(item.query);
    default:
      return null;
  }
}

function changedFiles(changes: readonly Fields[]): string {
  const first = asText(changes[0]?.path)?.split('/').at(-1) ?? count(changes.length, 'file');
  return changes.length > 1 ? `${first} and ${changes.length - 1} more` : first;
}

function readCodex(): Reading {
  const todos = rising();
  let doing: { done: number; total: number } | null = null;
  let answer: string | null = null;
  let failure: string | null = null;
  let ended: 'completed' | 'failed' | null = null;

  const working = (phase: string, message: string | null): WatchEvent =>
    progress({ percent: todos.next(null), phase, message, ...(doing !== null && { ...doing, unit: 'items' }) });

  function item(event: Fields, over: boolean): readonly WatchEvent[] {
    const what = asObject(event.item);
    if (what === null || !Object.hasOwn(DOINGS, String(what.type))) return [];
    const phase = DOINGS[String(what.type)]!;
    if (what.type === 'error') return problem(asText(what.message), true);
    if (what.type === 'todo_list') return [planned(objectsIn(what.items), phase)];
    if (what.type === 'agent_message' && over) answer = firstLine(asText(what.text) ?? '', MAX_MESSAGE) ?? answer;
    const shown = working(phase, itemText(what));
    if (what.type === 'agent_message') return [shown, ...log('info', over ? answer : null)];
    const wentBadly = over && (what.status === 'failed' || what.status === 'declined');
    return wentBadly ? [shown, ...log('warn', `${what.status}: ${itemText(what) ?? phase}`)] : [shown];
  }

  function planned(items: readonly Fields[], phase: string): WatchEvent {
    const done = items.filter(({ completed }) => completed === true).length;
    const next = items.find(({ completed }) => completed !== true);
    doing = { done, total: items.length };
    return progress({
      ...doing,
      percent: todos.next(percentOf(done, items.length)),
      unit: 'items',
      phase,
      message: asText(next?.text),
    });
  }

  return {
    read(line) {
      const event = jsonIn(line);
      if (event === null || typeof event.type !== 'string') return [];
      if (ITEM_EVENT.test(event.type)) return item(event, event.type === 'item.completed');
      switch (event.type) {
        case 'thread.started':
          return [working('starting', null)];
        case 'turn.started':
          ended = null;
          return [working('thinking', null)];
        case 'turn.completed':
          ended = 'completed';
          return [];
        case 'turn.failed':
          ended = 'failed';
          failure = errorText(event) ?? failure;
          return problem(errorText(event), false);
        case 'error':
          // Said of a lost connection too, after which it may well go on: the turn says how it ended.
          failure = asText(event.message) ?? failure;
          return problem(asText(event.message), true);
        default:
          return [];
      }
    },
    verdict({ code, signal }) {
      if (signal !== null || code === null || code === 130) return null;
      if (ended === 'failed' || code !== 0) return verdict('failed', failure ?? `codex ended with ${code}`);
      return ended === 'completed' ? verdict('done', answer) : verdict('abnormal', failure);
    },
  };
}
