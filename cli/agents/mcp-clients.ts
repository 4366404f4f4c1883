/** The MCP clients whose configuration is known here: where it lies, what an entry looks like, what comes after. Data only. */
import { join } from 'node:path';
import type { Path } from '../settings/edit/edit.ts';
import type { Homes, Scope } from './homes.ts';

/** What a client is told to start. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** What a client would not hand on by itself. */
  readonly env: Readonly<Record<string, string>>;
}

export interface McpClient {
  /** As its users call it, and as the pairing card will. */
  readonly title: string;
  readonly format: 'json' | 'toml';
  /** Its file for a scope; null: it has none. */
  file(homes: Homes, scope: Scope): string | null;
  /** Where in it the entry stands. */
  readonly at: Path;
  entry(command: ServerCommand): Readonly<Record<string, unknown>>;
  /** What else its user has to do. */
  readonly afterwards: string;
}

/** Under this name it is listed, and its tools are called. */
export const SERVER_NAME = 'companion';

const withEnv = (entry: object, env: ServerCommand['env']): Readonly<Record<string, unknown>> => ({
  ...entry,
  ...(Object.keys(env).length > 0 && { env }),
});
const plainEntry = ({ command, args, env }: ServerCommand) => withEnv({ command, args }, env);
const typedEntry = ({ command, args, env }: ServerCommand) => withEnv({ type: 'stdio', command, args }, env);
const at = (container: string): Path => [container, SERVER_NAME];

export const MCP_CLIENTS = {
  'claude-code': {
    title: 'Claude Code',
    format: 'json',
    file: ({ claudeState, project }, scope) => (scope === 'user' ? claudeState : join(project, '.mcp.json')),
    at: at('mcpServers'),
    entry: typedEntry,
    afterwards: 'Start Claude Code again; /mcp shows the server.',
  },
  codex: {
    title: 'Codex',
    format: 'toml',
    file: ({ codex, project }, scope) => join(scope === 'user' ? codex : join(project, '.codex'), 'config.toml'),
    at: at('mcp_servers'),
    // Its default has grown from one minute to five; a question's call ends before this one in any version.
    entry: ({ command, args, env }) => withEnv({ command, args, tool_timeout_sec: 300 }, env),
    afterwards: 'Start Codex again; /mcp shows the server.',
  },
  cursor: {
    title: 'Cursor',
    format: 'json',
    file: ({ home, project }, scope) => join(scope === 'user' ? home : project, '.cursor', 'mcp.json'),
    at: at('mcpServers'),
    entry: plainEntry,
    afterwards: 'Switch it on under Settings, Tools & MCP.',
  },
  vscode: {
    title: 'VS Code',
    format: 'json',
    file: ({ config, project }, scope) =>
      scope === 'user' ? join(config, 'Code', 'User', 'mcp.json') : join(project, '.vscode', 'mcp.json'),
    at: at('servers'),
    entry: typedEntry,
    afterwards: 'Start it with the command MCP: List Servers.',
  },
  gemini: {
    title: 'Gemini CLI',
    format: 'json',
    file: ({ home, project }, scope) => join(scope === 'user' ? home : project, '.gemini', 'settings.json'),
    at: at('mcpServers'),
    entry: plainEntry,
    afterwards: 'Start Gemini CLI again; /mcp shows the server.',
  },
  windsurf: {
    title: 'Windsurf',
    format: 'json',
    file: ({ home }, scope) => (scope === 'user' ? join(home, '.codeium', 'windsurf', 'mcp_config.json') : null),
    at: at('mcpServers'),
    entry: plainEntry,
    afterwards: 'Refresh the list of servers in its settings.',
  },
  opencode: {
    title: 'opencode',
    format: 'json',
    file: ({ config, project }, scope) =>
      scope === 'user' ? join(config, 'opencode', 'opencode.json') : join(project, 'opencode.json'),
    at: at('mcp'),
    entry: ({ command, args, env }) => ({
      type: 'local',
      command: [command, ...args],
      enabled: true,
      ...(Object.keys(env).length > 0 && { environment: env }),
    }),
    afterwards: 'Start opencode again.',
  },
} as const satisfies Readonly<Record<string, McpClient>>;

export type McpClientName = keyof typeof MCP_CLIENTS;
export const MCP_CLIENT_NAMES = Object.keys(MCP_CLIENTS) as readonly McpClientName[];
