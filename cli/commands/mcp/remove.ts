/** `companion mcp remove CLIENT`. */
import { MCP_CLIENT_NAMES } from '../../agents/mcp-clients.ts';
import { oursIn } from '../../agents/mcp-entry.ts';
import { readName, readScope, SCOPE_OPTION } from '../../agents/options.ts';
import { defineCommand } from '../../command.ts';
import { removeOurs } from '../../settings/change.ts';
import { loadSettings } from '../../settings/load.ts';
import { fileOf, mcpPlace, recordsOf } from './place.ts';

export const mcpRemove = defineCommand({
  takes: ['CLIENT'],
  summary: "Take the companion's server out of a client's configuration again, and nothing else.",
  about: null,
  output: 'plain',
  options: SCOPE_OPTION,
  examples: ['companion mcp remove claude-code'],
  run: async ({ io, words, values }) => {
    const name = readName(words[0], MCP_CLIENT_NAMES, 'CLIENT');
    const place = mcpPlace(io, name, readScope(values.scope));
    const file = fileOf(place);
    const { changed } = removeOurs(file, oursIn(place.client, place.entry, loadSettings()), recordsOf(io));
    const plain = changed ? `Taken out of ${file}.` : `It was not in ${file}.`;
    return { json: { client: name, file, changed }, plain, error: null };
  },
});
