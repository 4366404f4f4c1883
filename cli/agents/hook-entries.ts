/** Our entries among an agent's hooks: known again by their command, put in, taken out, and how they stand. */
import { existsSync } from 'node:fs';
import { type Fields, isObject } from '../../server/protocol/json-object.ts';
import type { Ours } from '../settings/change.ts';
import type { Edited, Read } from '../settings/edit/edit.ts';
import type { SettingsCode } from '../settings/load.ts';
import { shellWord } from '../shell-word.ts';
import type { HookAgent } from './hook-agents.ts';
import { withoutEmpty } from './mcp-entry.ts';

export interface Handler {
  readonly type: 'command';
  readonly command: string;
  readonly timeout: number;
}

/** What stands in the list of an event. */
interface Group {
  readonly matcher?: string;
  readonly hooks: readonly Handler[];
}

/** The command line of `agent`'s hooks: the same words whatever the event, so that agents know it again. */
export const hookCommand = (program: string, agent: string): string => `${shellWord(program)} hook ${agent}`;

/** The program in a command line of ours for `agent`; null when it is not ours. */
export function programIn(command: unknown, agent: string): string | null {
  if (typeof command !== 'string' || !command.trimEnd().endsWith(` hook ${agent}`)) return null;
  const program = command.trim().slice(0, -` hook ${agent}`.length).trim();
  const plain = program.startsWith("'") ? program.slice(1, -1).replaceAll(`'\\''`, "'") : program;
  return /(^|[\\/])(companion-fast|companion|cli\.cjs)$/.test(plain) ? plain : null;
}

/** The groups to put in, by event. */
export const wantedGroups = ({ events }: HookAgent, command: string): Readonly<Record<string, Group>> =>
  Object.fromEntries(
    Object.entries(events).map(([event, { timeoutS, matcher }]) => [
      event,
      { ...(matcher !== null && { matcher }), hooks: [{ type: 'command', command, timeout: timeoutS }] },
    ]),
  );

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const fields = (value: unknown): Fields => (isObject(value) ? value : {});

export interface Found {
  readonly event: string;
  readonly group: number;
  readonly handler: number;
  readonly program: string;
  /** What else its group holds. */
  readonly alone: boolean;
  readonly matcher: unknown;
  readonly value: Fields;
}

/** Our entries for `agent` in data, in the order they stand. */
export const findOurs = (data: unknown, agent: string): readonly Found[] =>
  Object.entries(fields(fields(data).hooks)).flatMap(([event, groups]) =>
    list(groups).flatMap((each, group) => {
      const { hooks, matcher } = fields(each);
      return list(hooks).flatMap((value, handler) => {
        const program = programIn(fields(value).command, agent);
        const alone = list(hooks).length === 1;
        return program === null ? [] : [{ event, group, handler, program, alone, matcher, value: fields(value) }];
      });
    }),
  );

export type HooksState =
  | 'installed'
  | 'not-installed'
  | 'partly'
  | 'changed-by-hand'
  | 'other-installation'
  | 'command-gone'
  | 'unreadable';

/** Reports whether an entry is as it would be put in. */
function isAsWanted({ value, matcher }: Found, { matcher: wanted, hooks: [handler] }: Group): boolean {
  const names = Object.keys(value).sort().join();
  return names === 'command,timeout,type' && value.timeout === handler!.timeout && (matcher ?? '') === (wanted ?? '');
}

const isComplete = (found: readonly Found[], wanted: Readonly<Record<string, Group>>, program: string): boolean =>
  found.length === Object.keys(wanted).length &&
  found.every((entry) => {
    const group = wanted[entry.event];
    return group !== undefined && entry.program === program && isAsWanted(entry, group);
  });

/** How our entries stand in a file that read as `read`, and which events lack one. */
export function stateOfHooks(
  read: Read,
  name: string,
  agent: HookAgent,
  program: string,
): { readonly state: HooksState; readonly missing: readonly string[] } {
  if ('fault' in read) return { state: 'unreadable', missing: [] };
  const found = findOurs(read.value, name);
  const wanted = wantedGroups(agent, hookCommand(program, name));
  if (found.length === 0) return { state: 'not-installed', missing: [] };
  const missing = Object.keys(wanted).filter((event) => !found.some((entry) => entry.event === event));
  const told = (state: HooksState) => ({ state, missing });
  if (found.some((entry) => entry.program.startsWith('/') && !existsSync(entry.program))) return told('command-gone');
  if (found.some((entry) => entry.program !== program)) return told('other-installation');
  if (missing.length > 0) return told('partly');
  return told(isComplete(found, wanted, program) ? 'installed' : 'changed-by-hand');
}

/** The events that have a list in `text`; none where there is no text, or none that can be read. */
function eventsIn(text: string | null, code: SettingsCode): ReadonlySet<string> {
  const read = code.readJson(text ?? '');
  const lists = 'fault' in read ? [] : Object.entries(fields(fields(read.value).hooks));
  return new Set(lists.filter(([, groups]) => Array.isArray(groups)).map(([event]) => event));
}

/** Takes all our entries out of `text`, and the groups and events that hold nothing else and were not there `before`. */
function removeAll(text: string, name: string, before: string | null, code: SettingsCode): Edited {
  const theirs = eventsIn(before, code);
  for (let left = text; ; ) {
    const read = code.readJson(left);
    if ('fault' in read) return read;
    // From the end, so that the places of the others stay.
    const last = findOurs(read.value, name).at(-1);
    if (last === undefined) return { text: left };
    const { event, group, handler, alone } = last;
    const isOnlyGroup = list(fields(fields(read.value).hooks)[event]).length === 1;
    const isWholeEvent = isOnlyGroup && !theirs.has(event);
    const path = alone ? ['hooks', event, ...(isWholeEvent ? [] : [group])] : ['hooks', event, group, 'hooks', handler];
    const edited = code.removeJson(left, path);
    if ('fault' in edited) return edited;
    left = edited.text;
  }
}

/** How the hooks of `agent`, called `name`, are put in and taken out. */
export function hooksIn(name: string, agent: HookAgent, program: string, code: SettingsCode): Ours {
  return {
    put: (text) => {
      const read = code.readJson(text);
      if ('fault' in read) return read;
      const wanted = wantedGroups(agent, hookCommand(program, name));
      if (isComplete(findOurs(read.value, name), wanted, program)) return { text };
      let edited = removeAll(text, name, null, code);
      for (const [event, group] of Object.entries(wanted)) {
        if ('fault' in edited) return edited;
        edited = code.appendJson(edited.text, ['hooks', event], group);
      }
      return edited;
    },
    remove: (text, before) => {
      const left = removeAll(text, name, before, code);
      return 'fault' in left || before === null ? left : withoutEmpty(left.text, ['hooks'], before, code);
    },
  };
}
