/** What in an agent's other settings keeps its hooks from running. */
import { join } from 'node:path';
import { homesOf } from '../../agents/homes.ts';
import { valueAt } from '../../agents/mcp-entry.ts';
import { CompanionError } from '../../companion-error.ts';
import type { Io } from '../../io.ts';
import type { Read } from '../../settings/edit/edit.ts';
import { readSettings } from '../../settings/file.ts';
import { loadSettings } from '../../settings/load.ts';
import type { HooksPlace } from './place.ts';

/** The data of a file; nothing when it is not there or cannot be read, which is not for this to tell. */
function dataOf(path: string, read: (text: string) => Read): unknown {
  try {
    const { text } = readSettings(path);
    const data = read(text ?? '');
    return 'fault' in data ? undefined : data.value;
  } catch (error) {
    if (error instanceof CompanionError) return undefined;
    throw error;
  }
}

/** Sentences about what the user has to change; none: nothing is in the way. */
export function obstaclesOf(io: Io, { name, file }: HooksPlace): readonly string[] {
  const { readJson, readToml } = loadSettings();
  if (name === 'claude-code') {
    const isOff = valueAt(dataOf(file, readJson), ['disableAllHooks']) === true;
    return isOff ? [`All hooks are switched off there: disableAllHooks in ${file}`] : [];
  }
  const config = join(homesOf(io, process.cwd()).codex, 'config.toml');
  const data = dataOf(config, readToml);
  const isOff = ['hooks', 'codex_hooks'].some((flag) => valueAt(data, ['features', flag]) === false);
  const isSplit = valueAt(data, ['hooks']) !== undefined;
  return [
    ...(isOff ? [`Hooks are switched off there: [features] in ${config}`] : []),
    ...(isSplit ? [`There are hooks in ${config} too; Codex runs both and says so at each start.`] : []),
  ];
}
