/** Whether a program that was put into somebody's settings can be heard: its key, and a host that knows it. */
import { resolvePaths } from '../../server/protocol/paths.ts';
import type { Context } from '../command.ts';
import { CompanionError } from '../companion-error.ts';
import { readCredential } from '../profiles.ts';

/** `refused`: the host does not know the key, or the user has not allowed what is needed. `unknown`: nobody was there to ask. */
export type PairingState = 'paired' | 'missing' | 'unreadable' | 'refused' | 'unknown';

export interface Standing {
  readonly profile: string;
  readonly pairing: PairingState;
  readonly host: 'running' | 'not-running';
}

/** Reports whether there is a profile of that name; one that cannot be read counts as there. */
export function hasProfile({ io }: Pick<Context, 'io'>, profile: string): boolean {
  try {
    return readCredential(resolvePaths(io.env).credentialsFolder, profile) !== null;
  } catch {
    return true;
  }
}

/** How `profile` stands, for a program that needs `scope`. Never throws. */
export async function standingOf(
  context: Pick<Context, 'io' | 'connect'>,
  profile: string,
  scope: string,
): Promise<Standing> {
  const isThere = hasProfile(context, profile);
  try {
    const client = await context.connect(isThere ? { profile } : { key: null });
    const { authorization } = await client.describe();
    const pairing = isThere ? (authorization?.scopes.some((each) => each === scope) ? 'paired' : 'refused') : 'missing';
    return { profile, pairing, host: 'running' };
  } catch (error) {
    const code = error instanceof CompanionError ? error.code : '';
    if (code === 'UNAUTHENTICATED') return { profile, pairing: 'refused', host: 'running' };
    const isUnreadable = code.startsWith('CREDENTIAL_') && isThere;
    return { profile, pairing: isUnreadable ? 'unreadable' : isThere ? 'unknown' : 'missing', host: 'not-running' };
  }
}

/** The command line that pairs it. */
export const pairCommand = (title: string, scopes: readonly string[], profile: string): string =>
  `companion pair --name '${title}' --scopes ${scopes.join(',')} --credential-profile ${profile}`;

export const START_NEED = 'No companion is running; start it with: companion serve';

/** What the user should do about a key, as a sentence; null: nothing. */
export function pairingNeed({ profile, pairing }: Standing, pair: string): string | null {
  const needs: Partial<Record<PairingState, string>> = {
    missing: `Pair it, and approve on the figure: ${pair}`,
    refused: `The companion does not take the key of the profile ${profile} for this; pair again: ${pair}`,
    unreadable: `The key of the profile ${profile} cannot be read; companion doctor says why.`,
  };
  return needs[pairing] ?? null;
}

/** What the user should do about a standing, in sentences; none: nothing. */
export const needsOf = (standing: Standing, pair: string): readonly string[] =>
  [standing.host === 'running' ? null : START_NEED, pairingNeed(standing, pair)].filter((need) => need !== null);
