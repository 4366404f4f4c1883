/** `companion bridge notifications`: the notifications of a desktop session, where no other program shows them. */
import { resolvePaths } from '../../../server/protocol/paths.ts';
import { interactionChoose } from '../../../server/registry/capabilities/interaction.choose.ts';
import { noticeShow } from '../../../server/registry/capabilities/notice.show.ts';
import { defineCommand } from '../../command.ts';
import { CompanionError } from '../../companion-error.ts';
import { loadBridge } from '../../doors/load.ts';
import { EXIT } from '../../exit-codes.ts';
import { assertOwnKey } from '../../own-key.ts';
import { BRIDGE_PROFILE } from '../../profiles.ts';

const NEEDED = noticeShow.requiredScopes;
const WANTED = interactionChoose.requiredScopes;
const OWN_KEY = {
  needs: 'The notifications of a desktop need',
  name: 'Desktop notifications',
  scopes: [...NEEDED, ...WANTED],
};

export const bridgeNotifications = defineCommand({
  takes: [],
  summary:
    'Show the notifications of this desktop session (org.freedesktop.Notifications) until Ctrl-C, with their actions. Only where no other program does; it never takes the place of one. See docs/shell.md.',
  about: null,
  output: 'plain',
  options: {
    'credential-profile': { kind: 'text', value: 'PROFILE', help: `whose key to use, ${BRIDGE_PROFILE} without it` },
  },
  examples: ['companion bridge notifications'],
  run: async ({ io, values, connect, interruption }) => {
    const profile = values['credential-profile'] ?? BRIDGE_PROFILE;
    assertOwnKey(resolvePaths(io.env).credentialsFolder, profile, OWN_KEY);
    const client = await connect({ profile });
    const scopes = (await client.describe()).authorization?.scopes ?? [];
    const has = (needed: readonly string[]): boolean => needed.every((scope) => scopes.some((each) => each === scope));
    if (!has(NEEDED)) throw new CompanionError('FORBIDDEN', { details: { needs: NEEDED } });
    const bridge = await loadBridge();
    await bridge.bridgeNotifications({
      client,
      canAsk: has(WANTED),
      env: io.env,
      signal: interruption(),
      started: () => io.err('The companion shows the notifications of this session. Ctrl-C ends that.\n'),
    });
    return EXIT.ok;
  },
});
