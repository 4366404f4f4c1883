/** Where everything of ours lies, by the XDG base directory specification; host, client and CLI all ask here (design §1). */
import { dirname, isAbsolute, join, resolve } from 'node:path';

export interface Paths {
  readonly socketPath: string;
  /** Folder of the socket; must be the user's own and 0700. */
  readonly runtimeFolder: string;
  /** Database, install secret, log. */
  readonly stateFolder: string;
  readonly configFolder: string;
  /** One `NAME.json` per credential profile, each 0600. */
  readonly credentialsFolder: string;
  /** Packs. */
  readonly dataFolder: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The variable's value, unless it is empty or relative: the XDG specification says to ignore those. */
function folderOf(env: Env, name: string): string | undefined {
  const value = env[name];
  return value !== undefined && isAbsolute(value) ? value : undefined;
}

/**
 * Absolute paths for the environment `env`. `COMPANION_SOCKET` sets the socket, and with it its folder.
 * Touches no file and checks nothing.
 */
export function resolvePaths(env: Env): Paths {
  // Not imported: only who has no HOME pays for loading it, and the CLI starts with each notice.
  const home = folderOf(env, 'HOME') ?? process.getBuiltinModule('node:os').userInfo().homedir;
  const stateFolder = join(folderOf(env, 'XDG_STATE_HOME') ?? join(home, '.local', 'state'), 'companion');
  const configFolder = join(folderOf(env, 'XDG_CONFIG_HOME') ?? join(home, '.config'), 'companion');
  const dataFolder = join(folderOf(env, 'XDG_DATA_HOME') ?? join(home, '.local', 'share'), 'companion');
  const runtimeBase = folderOf(env, 'XDG_RUNTIME_DIR');
  const defaultFolder = runtimeBase === undefined ? join(stateFolder, 'run') : join(runtimeBase, 'companion');
  const socketPath = env.COMPANION_SOCKET ? resolve(env.COMPANION_SOCKET) : join(defaultFolder, 'companion.sock');
  return {
    socketPath,
    runtimeFolder: dirname(socketPath),
    stateFolder,
    configFolder,
    credentialsFolder: join(configFolder, 'credentials'),
    dataFolder,
  };
}
