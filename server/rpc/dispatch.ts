/** Turns the body of one POST into its answer: framing, version, key, then the door, in the order of R14. */
import { isUtf8 } from 'node:buffer';
import { type JSONRPCRequest, type JSONRPCResponse, JSONRPCServer } from 'json-rpc-2.0';
import type { Actor } from '../protocol/actor.ts';
import type { Door } from '../protocol/door.ts';
import { ProtocolError } from '../protocol/errors.ts';
import type { Limits } from '../protocol/limits.ts';
import { PROTOCOL_VERSIONS } from '../protocol/version.ts';
import { type RpcId, toErrorAnswer } from './answer.ts';
import { isDeeperThan } from './json-depth.ts';

/** Who sent the body, as the headers and the connection tell. */
export interface Caller {
  readonly authorization: string | undefined;
  readonly version: string | string[] | undefined;
  /** Aborts when the connection is gone. */
  readonly signal: AbortSignal;
}

/** What a body is answered with; null: nothing. Never rejects. */
export type Answering = object | null | PromiseLike<object | null>;
/** Answers one body. */
export type Dispatch = (body: Buffer, caller: Caller) => Answering;

interface Context {
  /** The actor, or the error with which every call of this body is refused. */
  readonly admitted: Actor | ProtocolError;
  readonly signal: AbortSignal;
  readonly inBatch: boolean;
}

/** Makes the dispatcher. It knows no method: of each it asks the door. */
export function createDispatch(door: Door, limits: Limits): Dispatch {
  // Without a listener of its own the library prints causes, which may hold content, to the console.
  const server = new JSONRPCServer<Context>({ errorListener: () => {} });
  server.mapErrorToJSONRPCErrorResponse = toErrorAnswer;
  server.applyMiddleware(async (_next, request, context): Promise<JSONRPCResponse> => {
    const { method, params, id = null } = request;
    if (context.inBatch && door.waits(method) === true) throw new ProtocolError('INVALID_REQUEST');
    if (context.admitted instanceof ProtocolError) throw context.admitted;
    const misshapen = Array.isArray(params) || isDeeperThan(params, limits.maxJsonDepth);
    if (misshapen && door.waits(method) !== undefined) throw new ProtocolError('INVALID_PARAMS');
    const result = await door.call(context.admitted, method, params, context.signal);
    return { jsonrpc: '2.0', id, result: result ?? null };
  });

  const answerOne = (item: unknown, context: Context): Answering => {
    if (!isCall(item)) return refuse(idOf(item), 'INVALID_REQUEST');
    // Every method answers something or changes something, so one that cannot be answered is not carried out.
    return item.id === undefined ? null : server.receive(item, context);
  };

  const answerBatch = (items: readonly unknown[], context: Context): Answering => {
    if (items.length === 0) return refuse(null, 'INVALID_REQUEST');
    const { maxBatchCalls } = limits;
    if (items.length > maxBatchCalls) {
      return toErrorAnswer(
        null,
        new ProtocolError('INVALID_REQUEST', { limit: 'maxBatchCalls', value: maxBatchCalls }),
      );
    }
    return Promise.all(items.map((item) => answerOne(item, context))).then((answers) => {
      const given = answers.filter((answer) => answer !== null);
      return given.length === 0 ? null : given;
    });
  };

  return (body, caller) => {
    let parsed: unknown;
    try {
      parsed = parse(body);
    } catch {
      return refuse(null, 'PARSE_ERROR');
    }
    const inBatch = Array.isArray(parsed);
    const context = { admitted: admit(door, caller), signal: caller.signal, inBatch };
    return inBatch ? answerBatch(parsed as unknown[], context) : answerOne(parsed, context);
  };
}

function parse(body: Buffer): unknown {
  if (!isUtf8(body)) throw new SyntaxError('not UTF-8');
  return JSON.parse(body.toString('utf8'));
}

/** The actor behind the headers, or the error with which every call of theirs is refused. */
export function admit(door: Door, { authorization, version }: Caller): Actor | ProtocolError {
  if (!(PROTOCOL_VERSIONS as readonly unknown[]).includes(version)) {
    return new ProtocolError('UNSUPPORTED_PROTOCOL_VERSION', { supported: PROTOCOL_VERSIONS });
  }
  try {
    return door.authenticate(authorization);
  } catch (error) {
    return error instanceof ProtocolError ? error : new ProtocolError('INTERNAL_ERROR');
  }
}

/** JSON-RPC 2.0 §4. A null ID is an ID; numbers that JSON readers round are refused, as their answer would go astray. */
function isCall(item: unknown): item is JSONRPCRequest {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return false;
  const { jsonrpc, method, params, id } = item as Record<string, unknown>;
  return (
    jsonrpc === '2.0' &&
    typeof method === 'string' &&
    !Object.hasOwn(item, 'result') &&
    !Object.hasOwn(item, 'error') &&
    (params === undefined || (typeof params === 'object' && params !== null)) &&
    (id === undefined || isId(id))
  );
}

const isId = (id: unknown): id is RpcId =>
  id === null || typeof id === 'string' || (typeof id === 'number' && Math.abs(id) <= Number.MAX_SAFE_INTEGER);

function idOf(item: unknown): RpcId {
  const id = typeof item === 'object' && item !== null ? (item as { id?: unknown }).id : null;
  return isId(id) ? id : null;
}

const refuse = (id: RpcId, code: 'INVALID_REQUEST' | 'PARSE_ERROR') => toErrorAnswer(id, new ProtocolError(code));
