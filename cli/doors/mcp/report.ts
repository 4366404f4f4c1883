/** What a snapshot says to the caller of a tool: how a question ended in MCP's words, and what to do next. Pure. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Snapshot } from '../../../server/protocol/snapshot.ts';
import { isTerminal } from '../../../server/protocol/status.ts';
import type { JsonObject } from '../../../server/protocol/words.ts';
import { findCapability } from '../../../server/registry/catalog.ts';
import { type Action, toolName } from '../../../server/registry/emit/mcp-tools.ts';
import { requestsUpdate } from '../../../server/registry/methods/requests.update.ts';
import { requestsWait } from '../../../server/registry/methods/requests.wait.ts';

/** Short enough for a client that gives up after a minute. */
export const SHORT_ANSWER_MS = 45_000;

const kindOf = ({ capability }: Snapshot): string | undefined => findCapability(capability)?.kind;

/** Reports whether this asks the user something. */
export const isQuestion = (snapshot: Snapshot): boolean => kindOf(snapshot) === 'interaction';

/** How a question stands; null for what asks nothing. Declined is an answer of the user's, cancel is none. */
export function actionOf(snapshot: Snapshot): Action | null {
  if (!isQuestion(snapshot)) return null;
  if (!isTerminal(snapshot.status)) return 'still_open';
  if (snapshot.status === 'completed') return 'accept';
  return snapshot.reason === 'user_declined' ? 'decline' : 'cancel';
}

const callOf = (method: { readonly name: string }, params: object): string =>
  `${toolName(method.name)} ${JSON.stringify(params)}`;

/** What the caller of an unfinished request should do; null: nothing. */
function nextStep(snapshot: Snapshot): string | null {
  const { requestId, revision, status, deadlineAt } = snapshot;
  if (isTerminal(status)) return null;
  if (isQuestion(snapshot)) {
    const wait = callOf(requestsWait, { requestId, afterRevision: revision, waitMs: SHORT_ANSWER_MS });
    return (
      `The user has not answered yet; the question stays open until ${deadlineAt} and its answer is kept. Call ${wait} to wait on. ` +
      'Do not ask again, and do not go on as if it had been answered.'
    );
  }
  if (kindOf(snapshot) !== 'progress') return null;
  const update = callOf(requestsUpdate, { requestId, expectedRevision: revision, params: { percent: 50 } });
  return `Report with ${update}; end it with params {"done":true} or {"failed":"why"}. Each answer has the next revision.`;
}

/** The structured content of an answer about a request, as the tool's output schema says. */
export function reportOf(snapshot: Snapshot): JsonObject {
  const { requestId, status, reason, revision, control, failure, result } = snapshot;
  return {
    action: actionOf(snapshot),
    content: result,
    requestId,
    status,
    reason,
    revision,
    control: control as JsonObject | null,
    failure,
    next: nextStep(snapshot),
  };
}

/** The answer of a tool: structured, and the same as text for clients that know only that. */
export function toResult(snapshot: Snapshot): CallToolResult {
  const report = reportOf(snapshot);
  return { content: [{ type: 'text', text: JSON.stringify(report) }], structuredContent: { ...report } };
}
