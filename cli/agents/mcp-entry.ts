/** Our entry in a client's configuration: how it is known again, put in, taken out, and how it stands. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Fields, isObject } from '../../server/protocol/json-object.ts';
import type { Ours } from '../settings/change.ts';
import type { Edited, Path, Read } from '../settings/edit/edit.ts';
import type { SettingsCode } from '../settings/load.ts';
import type { McpClient } from './mcp-clients.ts';

/** What is at `path` in data; undefined: nothing. */
export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inside, name) => (isObject(inside) && Object.hasOwn(inside, name) ? inside[name] : undefined),
    value,
  );

/** The words of the command an entry starts, whichever way it says them. */
export function wordsOf(entry: unknown): readonly string[] {
  if (!isObject(entry)) return [];
  const { command, args } = entry;
  return [command, args].flat().filter((word): word is string => typeof word === 'string');
}

/** Reports whether an entry starts this program's MCP server, of this installation or of another. */
export function isOurs(entry: unknown): boolean {
  const words = wordsOf(entry);
  const at = words.indexOf('mcp');
  return at > 0 && words.slice(0, at).some((word) => ['cli.cjs', 'companion'].includes(basename(word)));
}

/** Readers of TOML make objects of another kind. */
const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

/** The same program with the same verb, whatever options come after. */
const sameProgram = (left: readonly string[], right: readonly string[]): boolean => {
  const end = right.indexOf('mcp') + 1;
  return isDeepStrictEqual(left.slice(0, end), right.slice(0, end));
};

export type EntryState =
  | 'installed'
  | 'not-installed'
  | 'command-gone'
  | 'other-installation'
  | 'not-ours'
  | 'unreadable';

/** How the entry stands in a file that read as `read`; `wanted` is what would be put in. */
export function stateOf(read: Read, path: Path, wanted: Fields): EntryState {
  if ('fault' in read) return 'unreadable';
  const entry = valueAt(read.value, path);
  if (entry === undefined) return 'not-installed';
  if (!isOurs(entry)) return 'not-ours';
  const words = wordsOf(entry);
  if (sameProgram(words, wordsOf(wanted))) return 'installed';
  const files = words.slice(0, words.indexOf('mcp')).filter((word) => word.startsWith('/'));
  return files.every((file) => existsSync(file)) ? 'other-installation' : 'command-gone';
}

const FOREIGN = 'there is a server of this name that companion did not put there; rename or remove it first';

function without(code: SettingsCode, format: McpClient['format'], text: string, path: Path): Edited {
  return format === 'json' ? code.removeJson(text, path) : code.removeTable(text, path);
}

const read = (code: SettingsCode, format: McpClient['format'], text: string): Read =>
  format === 'json' ? code.readJson(text) : code.readToml(text);

/** How `wanted` is put in and taken out. What the user has added to our entry stays when it is put in again. */
export function oursIn({ format, at }: McpClient, wanted: Fields, code: SettingsCode): Ours {
  return {
    put: (text) => {
      const data = read(code, format, text);
      if ('fault' in data) return data;
      const entry = valueAt(data.value, at);
      if (entry !== undefined && !isOurs(entry)) return { fault: FOREIGN };
      const merged = { ...(entry as Fields | undefined), ...wanted };
      if (isDeepStrictEqual(plain(entry), plain(merged))) return { text };
      if (format === 'json') return code.putJson(text, at, merged);
      const left = without(code, format, text, at);
      return 'fault' in left ? left : code.appendTable(left.text, at, merged);
    },
    remove: (text, before) => {
      const data = read(code, format, text);
      if ('fault' in data) return data;
      const entry = valueAt(data.value, at);
      if (entry === undefined) return { text };
      if (!isOurs(entry)) return { fault: FOREIGN };
      const left = without(code, format, text, at);
      if ('fault' in left || before === null) return left;
      if (format === 'toml') return { text: withoutOurLineEnd(left.text, before) };
      return withoutEmpty(left.text, at.slice(0, -1), before, code);
    },
  };
}

/** `text` without its last line end when that was ours: the same line was the last one `before`, and had none. */
function withoutOurLineEnd(text: string, before: string): string {
  const [, end = ''] = /(\r?\n)$/.exec(text) ?? [];
  const bare = text.slice(0, text.length - end.length);
  const lastLine = bare.slice(bare.lastIndexOf('\n') + 1);
  return lastLine !== '' && lastLine === before.slice(before.lastIndexOf('\n') + 1) ? bare : text;
}

/** `text` without the object at `path` when that is empty and was not there `before`. */
export function withoutEmpty(text: string, path: Path, before: string, code: SettingsCode): Edited {
  const [now, then] = [code.readJson(text), code.readJson(before)];
  if ('fault' in now || 'fault' in then || valueAt(then.value, path) !== undefined) return { text };
  const left = valueAt(now.value, path);
  return isObject(left) && Object.keys(left).length === 0 ? code.removeJson(text, path) : { text };
}
