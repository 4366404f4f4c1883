/** `companion mcp install CLIENT`. */
import { MCP_CLIENT_NAMES } from '../../agents/mcp-clients.ts';
import { oursIn } from '../../agents/mcp-entry.ts';
import { PRINT_OPTION, readName, readScope, SCOPE_OPTION } from '../../agents/options.ts';
import { hasProfile } from '../../agents/pairing.ts';
import { defineCommand } from '../../command.ts';
import { putOurs } from '../../settings/change.ts';
import { loadSettings, type SettingsCode } from '../../settings/load.ts';
import { fileOf, type McpPlace, mcpPlace, recordsOf } from './place.ts';

/** The entry as it stands in the client's file. */
function snippet({ client: { format, at }, entry }: McpPlace, code: SettingsCode): string {
  if (format === 'toml') return code.tableText(at, entry).trimEnd();
  return JSON.stringify(
    at.reduceRight<unknown>((inside, name) => ({ [name]: inside }), entry),
    null,
    2,
  );
}

export const mcpInstall = defineCommand({
  takes: ['CLIENT'],
  summary: `Let a client of MCP start the companion's server: ${MCP_CLIENT_NAMES.join(', ')}. Adds one entry to its configuration, keeps a backup, and leaves every other line as it is; a file that cannot be read is not touched. Run again, it mends what is out of date.`,
  about: null,
  output: 'plain',
  options: {
    ...SCOPE_OPTION,
    ...PRINT_OPTION,
    'credential-profile': {
      kind: 'text',
      value: 'PROFILE',
      help: 'whose key it uses; by default one named after the client',
    },
  },
  examples: ['companion mcp install claude-code', 'companion mcp install codex --print'],
  run: async (context) => {
    const { io, words, values } = context;
    const name = readName(words[0], MCP_CLIENT_NAMES, 'CLIENT');
    const place = mcpPlace(io, name, readScope(values.scope), values['credential-profile']);
    const file = fileOf(place);
    const code = loadSettings();
    const needs = hasProfile(context, place.profile) ? [] : [`Pair it, and approve on the figure: ${place.pair}`];
    if (values.print) {
      const text = snippet(place, code);
      return {
        json: { client: name, file, entry: place.entry, text, needs },
        plain: `${file}\n\n${text}`,
        error: null,
      };
    }
    const { changed, backup } = putOurs(file, oursIn(place.client, place.entry, code), recordsOf(io));
    const lines = [
      changed ? `Put into ${file}.` : `It is in ${file} already.`,
      ...(backup === null ? [] : [`The file as it was: ${backup}`]),
      ...needs,
      ...(changed ? [place.client.afterwards] : []),
    ];
    return {
      json: { client: name, file, changed, backup, entry: place.entry, needs },
      plain: lines.join('\n'),
      error: null,
    };
  },
});
