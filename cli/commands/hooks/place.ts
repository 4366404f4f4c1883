/** What `companion hooks install`, `remove` and `status` share: the agent, its file, and what is put into it. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { homesOf } from '../../agents/homes.ts';
import { HOOK_AGENT_NAMES, HOOK_AGENTS, type HookAgent, type HookAgentName } from '../../agents/hook-agents.ts';
import { readName, readScope } from '../../agents/options.ts';
import { pairCommand } from '../../agents/pairing.ts';
import { CompanionError } from '../../companion-error.ts';
import { lastingCommand } from '../../desktop/installation.ts';
import type { Io } from '../../io.ts';

/** The profile that hooks use. */
export const HOOK_PROFILE = 'hooks';
/** What a hook may do: ask about permissions. */
export const HOOK_SCOPES = ['interact'] as const;

export interface HooksPlace {
  readonly name: HookAgentName;
  readonly agent: HookAgent;
  readonly file: string;
  /** The program that hooks run, beside the CLI, so that PATH does not matter. */
  readonly program: string;
  readonly pair: string;
}

/** Errors: INVALID_PARAMS. */
export function hooksPlace(io: Io, word: string | undefined, scope: string | undefined): HooksPlace {
  const name = readName(word, HOOK_AGENT_NAMES, 'AGENT');
  const agent: HookAgent = HOOK_AGENTS[name];
  return {
    name,
    agent,
    file: agent.file(homesOf(io, process.cwd()), readScope(scope)),
    program: join(dirname(io.program()[1]), 'companion-fast'),
    pair: pairCommand('Coding agents', HOOK_SCOPES, HOOK_PROFILE),
  };
}

/** Error REFUSED: an agent must not be told to run what is not there, or will be gone tomorrow. */
export function assertLasting(io: Io, { program }: HooksPlace): void {
  lastingCommand(io, [program]);
  if (existsSync(program)) return;
  throw new CompanionError('REFUSED', {
    message: 'This installation lacks the program that hooks run. Nothing was changed.',
    details: { path: program },
  });
}
