/** What a person can do about an error, in a sentence. Programs read the code and the details; nothing here changes either. */
import { connect } from './client/client.ts';
import { CompanionError } from './companion-error.ts';
import { CLI_ERRORS } from './exit-codes.ts';
import type { Io } from './io.ts';

const START = 'with npm start in its folder, or with: companion serve';
const MENU = "the figure's menu (right click";

/** By the reason in the details of RUNTIME_UNAVAILABLE (R5). */
const UNAVAILABLE: Readonly<Record<string, string>> = {
  access_off: `Outside access is off; switch it on in ${MENU}, Access).`,
  hidden: 'The figure is hidden; show it with your hotkey (Ctrl+Alt+H) or with companion show, then try again.',
  paused: `Outside requests are paused; allow them again in ${MENU}, Allow outside requests again), or with companion resume.`,
  overlay_down:
    "The figure's window is not up; try again in a moment. If that does not help, start the companion again.",
  storage: 'The companion cannot write to its disk; make room there, then try again.',
};

/** Reports whether anything that listens answers on the socket. */
async function isAnswered(env: Io['env']): Promise<boolean> {
  const client = await connect({ env, key: null });
  try {
    await client.describe();
    return true;
  } catch (error) {
    return !(error instanceof CompanionError && error.code === 'UNREACHABLE');
  } finally {
    client.close();
  }
}

/** A sentence for who got `error`; null when its message says all there is. Never throws. */
export async function adviceFor({ code, message, details }: CompanionError, env: Io['env']): Promise<string | null> {
  if (code === 'RUNTIME_UNAVAILABLE') return UNAVAILABLE[String(details?.reason)] ?? null;
  // Any other message says itself what is the matter on the socket.
  if (code === 'UNREACHABLE') return message === CLI_ERRORS.UNREACHABLE.message ? `Start it ${START}.` : null;
  if (code !== 'CREDENTIAL_MISSING' || details?.folder === undefined || (await isAnswered(env))) return null;
  return `No companion runs here, and no program is paired yet: start it ${START}; then pair.`;
}
