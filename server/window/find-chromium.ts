/** Finds a Chromium that is on this machine already; installs nothing and starts nothing. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { CHROMIUM_NAMES, chromiumPlaces, wallOf } from './chromium-places.ts';

/** What stands behind wrapper scripts: started directly, Chromium is up 7 % sooner and its process ID is the browser's. */
const BEHIND_WRAPPERS: Readonly<Record<string, string>> = {
  '/usr/bin/chromium': '/usr/lib/chromium/chromium',
  '/usr/bin/chromium-browser': '/usr/lib/chromium-browser/chromium-browser',
};

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The program to start: `configured` or `COMPANION_CHROMIUM` as it is, else the first of the known names on `PATH`, else one
 * where package managers put it; a walled-in one (snap, flatpak) only when there is no other. `system` is '/' but for tests.
 * Null when there is none, or the one that was named cannot be run.
 */
export function findChromium(configured: string | null, env: Env, system = '/'): string | null {
  const named = configured ?? env.COMPANION_CHROMIUM;
  if (named) return isProgram(named) ? named : null;
  const programs = [...onPath(env), ...chromiumPlaces(rootsOf(env, system))].filter(isProgram);
  const found = programs.find((path) => wallOf(path) === null) ?? programs[0];
  return found === undefined ? null : unwrap(found);
}

function onPath({ PATH = '' }: Env): readonly string[] {
  const folders = PATH.split(delimiter).filter((folder) => folder !== '');
  return CHROMIUM_NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
}

function rootsOf({ HOME = '', PUPPETEER_CACHE_DIR = '' }: Env, system: string) {
  const absolute = (path: string): string | null => (isAbsolute(path) ? path : null);
  return { system, home: absolute(HOME), puppeteer: absolute(PUPPETEER_CACHE_DIR) };
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
