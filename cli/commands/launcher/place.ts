/** Where the launcher's commands work, and what they say. */
import { dirname } from 'node:path';
import { resolvePaths } from '../../../server/protocol/paths.ts';
import type { LauncherStatus } from '../../desktop/launcher.ts';
import type { Io } from '../../io.ts';

/** `$XDG_DATA_HOME`. */
export const dataHomeOf = ({ env }: Io): string => dirname(resolvePaths(env).dataFolder);

/** The status in words. */
export function tellLauncher({ added, file, repair }: LauncherStatus): string {
  const state = added ? `The companion is in the application launcher: ${file}` : 'Not in the application launcher.';
  const again = added ? ' Mend it with: companion launcher add' : '';
  return repair === null ? state : `${state}\nBut ${repair}.${again}`;
}
