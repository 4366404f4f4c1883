/** `companion hooks remove AGENT`. */
import { hooksIn } from '../../agents/hook-entries.ts';
import { SCOPE_OPTION } from '../../agents/options.ts';
import { defineCommand } from '../../command.ts';
import { removeOurs } from '../../settings/change.ts';
import { loadSettings } from '../../settings/load.ts';
import { recordsOf } from '../mcp/place.ts';
import { hooksPlace } from './place.ts';

export const hooksRemove = defineCommand({
  takes: ['AGENT'],
  summary: "Take the companion's entries out of an agent's hooks again, and nothing else.",
  about: null,
  output: 'plain',
  options: SCOPE_OPTION,
  examples: ['companion hooks remove claude-code'],
  run: async ({ io, words, values }) => {
    const { name, agent, file, program } = hooksPlace(io, words[0], values.scope);
    const { changed } = removeOurs(file, hooksIn(name, agent, program, loadSettings()), recordsOf(io));
    const plain = changed ? `Taken out of ${file}.` : `They were not in ${file}.`;
    return { json: { agent: name, file, changed }, plain, error: null };
  },
});
