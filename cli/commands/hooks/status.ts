/** `companion hooks status AGENT`. */
import { type HooksState, stateOfHooks } from '../../agents/hook-entries.ts';
import { SCOPE_OPTION } from '../../agents/options.ts';
import { needsOf, standingOf } from '../../agents/pairing.ts';
import { defineCommand } from '../../command.ts';
import { CompanionError } from '../../companion-error.ts';
import type { Read } from '../../settings/edit/edit.ts';
import { readSettings } from '../../settings/file.ts';
import { loadSettings } from '../../settings/load.ts';
import { HOOK_PROFILE } from '../hook.ts';
import { obstaclesOf } from './obstacles.ts';
import { HOOK_SCOPES, hooksPlace } from './place.ts';

const WORDS: Readonly<Record<HooksState, string>> = {
  installed: 'Installed',
  'not-installed': 'Not installed',
  partly: 'Partly installed',
  'changed-by-hand': 'Installed, and changed by hand',
  'other-installation': 'They run another installation than this one',
  'command-gone': 'Installed, but their command no longer exists',
  unreadable: 'The file cannot be read',
};
const MENDED_BY_INSTALLING: readonly HooksState[] = ['partly', 'other-installation', 'command-gone', 'not-installed'];

function readFile(file: string): Read {
  try {
    return loadSettings().readJson(readSettings(file).text ?? '');
  } catch (error) {
    if (error instanceof CompanionError) return { fault: String(error.details?.reason) };
    throw error;
  }
}

export const hooksStatus = defineCommand({
  takes: ['AGENT'],
  summary: "Say how the companion's entries among an agent's hooks stand, and what they lack.",
  about: null,
  output: 'plain',
  options: SCOPE_OPTION,
  examples: ['companion hooks status claude-code', 'companion hooks status codex --json'],
  run: async (context) => {
    const { io, words, values } = context;
    const place = hooksPlace(io, words[0], values.scope);
    const { name, agent, file, program } = place;
    const read = readFile(file);
    const { state, missing } = stateOfHooks(read, name, agent, program);
    const standing = await standingOf(context, HOOK_PROFILE, HOOK_SCOPES[0]!);
    const reason = 'fault' in read ? read.fault : null;
    const needs = [
      ...(MENDED_BY_INSTALLING.includes(state) ? [`Put them in with: companion hooks install ${name}`] : []),
      ...obstaclesOf(io, place),
      ...(state === 'not-installed' ? [] : needsOf(standing, place.pair)),
    ];
    const lacking = missing.length > 0 ? ` (without ${missing.join(', ')})` : '';
    const plain = [`${WORDS[state]}${lacking}${reason ? ` (${reason})` : ''}: ${file}`, ...needs].join('\n');
    const { profile, pairing, host } = standing;
    return { json: { agent: name, file, state, missing, reason, profile, pairing, host, needs }, plain, error: null };
  },
});
