/** Commands with a key of their own: used only when it is there, never in place of another, and named in the line that makes it. */
import { CompanionError } from './companion-error.ts';
import { assertProfileName, readCredential } from './profiles.ts';

export interface OwnKey {
  /** What needs it, at the beginning of a sentence: `These switches need`. */
  readonly needs: string;
  readonly name: string;
  readonly scopes: readonly string[];
}

/** Error: CREDENTIAL_MISSING, with the command line that mends it; INVALID_PARAMS for an impossible name. */
export function assertOwnKey(folder: string, profile: string, { needs, name, scopes }: OwnKey): void {
  assertProfileName(profile);
  if (readCredential(folder, profile) !== null) return;
  const line = `companion pair --name "${name}" --scopes ${scopes.join(',')} --credential-profile ${profile}`;
  throw new CompanionError('CREDENTIAL_MISSING', {
    message: `${needs} a key of their own; pair it first: ${line}`,
    details: { profile },
  });
}
