/** What `dist/mcp.cjs` holds: the MCP server and the SDK it stands on. */
import { resolvePaths } from '../../../server/protocol/paths.ts';
import { emitMcpTools, type McpTool } from '../../../server/registry/emit/mcp-tools.ts';
import { connect } from '../../client/client.ts';
import type { Context } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import type { Io } from '../../io.ts';
import { chooseProfile, readCredential } from '../../profiles.ts';
import { serveMcp } from './serve.ts';

/** The scopes of the profile in use; null while there is none, or none that can be read. */
function scopesOf(env: Io['env'], profile: string | undefined): readonly string[] | null {
  try {
    const { credentialsFolder } = resolvePaths(env);
    const chosen = chooseProfile(credentialsFolder, profile ?? env.COMPANION_PROFILE);
    return readCredential(credentialsFolder, chosen)?.scopes ?? null;
  } catch {
    return null;
  }
}

/** Those of `tools` that a key with `scopes` may use; all of them as long as nobody knows. */
export const allowedTools = (tools: readonly McpTool[], scopes: readonly string[] | null): readonly McpTool[] =>
  tools.filter(({ requiredScopes }) => scopes === null || requiredScopes.every((scope) => scopes.includes(scope)));

export interface McpOptions {
  readonly profile: string | undefined;
  readonly answerWithinMs: number | null;
}

/** Serves the client on standard input and output until it goes; returns the exit code. */
export async function runMcp(
  { io, interruption }: Pick<Context, 'io' | 'interruption'>,
  { profile, answerWithinMs }: McpOptions,
): Promise<number> {
  const all = emitMcpTools();
  const signal = interruption();
  await serveMcp({
    stdin: process.stdin,
    stdout: process.stdout,
    env: io.env,
    // Not the command's own: the errors of that client are of another file, and would not be known here.
    connect: () => connect({ env: io.env, ...(profile !== undefined && { profile }) }),
    tools: () => ({ all, allowed: allowedTools(all, scopesOf(io.env, profile)) }),
    answerWithinMs,
    signal,
  });
  return signal.aborted ? EXIT.interrupted : EXIT.ok;
}
