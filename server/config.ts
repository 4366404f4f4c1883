/** The user's `config.json`: read once at start, strictly; a mistake in it stops the start with its place (design §1). */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS, type Limits } from './protocol/limits.ts';
import type { Fault } from './registry/define.ts';
import type { Static } from './registry/schema.ts';
import { faultsOf } from './registry/validate.ts';
import { parseKeys } from './window/desk/keys.ts';

const MAX_BYTES = 65_536;

/** Limits that are no one's to change here: those of contracts and schemas are the same on every machine, and `armMs` is a setting of its own. */
const CONTRACT_LIMITS: readonly (keyof Limits)[] = [
  'armMs',
  'maxWaitMs',
  'minTimeoutMs',
  'maxTimeoutMs',
  'maxInteractionsPerClient',
  'maxAnimationsPerClient',
  'maxAnimationMs',
  'defaultNoticeMs',
  'minNoticeMs',
  'maxNoticeMs',
];
const settable = (Object.keys(LIMITS) as (keyof Limits)[]).filter((name) => !CONTRACT_LIMITS.includes(name));

/** A time may be none at all; none of what is counted would mean that nothing is done. */
const ruleOf = (limit: string) =>
  limit.endsWith('Ms') ? { type: 'number', minimum: 0 } : { type: 'integer', minimum: 1 };

const HOTKEY = { anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }] } as const;
const DEFAULT_HOTKEYS: Hotkeys = { focus: 'Ctrl+Alt+Space', show: 'Ctrl+Alt+H' };

const CONFIG = {
  type: 'object',
  properties: {
    /** Any published limit that no contract states, by name. */
    limits: {
      type: 'object',
      properties: Object.fromEntries(settable.map((name) => [name, ruleOf(name)])),
      additionalProperties: false,
    },
    /** Presses and keys this soon after a card is painted mean nothing (R4). */
    armMs: { type: 'number', minimum: 0 },
    /** Path of the browser. */
    chromium: { type: 'string', minLength: 1 },
    headless: { type: 'boolean' },
    /** Device pixels a CSS pixel, where the desktop does not say it rightly. */
    scale: { type: 'number', minimum: 0.5, maximum: 4 },
    /** Keys that reach the figure from everywhere, as `Ctrl+Alt+Space`; null: none. */
    hotkeys: {
      type: 'object',
      properties: { focus: HOTKEY, show: HOTKEY },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
} as const;

/** Settings that hold settings. */
const GROUPS = ['limits', 'hotkeys'] as const;

/** By what they do; null: switched off. */
export interface Hotkeys {
  readonly focus: string | null;
  readonly show: string | null;
}

export interface Config {
  readonly limits: Limits;
  readonly chromium: string | null;
  readonly headless: boolean | null;
  readonly scale: number | null;
  readonly hotkeys: Hotkeys;
}

/** What may stand in the file, all of it optional. */
export type ConfigFile = Static<typeof CONFIG>;

/** Thrown when the file is there and cannot be used. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Names the place; of a key that nobody knows, the key itself, as the file is the user's own. */
function describeFault({ path, rule }: Fault, value: unknown): string {
  if (rule !== 'additionalProperties') return `${path || 'the whole file'} breaks the rule "${rule}"`;
  const group = GROUPS.find((name) => path === `/${name}`);
  const known = Object.keys((group === undefined ? CONFIG : CONFIG.properties[group]).properties);
  const found = Object.keys((group === undefined ? value : (value as Record<string, unknown>)[group]) as object);
  return `unknown setting ${found.filter((key) => !known.includes(key)).join(', ')}; known are ${known.join(', ')}`;
}

/** What is wrong with these hotkeys, for the user; null: nothing. */
function hotkeyFault(hotkeys: Hotkeys): string | null {
  const used = new Set<string>();
  for (const [action, text] of Object.entries(hotkeys)) {
    if (text === null) continue;
    const keys = parseKeys(text);
    if ('fault' in keys) return `/hotkeys/${action} is no hotkey: ${keys.fault}`;
    const sameKeys = JSON.stringify(keys);
    // One press would do both.
    if (used.has(sameKeys)) return '/hotkeys: focus and show are the same keys';
    used.add(sameKeys);
  }
  return null;
}

function parseConfig(text: string, path: string): ConfigFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ConfigError(`${path} is not JSON`);
  }
  const [fault] = faultsOf(CONFIG, value);
  if (fault !== undefined) throw new ConfigError(`${path}: ${describeFault(fault, value)}`);
  const file = value as ConfigFile;
  const wrongKeys = hotkeyFault({ ...DEFAULT_HOTKEYS, ...file.hotkeys });
  if (wrongKeys !== null) throw new ConfigError(`${path}: ${wrongKeys}`);
  return file;
}

/** The text of the file; null when there is none. A pipe or a device in its place is never waited for. Throws ConfigError, which names the file. */
function readText(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new ConfigError(`${path} cannot be read (${code})`);
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw new ConfigError(`${path} is no file`);
    if (stat.size > MAX_BYTES) throw new ConfigError(`${path} has ${stat.size} bytes, at most ${MAX_BYTES} are read`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** The settings in `folder/config.json`, with `override` over them; no file is an empty one. Throws ConfigError. */
export function readConfig(folder: string, override: ConfigFile = {}): Config {
  const path = join(folder, 'config.json');
  const text = readText(path);
  const file: ConfigFile = text === null ? {} : parseConfig(text, path);
  return {
    limits: {
      ...LIMITS,
      ...(file.limits as Partial<Limits>),
      ...(override.limits as Partial<Limits>),
      armMs: override.armMs ?? file.armMs ?? LIMITS.armMs,
    },
    chromium: override.chromium ?? file.chromium ?? null,
    headless: override.headless ?? file.headless ?? null,
    scale: override.scale ?? file.scale ?? null,
    hotkeys: { ...DEFAULT_HOTKEYS, ...file.hotkeys, ...override.hotkeys },
  };
}
