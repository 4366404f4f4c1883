/** `companion open`: what a click in the application launcher means. Only a key that the user paired for it brings a hidden figure back (R17). */
import { resolvePaths } from '../../server/protocol/paths.ts';
import { CONTROL_SCOPE } from '../../server/protocol/words.ts';
import { type Context, defineCommand } from '../command.ts';
import { CompanionError } from '../companion-error.ts';
import { isThere, startDetached } from '../desktop/detached.ts';
import { CONTROL_PROFILE, readCredential } from '../profiles.ts';

/** Shows the figure if there is a key for that; false when there is none. */
async function triesToShow({ io, values, connect }: Pick<Context, 'io' | 'values' | 'connect'>): Promise<boolean> {
  const profile = values['credential-profile'] ?? CONTROL_PROFILE;
  if (readCredential(resolvePaths(io.env).credentialsFolder, profile) === null) return false;
  await (await connect({ profile })).call(CONTROL_SCOPE, { action: 'show' });
  return true;
}

const hidden = (): CompanionError =>
  new CompanionError('CREDENTIAL_MISSING', {
    message:
      'The figure is hidden, and only you bring it back: with its hotkey (Ctrl+Alt+H, unless you chose another). ' +
      `To have this command do it from then on: companion pair --name "My control" --scopes ${CONTROL_SCOPE}.`,
    details: { profile: CONTROL_PROFILE },
  });

const TEXTS = { started: 'The companion is here now.', shown: 'The figure is shown.', there: 'The companion is here.' };

export const open = defineCommand({
  takes: [],
  summary: `Start the companion if none runs; else bring its figure back, with the profile \`${CONTROL_PROFILE}\`. A launcher calls this.`,
  about: null,
  output: 'plain',
  options: {
    'credential-profile': { kind: 'text', value: 'PROFILE', help: `whose key to use, ${CONTROL_PROFILE} without it` },
  },
  examples: ['companion open'],
  run: async (context) => {
    const stranger = await context.connect({ key: null });
    const started = !(await isThere(stranger));
    if (started) await startDetached(context.io, stranger);
    const shown = await triesToShow(context);
    if (!shown && (await stranger.describe()).accepting.reason === 'hidden') throw hidden();
    const plain = TEXTS[started ? 'started' : shown ? 'shown' : 'there'];
    return { json: { started, shown }, plain, error: null };
  },
});
