/** Where agents and editors keep their settings, by the variables they themselves look at. Touches no file. */
import { dirname, isAbsolute, join } from 'node:path';
import { resolvePaths } from '../../server/protocol/paths.ts';
import type { Io } from '../io.ts';

export const SCOPES = ['user', 'project'] as const;
/** For all projects of the user, or for the folder the command runs in. */
export type Scope = (typeof SCOPES)[number];

export interface Homes {
  readonly home: string;
  /** `$XDG_CONFIG_HOME`. */
  readonly config: string;
  /** Settings of Claude Code. */
  readonly claude: string;
  /** The file in which Claude Code keeps servers of MCP. */
  readonly claudeState: string;
  readonly codex: string;
  readonly project: string;
}

const folder = (value: string | undefined): string | null =>
  value !== undefined && value !== '' && isAbsolute(value) ? value : null;

export function homesOf({ env }: Pick<Io, 'env'>, project: string): Homes {
  const home = folder(env.HOME) ?? process.getBuiltinModule('node:os').userInfo().homedir;
  const claude = folder(env.CLAUDE_CONFIG_DIR);
  return {
    home,
    config: dirname(resolvePaths(env).configFolder),
    claude: claude ?? join(home, '.claude'),
    claudeState: join(claude ?? home, '.claude.json'),
    codex: folder(env.CODEX_HOME) ?? join(home, '.codex'),
    project,
  };
}
