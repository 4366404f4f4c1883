/** What was refused or could not be reached, as the answer of a tool: a code of the error table, a sentence, and what helps. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { adviceFor } from '../../advice.ts';
import { CompanionError } from '../../companion-error.ts';
import type { Io } from '../../io.ts';

/** Under this name the whole error stands in `_meta`: code, message, retryable, details. */
export const ERROR_META = 'internal.companion/error';

/** Everything a program of this kind is paired for. */
const SCOPES = 'discover,animate,notify,interact';

async function advice(error: CompanionError, env: Io['env']): Promise<string | null> {
  const { profile, profiles } = error.details ?? {};
  if (error.code === 'CREDENTIAL_MISSING' && typeof profile === 'string')
    return `Ask the user to run, and to approve on the figure: companion pair --name "MCP client" --scopes ${SCOPES} --credential-profile ${profile}`;
  if (error.code === 'PROFILE_AMBIGUOUS' && Array.isArray(profiles))
    return `Start this server with one of them: companion mcp --credential-profile ${profiles[0]}`;
  if (error.code === 'FORBIDDEN') return 'The user did not allow this program to do that; pairing again can change it.';
  return adviceFor(error, env);
}

/** Whatever else is thrown is a mistake of this program, and may hold anything: only its kind is told. */
const toCompanionError = (thrown: unknown): CompanionError =>
  thrown instanceof CompanionError
    ? thrown
    : new CompanionError('INTERNAL_ERROR', {
        message: 'The MCP server made a mistake of its own.',
        details: { kind: thrown instanceof Error ? thrown.name : typeof thrown },
      });

/** The answer of a tool that failed. Has no structured content: that would have to look like a success. */
export async function toFailure(thrown: unknown, env: Io['env']): Promise<CallToolResult> {
  const error = toCompanionError(thrown);
  const { code, message, retryable, details } = error;
  const lines = [`${code}: ${message}`, await advice(error, env), details && JSON.stringify(details)];
  return {
    isError: true,
    content: [{ type: 'text', text: lines.filter(Boolean).join('\n') }],
    _meta: { [ERROR_META]: { code, message, retryable, ...(details && { details }) } },
  };
}
