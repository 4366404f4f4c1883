/** The user's `config.json`: read once at start, strictly; a mistake in it stops the start with its place (design §1). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS, type Limits } from './protocol/limits.ts';
import type { Static } from './registry/schema.ts';
import { faultsOf } from './registry/validate.ts';

const CONFIG = {
  type: 'object',
  properties: {
    /** Any of the published limits, by name. */
    limits: {
      type: 'object',
      properties: Object.fromEntries(Object.keys(LIMITS).map((name) => [name, { type: 'number', minimum: 0 }])),
      additionalProperties: false,
    },
    /** Path of the browser. */
    chromium: { type: 'string', minLength: 1 },
    headless: { type: 'boolean' },
  },
  additionalProperties: false,
} as const;

export interface Config {
  readonly limits: Limits;
  readonly chromium: string | null;
  readonly headless: boolean | null;
}

/** What may stand in the file, all of it optional. */
export type ConfigFile = Static<typeof CONFIG>;

/** Thrown when the file is there and cannot be used. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

function parseConfig(text: string, path: string): ConfigFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ConfigError(`${path} is not JSON`);
  }
  const [fault] = faultsOf(CONFIG, value);
  if (fault !== undefined)
    throw new ConfigError(`${path}: ${fault.path || 'the whole file'} breaks the rule "${fault.rule}"`);
  return value as ConfigFile;
}

/** The settings in `folder/config.json`, with `override` over them; no file is an empty one. Throws ConfigError. */
export function readConfig(folder: string, override: ConfigFile = {}): Config {
  const path = join(folder, 'config.json');
  let file: ConfigFile = {};
  try {
    file = parseConfig(readFileSync(path, 'utf8'), path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return {
    limits: { ...LIMITS, ...(file.limits as Partial<Limits>), ...(override.limits as Partial<Limits>) },
    chromium: override.chromium ?? file.chromium ?? null,
    headless: override.headless ?? file.headless ?? null,
  };
}
