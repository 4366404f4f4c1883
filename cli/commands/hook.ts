/** `companion hook AGENT`: what agents run at their hooks. Whatever goes wrong, it says nothing and ends with 0, so that the agent asks by itself. */
import { readFileSync } from 'node:fs';
import { AGENTS, type Agent } from '../../server/protocol/hooks.ts';
import { LIMITS } from '../../server/protocol/limits.ts';
import { vendorHook } from '../../server/registry/methods/vendor.internal.companion.hook.ts';
import { parseArguments } from '../args.ts';
import { COMMON_OPTIONS, type Context, defineCommand } from '../command.ts';
import { readInput } from '../doors/hook/read-input.ts';
import { tellOrigin } from '../doors/hook/tell-origin.ts';
import { EXIT } from '../exit-codes.ts';

/** The profile that hooks use when none is named; never another one that happens to be there. */
export const HOOK_PROFILE = 'hooks';

const OPTIONS = {
  'credential-profile': { kind: 'text', value: 'PROFILE', help: `whose key to use; default: ${HOOK_PROFILE}` },
} as const;

/** How long a host may take for what needs no user: an agent is held up by it. */
const NEWS_MS = 3_000;

const waitsForUser = (event: string): boolean => event.includes('"PermissionRequest"');

/** As Linux tells it; '' elsewhere. */
function ownStat(): string {
  try {
    return readFileSync('/proc/self/stat', 'utf8');
  } catch {
    return '';
  }
}

const isAgent = (word: string | undefined): word is Agent => (AGENTS as readonly unknown[]).includes(word);

/** What the host answers; '' when there is nothing to ask it. Errors: those of the client, INVALID_PARAMS. */
async function answer({ io, connect, words: given }: Context<typeof OPTIONS>, event: string | null): Promise<string> {
  const { words, values } = parseArguments(given, { ...COMMON_OPTIONS, ...OPTIONS });
  const [agent, ...more] = words;
  if (event === null || !isAgent(agent) || more.length > 0) return '';
  const client = await connect({ profile: values['credential-profile'] ?? HOOK_PROFILE });
  const params = { agent, event, origin: tellOrigin(io.env, ownStat()) };
  return client.call(vendorHook.name, params, waitsForUser(event) ? {} : { signal: AbortSignal.timeout(NEWS_MS) });
}

export const hook = defineCommand({
  takes: ['AGENT'],
  summary: `Pass an event of a coding agent (${AGENTS.join(' or ')}) on, and print its answer. Run by the agent, not by hand.`,
  about: { method: vendorHook.name },
  output: 'own',
  options: OPTIONS,
  examples: ['companion hook claude-code', 'companion-fast hook codex'],
  run: async (context) => {
    const { io, words } = context;
    if (words.includes('--help') || words.includes('-h')) {
      io.out(await context.help());
      return EXIT.ok;
    }
    try {
      const event = await readInput(process.stdin, LIMITS.maxFrameBytes);
      io.out(await answer(context, event));
    } catch {
      // No host, no key, no answer, nobody to print for: the agent asks by itself.
    }
    return EXIT.ok;
  },
});
