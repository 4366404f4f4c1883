/** What an agent's hook was told, word for word, and what the hook shall print. docs/agent-hooks.md, R15. */
import { AGENTS } from '../../protocol/hooks.ts';
import { ORIGIN_PATTERNS } from '../../protocol/origin.ts';
import { defineMethod } from '../define.ts';

const part = (pattern: string) => ({ type: 'string', pattern }) as const;

export const vendorHook = defineMethod({
  name: 'vendor.internal.companion.hook',
  description:
    "Hand over an event of a coding agent's hook: `event` is the hook's standard input, word for word. The result is the text the hook shall print; " +
    "'' abstains, so that the agent asks in its own terminal. Only a permission request can have another answer: it is shown as interaction.choose with " +
    "the exact command, in the caller's name, and the call waits at most 600 s for what the user presses. A caller that hangs up withdraws it. Junk, unknown " +
    'events and fields, everything that cannot be shown or is not answered: abstained. `origin` names the terminal; it is data and is never run or opened. ' +
    'The same over HTTP: POST /hook/AGENT with the event as the body, answered with the text alone.',
  params: {
    type: 'object',
    properties: {
      agent: { enum: AGENTS },
      event: { type: 'string' },
      origin: {
        type: 'object',
        properties: {
          tty: part(ORIGIN_PATTERNS.tty),
          tmuxPane: part(ORIGIN_PATTERNS.tmuxPane),
          tmuxServer: part(ORIGIN_PATTERNS.tmuxServer),
          windowId: part(ORIGIN_PATTERNS.windowId),
          terminal: part(ORIGIN_PATTERNS.terminal),
        },
        additionalProperties: false,
      },
    },
    required: ['agent', 'event'],
    additionalProperties: false,
  },
  result: { type: 'string' },
  needs: 'interact',
  waits: true,
  errors: [],
  examples: {
    valid: [
      { agent: 'claude-code', event: '{"hook_event_name":"Stop","session_id":"1","cwd":"/home/me/api"}' },
      { agent: 'codex', event: 'junk' },
      { agent: 'codex', event: '', origin: {} },
      { agent: 'codex', event: '', origin: { tmuxPane: '%1', windowId: '29360131' } },
    ],
    invalid: [
      {},
      { agent: 'claude-code' },
      { agent: 'other', event: '' },
      { agent: 'codex', event: { hook_event_name: 'Stop' } },
      { agent: 'codex', event: '', origin: { tmuxPane: '%1; true' } },
      { agent: 'codex', event: '', origin: { command: 'xterm' } },
      { agent: 'codex', event: '', clientId: 'other' },
    ],
  },
});
