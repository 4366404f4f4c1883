/** Which browser the companion would start, by its own search, and what that browser says of itself. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Io } from '../io.ts';
import type { ChromiumFacts, Facts, NamespaceFacts } from './facts.ts';
import { printable } from './read-report.ts';

/** A snap's first start may unpack something. */
const VERSION_LIMIT_MS = 8_000;

interface SetupModule {
  /** The settings. Throws with a message that says what is wrong with the file. */
  readConfig(folder: string): { readonly chromium: string | null };
  findChromium(configured: string | null, env: Io['env']): string | null;
  wallOf(path: string): 'snap' | 'flatpak' | null;
}

// A name the bundler cannot follow: it lies beside this file, and is the host's own code.
const SETUP: string = './setup.js';

function versionOf(path: string, env: Io['env']): Promise<string | null> {
  return new Promise((resolve) => {
    const options = { timeout: VERSION_LIMIT_MS, killSignal: 'SIGKILL', env: env as NodeJS.ProcessEnv } as const;
    execFile(path, ['--version'], options, (error, out) => resolve(error === null ? printable(out) || null : null));
  });
}

/** Without its setuid bit, or as another user's, the helper is of no use. */
function hasHelper(path: string): boolean {
  const folder = dirname(path);
  return ['chrome-sandbox', 'chrome_sandbox'].some((name) => {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false });
    return stat !== undefined && stat.uid === 0 && (stat.mode & 0o4000) !== 0;
  });
}

/** `settings` beside it, because the browser may be named there. */
export async function lookAtChromium(
  env: Io['env'],
  configFolder: string,
): Promise<Pick<Facts, 'chromium' | 'settings'>> {
  const { readConfig, findChromium, wallOf } = (await import(SETUP)) as SetupModule;
  let configured: string | null = null;
  let fault: string | null = null;
  try {
    configured = readConfig(configFolder).chromium;
  } catch (error) {
    fault = printable((error as Error).message);
  }
  const path = findChromium(configured, env);
  const chromium: ChromiumFacts = {
    named: configured ?? (env.COMPANION_CHROMIUM || null),
    path,
    version: path === null ? null : await versionOf(path, env),
    wall: path === null ? null : wallOf(path),
    hasHelper: path !== null && hasHelper(path),
  };
  const file = join(configFolder, 'config.json');
  return { chromium, settings: { file, isThere: existsSync(file), fault } };
}

function kernelNumber(name: string): number | null {
  try {
    return Number(readFileSync(`/proc/sys/${name}`, 'utf8'));
  } catch {
    return null;
  }
}

export const lookAtNamespaces = (): NamespaceFacts => ({
  unprivilegedClone: kernelNumber('kernel/unprivileged_userns_clone'),
  maximum: kernelNumber('user/max_user_namespaces'),
  apparmorRestricts: kernelNumber('kernel/apparmor_restrict_unprivileged_userns'),
});

/** `ID`, then `ID_LIKE`, of a text like that of /etc/os-release. */
export function distributionsOf(text: string): readonly string[] {
  const value = (key: string): string =>
    new RegExp(`^${key}=["']?([^"'\\n]*)`, 'm').exec(text)?.[1]?.trim().toLowerCase() ?? '';
  return `${value('ID')} ${value('ID_LIKE')}`.split(/\s+/).filter(Boolean);
}

export function lookAtDistribution(): readonly string[] {
  for (const file of ['/etc/os-release', '/usr/lib/os-release']) {
    try {
      return distributionsOf(readFileSync(file, 'utf8'));
    } catch {
      // The other one, then.
    }
  }
  return [];
}
