/** `companion mcp status`. */
import { SCOPES } from '../../agents/homes.ts';
import { MCP_CLIENT_NAMES } from '../../agents/mcp-clients.ts';
import { type EntryState, stateOf, valueAt, wordsOf } from '../../agents/mcp-entry.ts';
import { needsOf, START_NEED, standingOf } from '../../agents/pairing.ts';
import { type Context, defineCommand } from '../../command.ts';
import { CompanionError } from '../../companion-error.ts';
import type { Read } from '../../settings/edit/edit.ts';
import { readSettings } from '../../settings/file.ts';
import { loadSettings } from '../../settings/load.ts';
import { type McpPlace, mcpPlace } from './place.ts';

const WORDS: Readonly<Record<EntryState, string>> = {
  installed: 'installed',
  'not-installed': 'not installed',
  'command-gone': 'its command no longer exists; install it again',
  'other-installation': 'starts another installation than this one; install it again to change that',
  'not-ours': 'has a server of this name that companion did not put there',
  unreadable: 'its configuration cannot be read',
};

function readPlace({ client, file }: McpPlace): Read {
  const { readJson, readToml } = loadSettings();
  try {
    const { text } = readSettings(file!);
    return client.format === 'json' ? readJson(text ?? '') : readToml(text ?? '');
  } catch (error) {
    if (error instanceof CompanionError) return { fault: String(error.details?.reason) };
    throw error;
  }
}

/** The profile an entry names. */
function profileIn(read: Read, place: McpPlace): string {
  const words = 'fault' in read ? [] : wordsOf(valueAt(read.value, place.client.at));
  return words[words.indexOf('--credential-profile') + 1] ?? place.profile;
}

async function look(context: Context, place: McpPlace, scope: string) {
  const read = readPlace(place);
  const state = stateOf(read, place.client.at, place.entry);
  const standing = state === 'installed' ? await standingOf(context, profileIn(read, place), 'interact') : null;
  return {
    client: place.name,
    scope,
    file: place.file,
    state,
    ...('fault' in read && { reason: read.fault }),
    profile: standing?.profile ?? null,
    pairing: standing?.pairing ?? null,
    host: standing?.host ?? null,
    needs: standing === null ? [] : needsOf(standing, place.pair),
  };
}

type Looked = Awaited<ReturnType<typeof look>>;

function tell(clients: readonly Looked[]): string {
  const lines = clients.flatMap(({ client, file, state, reason, needs }) => [
    `${client}: ${WORDS[state]}${reason ? ` (${reason})` : ''}  ${file}`,
    ...needs.filter((need) => need !== START_NEED).map((need) => `  ${need}`),
  ]);
  return [...lines, ...(clients.some(({ host }) => host === 'not-running') ? [START_NEED] : [])].join('\n');
}

export const mcpStatus = defineCommand({
  takes: [],
  summary:
    "Say in which clients' configurations the companion's server stands, for you and for this folder, and what it lacks.",
  about: null,
  output: 'plain',
  options: {},
  examples: ['companion mcp status'],
  run: async (context) => {
    const clients: Looked[] = [];
    for (const scope of SCOPES) {
      for (const name of MCP_CLIENT_NAMES) {
        const place = mcpPlace(context.io, name, scope);
        const looked = place.file === null ? null : await look(context as unknown as Context, place, scope);
        // Of a folder only what is there is of interest, and of the home folder nothing that has been told.
        const isTold = clients.some(({ file }) => file === looked?.file);
        if (looked !== null && !isTold && (scope === 'user' || looked.state !== 'not-installed')) clients.push(looked);
      }
    }
    return { json: { clients }, plain: tell(clients), error: null };
  },
});
