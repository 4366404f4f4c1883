/** Asks the user's service manager, where there is one. */
import type { Io } from '../io.ts';

/** Runs `systemctl --user` with `args`; what it printed, and whether it ended well. */
export type Systemctl = (...args: readonly string[]) => { readonly ok: boolean; readonly out: string };

const LIMIT_MS = 5_000;
/** What `is-system-running` says when a manager answers; without one it says `offline` or nothing. */
const ANSWERS = ['initializing', 'starting', 'running', 'degraded', 'maintenance', 'stopping'];

export async function openSystemctl(env: Io['env']): Promise<Systemctl> {
  // Loaded here: most commands start no process.
  const { spawnSync } = await import('node:child_process');
  return (...args) => {
    const { status, stdout } = spawnSync('systemctl', ['--user', ...args], {
      env: env as NodeJS.ProcessEnv,
      encoding: 'utf8',
      timeout: LIMIT_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return { ok: status === 0, out: (stdout ?? '').trim() };
  };
}

export const hasManager = (systemctl: Systemctl): boolean => ANSWERS.includes(systemctl('is-system-running').out);

/** Some desktops never reach this target; what is bound to it would never start there. */
export const GRAPHICAL_TARGET = 'graphical-session.target';
export const hasGraphicalTarget = (systemctl: Systemctl): boolean =>
  systemctl('is-active', GRAPHICAL_TARGET).out === 'active';
