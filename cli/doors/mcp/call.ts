/** Runs one tool: arguments to a call of the host, its answer to a result. Validates nothing itself; the host does, strictly. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Snapshot } from '../../../server/protocol/snapshot.ts';
import { isTerminal } from '../../../server/protocol/status.ts';
import type { JsonObject } from '../../../server/protocol/words.ts';
import { findCapability, type MethodName } from '../../../server/registry/catalog.ts';
import { type McpTool, REQUEST_FIELD_NAMES, type ToolTarget } from '../../../server/registry/emit/mcp-tools.ts';
import { requestsWait } from '../../../server/registry/methods/requests.wait.ts';
import type { Client } from '../../client/client.ts';
import type { Params } from '../../client/options.ts';
import { now } from '../../client/time.ts';
import { CompanionError, usageError } from '../../companion-error.ts';
import { errorOfEnd } from '../../request.ts';
import { fromForm, toForm } from './elicitation.ts';
import { type Holding, holdQuestion, startBeating } from './hold.ts';
import type { HostLink } from './host-link.ts';
import { isQuestion, toResult } from './report.ts';

export interface Calling extends Holding {
  readonly link: HostLink;
  /** Hears of each request that only this caller can end, and that goes on after its call. */
  onOwned(requestId: string): void;
}

/** The capability that `target` stands for, and the arguments that are left. Error: INVALID_PARAMS. */
function chooseCapability(target: Exclude<ToolTarget, { method: MethodName }>, args: JsonObject): [string, JsonObject] {
  if ('capability' in target) return [target.capability, target.shape === 'own' ? args : toForm(args)];
  const { [target.chosenBy]: chosen, ...rest } = args;
  const id = target.capabilities.find((candidate) => candidate === chosen);
  if (id === undefined) throw usageError('This is none of them.', { path: `/${target.chosenBy}` });
  return [id, rest];
}

/** The create that a call with `args` means. Error: INVALID_PARAMS. */
export function toCreate(
  target: Exclude<ToolTarget, { method: MethodName }>,
  args: JsonObject,
): Params<'requests.create'> {
  const [capability, rest] = chooseCapability(target, args);
  const isField = ([name]: [string, unknown]): boolean => REQUEST_FIELD_NAMES.includes(name);
  const entries = Object.entries(rest);
  const fields = Object.fromEntries(entries.filter(isField));
  return { capability, params: Object.fromEntries(entries.filter((entry) => !isField(entry))), ...fields };
}

/** An error about a request that goes on names it, so that it can be found again. */
const named = (error: unknown, requestId: string): unknown =>
  error instanceof CompanionError
    ? new CompanionError(error.code, {
        message: error.message,
        retryable: error.retryable,
        details: { ...error.details, requestId },
      })
    : error;

/** Makes the request and, for a question, waits with the caller. Never asks again under another key: only the create may be repeated. */
async function makeRequest(params: Params<'requests.create'>, calling: Calling): Promise<Snapshot> {
  const keyed = params.idempotencyKey !== undefined;
  // Without the signal: whether it was accepted must be known, to take it back.
  const [client, accepted] = await calling.link.use(async (open) => [open, await open.create(params)] as const);
  const { requestId, status } = accepted;
  if (isTerminal(status)) return accepted;
  if (!isQuestion(accepted)) {
    if (!keyed && findCapability(accepted.capability)?.completion === 'owner') calling.onOwned(requestId);
    return accepted;
  }
  try {
    return await holdQuestion(client, requestId, calling, keyed);
  } catch (error) {
    throw named(error, requestId);
  }
}

/** Waits as the method does, but not longer than the call may last, and for a question until it has ended: that is what is of use. */
async function waitOn(client: Client, args: JsonObject, { withinMs, signal, beat }: Holding): Promise<Snapshot> {
  const { waitMs } = args;
  const limitMs = typeof waitMs === 'number' ? Math.min(waitMs, withinMs) : 0;
  const endAt = now() + limitMs;
  const params = { ...args, ...(typeof waitMs === 'number' && { waitMs: limitMs }) };
  const stop = startBeating(beat);
  try {
    const { unchanged: _, ...snapshot } = (await client.call(
      requestsWait.name,
      params as unknown as Params<'requests.wait'>,
      { signal },
    )) as unknown as Snapshot & { unchanged: boolean };
    const leftMs = Math.ceil(endAt - now());
    if (!isQuestion(snapshot) || isTerminal(snapshot.status) || leftMs <= 0) return snapshot;
    return await client.waitUntilEnd(snapshot.requestId, { timeoutMs: leftMs, signal });
  } finally {
    stop();
  }
}

async function callMethod(client: Client, method: MethodName, args: JsonObject, calling: Calling): Promise<Snapshot> {
  if (method === requestsWait.name) return waitOn(client, args, calling);
  // The host looks at every field; what is wrong with them it says better.
  return (await client.call(method, args as never)) as unknown as Snapshot;
}

/** Runs `tool` with `args`. Errors: CompanionError with the host's code, or one of this side's. */
export async function callTool(tool: McpTool, args: JsonObject, calling: Calling): Promise<CallToolResult> {
  const { target } = tool;
  if ('method' in target) {
    return toResult(await calling.link.use((client) => callMethod(client, target.method, args, calling)));
  }
  const params = toCreate(target, args);
  const snapshot = await makeRequest(params, calling);
  if (snapshot.status === 'failed') throw errorOfEnd(snapshot);
  return toResult(
    'shape' in target && target.shape === 'elicitation' ? { ...snapshot, result: fromForm(snapshot.result) } : snapshot,
  );
}
