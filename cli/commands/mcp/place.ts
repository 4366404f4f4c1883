/** What `companion mcp install`, `remove` and `status` share: the client, its file, and what is put into it. */
import { resolvePaths } from '../../../server/protocol/paths.ts';
import { CLIENT_SCOPES } from '../../../server/protocol/words.ts';
import { type Homes, homesOf, type Scope } from '../../agents/homes.ts';
import { MCP_CLIENTS, type McpClient, type McpClientName, type ServerCommand } from '../../agents/mcp-clients.ts';
import { pairCommand } from '../../agents/pairing.ts';
import { usageError } from '../../companion-error.ts';
import { lastingCommand } from '../../desktop/installation.ts';
import type { Io } from '../../io.ts';
import { assertProfileName } from '../../profiles.ts';
import { Records } from '../../settings/record.ts';

/** Where these are set to other than their defaults a client that hands on nothing would find no key, or no socket. */
const ENV_NAMES = ['COMPANION_SOCKET', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME'] as const;

export interface McpPlace {
  readonly name: McpClientName;
  readonly client: McpClient;
  /** null: the client has no file for this scope. */
  readonly file: string | null;
  readonly entry: Readonly<Record<string, unknown>>;
  readonly profile: string;
  /** The command line that pairs it. */
  readonly pair: string;
}

/** How a client starts this very program's server. Error: REFUSED, for an installation that will not last. */
function serverCommand(io: Io, profile: string): ServerCommand {
  const env = Object.fromEntries(ENV_NAMES.flatMap((name) => (io.env[name] ? [[name, io.env[name]]] : [])));
  const [command, ...args] = lastingCommand(io, [...io.program(), 'mcp', '--credential-profile', profile]);
  return { command: command!, args, env };
}

export function mcpPlace(io: Io, name: McpClientName, scope: Scope, profile: string = name): McpPlace {
  assertProfileName(profile);
  const client: McpClient = MCP_CLIENTS[name];
  return {
    name,
    client,
    file: client.file(homes(io), scope),
    entry: client.entry(serverCommand(io, profile)),
    profile,
    pair: pairCommand(client.title, CLIENT_SCOPES, profile),
  };
}

const homes = (io: Io): Homes => homesOf(io, process.cwd());

/** Its file. Error: INVALID_PARAMS, when it has none for this scope. */
export function fileOf({ file, client }: McpPlace): string {
  if (file === null) throw usageError(`${client.title} has no configuration of its own for a project.`);
  return file;
}

export const recordsOf = ({ env }: Io): Records => new Records(resolvePaths(env).stateFolder);
