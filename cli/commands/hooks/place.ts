/** What `companion hooks install`, `remove` and `status` share: the agent, its file, and what is put into it. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AGENTS, type Agent } from '../../../server/protocol/hooks.ts';
import { SCOPES_FOR } from '../../../server/registry/define.ts';
import { vendorHook } from '../../../server/registry/methods/vendor.internal.companion.hook.ts';
import { homesOf } from '../../agents/homes.ts';
import { HOOK_AGENTS, type HookAgent } from '../../agents/hook-agents.ts';
import { readName, readScope } from '../../agents/options.ts';
import { pairCommand } from '../../agents/pairing.ts';
import { CompanionError } from '../../companion-error.ts';
import { lastingCommand } from '../../desktop/installation.ts';
import type { Io } from '../../io.ts';
import { HOOK_PROFILE } from '../hook.ts';

/** What a hook's key must allow. */
export const HOOK_SCOPES = SCOPES_FOR[vendorHook.needs];

export interface HooksPlace {
  readonly name: Agent;
  readonly agent: HookAgent;
  readonly file: string;
  /** The program that hooks run, beside the CLI, so that PATH does not matter. */
  readonly program: string;
  readonly pair: string;
}

/** Errors: INVALID_PARAMS. */
export function hooksPlace(io: Io, word: string | undefined, scope: string | undefined): HooksPlace {
  const name = readName(word, AGENTS, 'AGENT');
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
