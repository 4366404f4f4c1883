/** `companion show|hide|pause|resume` and `companion dnd on|off`: the user's own switches, by a key that can do nothing else (R17). */
import { resolvePaths } from '../../server/protocol/paths.ts';
import { CONTROL_SCOPE } from '../../server/protocol/words.ts';
import type { Params, Result } from '../client/options.ts';
import { type Answer, type Command, type Context, defineCommand } from '../command.ts';
import { usageError } from '../companion-error.ts';
import { assertOwnKey, type OwnKey } from '../own-key.ts';
import { CONTROL_PROFILE } from '../profiles.ts';

type Press = Params<typeof CONTROL_SCOPE>;
type Switches = Result<typeof CONTROL_SCOPE>;

const OPTIONS = {
  'credential-profile': {
    kind: 'text',
    value: 'PROFILE',
    help: `whose key to use instead of that of the profile ${CONTROL_PROFILE}`,
  },
} as const;

const figure = ({ hidden }: Switches): string => (hidden ? 'The figure is hidden.' : 'The figure is shown.');
const requests = ({ paused }: Switches): string =>
  paused ? 'Requests of programs are paused.' : 'Requests of programs are allowed.';
const disturbing = ({ doNotDisturb }: Switches): string => `Do not disturb is ${doNotDisturb ? 'on' : 'off'}.`;

const OWN_KEY: OwnKey = { needs: 'These switches need', name: 'My control', scopes: [CONTROL_SCOPE] };

/** Presses one switch. COMPANION_PROFILE means a program's key, so it does not count here. */
async function press(
  { io, values, connect }: Context<typeof OPTIONS>,
  params: Press,
  say: (switches: Switches) => string,
): Promise<Answer> {
  const profile = values['credential-profile'] ?? CONTROL_PROFILE;
  assertOwnKey(resolvePaths(io.env).credentialsFolder, profile, OWN_KEY);
  const switches = await (await connect({ profile })).call(CONTROL_SCOPE, params);
  return { json: switches, plain: say(switches), error: null };
}

const switchCommand = (
  action: Exclude<Press['action'], 'dnd'>,
  summary: string,
  say: (switches: Switches) => string,
): Command =>
  defineCommand({
    takes: [],
    summary,
    about: null,
    output: 'plain',
    options: OPTIONS,
    examples: [`companion ${action}`],
    run: (context) => press(context, { action }, say),
  });

export const show = switchCommand('show', 'Show the figure again.', figure);
export const hide = switchCommand('hide', 'Hide the figure; what it was asked to show is cancelled.', figure);
export const pause = switchCommand('pause', 'Refuse requests of programs; open ones are cancelled.', requests);
export const resume = switchCommand('resume', 'Allow requests of programs again.', requests);

export const dnd = defineCommand({
  takes: ['on|off'],
  summary: 'Switch do-not-disturb: notices are kept for the Answers page instead of shown.',
  about: null,
  output: 'plain',
  options: OPTIONS,
  examples: ['companion dnd on', 'companion dnd off --json'],
  run: async (context) => {
    const [word] = context.words;
    if (word !== 'on' && word !== 'off') throw usageError('It is either on or off: companion dnd on.');
    return press(context, { action: 'dnd', on: word === 'on' }, disturbing);
  },
});
