/** `companion unpair`: gives the key back to the host, then forgets it here. */
import { resolvePaths } from '../../server/protocol/paths.ts';
import { type Context, defineCommand, jsonAnswer } from '../command.ts';
import { CompanionError } from '../companion-error.ts';
import { clearKeyring } from '../keyring.ts';
import { chooseProfile, credentialFile, loadProfile, removeCredential } from '../profiles.ts';

/**
 * Revokes `profile`'s key and removes the file. A key the host no longer knows is as good as revoked.
 * Errors: UNREACHABLE (details name the file, which is kept); those of `loadProfile`.
 */
export async function giveBack(context: Context, profile: string): Promise<void> {
  const folder = resolvePaths(context.io.env).credentialsFolder;
  const { store } = await loadProfile(folder, profile);
  try {
    await (await context.connect({ profile })).call('auth.revokeSelf', {});
  } catch (error) {
    if (!(error instanceof CompanionError)) throw error;
    if (error.code === 'UNREACHABLE') {
      throw new CompanionError('UNREACHABLE', {
        message: 'No companion answers, so the key still stands; its file is kept. Start the companion and try again.',
        details: { ...error.details, kept: credentialFile(folder, profile) },
      });
    }
    if (error.code !== 'UNAUTHENTICATED') throw error;
  }
  if (store === 'keyring') await clearKeyring(profile);
  removeCredential(folder, profile);
}

export const unpair = defineCommand({
  takes: [],
  summary: 'Give the key of a profile back and forget it.',
  about: { method: 'auth.revokeSelf' },
  output: 'json',
  options: {},
  examples: ['companion unpair --credential-profile build-bot'],
  run: async (context) => {
    const { credentialsFolder } = resolvePaths(context.io.env);
    const named = context.values['credential-profile'] ?? context.io.env.COMPANION_PROFILE;
    const profile = chooseProfile(credentialsFolder, named);
    await giveBack(context, profile);
    return jsonAnswer({ profile, revoked: true });
  },
});
