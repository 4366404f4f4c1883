/** The one door for programs: Fastify on exactly one Unix socket, JSON-RPC over POST /rpc (R1, spec §1). */

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Door } from '../protocol/door.ts';
import type { Limits } from '../protocol/limits.ts';
import { PROTOCOL_HEADER } from '../protocol/version.ts';
import { toText } from './answer.ts';
import { readBody } from './body.ts';
import { type Connections, watchConnections } from './connections.ts';
import { createDispatch, type Dispatch } from './dispatch.ts';
import { registerHookRoute } from './hook-route.ts';
import { JSON_TYPE, type NoCallStatus, noCallBody, noCallMessage } from './no-call.ts';
import type { SocketClaim } from './socket.ts';

export const RPC_PATH = '/rpc';

export interface RpcOptions {
  /** The right to the socket's path, taken before anything else was opened. */
  readonly claim: SocketClaim;
  readonly door: Door;
  /** The method behind the path for agents' hooks. */
  readonly hookMethod: string;
  readonly limits: Limits;
  /** Takes one line about the socket itself; never content. */
  readonly log: (line: string) => void;
  /** Adds routes of other rooms before listening starts. */
  readonly register?: (app: FastifyInstance) => void;
}

export interface InjectedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface RpcServer {
  /** Answers a GET of the page's, without any connection. */
  inject(path: string): Promise<InjectedAnswer>;
  readonly app: FastifyInstance;
  /** Takes the name away if it still is our socket, lets running calls end for a moment, then ends every connection. */
  close(): Promise<void>;
}

/** Pending connections the kernel holds: with Node's 511 a burst of 4000 lost 161, with this none. */
const BACKLOG = 4096;
/** How long calls that are being carried out may go on while closing. */
const CLOSE_GRACE_MS = 500;
const MAX_HEADER_BYTES = 16_384;
/** Node searches for slow requests by a timer that never rests; `watchConnections` does that work. */
const NEVER_MS = 2_147_483_647;

/**
 * Listens where `claim` allows and passes every call through `door`. Resolves when programs can connect.
 * Errors: AlreadyRunning, SocketRefused.
 */
export async function serveRpc(options: RpcOptions): Promise<RpcServer> {
  const { claim } = options;
  const app = await createApp(options);
  try {
    await app.listen({ path: claim.bindPath, backlog: BACKLOG });
    await claim.publish();
  } catch (error) {
    await app.close();
    throw error;
  }
  return {
    app,
    inject: async (path) => {
      const { statusCode, headers, rawPayload } = await app.inject({ method: 'GET', url: path });
      return { status: statusCode, headers: toStrings(headers), body: rawPayload };
    },
    close: async () => {
      await claim.release();
      const cut = setTimeout(() => app.server.closeAllConnections(), CLOSE_GRACE_MS);
      await app.close();
      clearTimeout(cut);
    },
  };
}

async function createApp({ door, hookMethod, limits, register }: RpcOptions): Promise<FastifyInstance> {
  const app = Fastify({
    logger: false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    connectionTimeout: 0,
    requestTimeout: 0,
    keepAliveTimeout: limits.idleTimeoutMs,
    http: { headersTimeout: 0, connectionsCheckingInterval: NEVER_MS, maxHeaderSize: MAX_HEADER_BYTES },
    clientErrorHandler: refuseHttp,
    frameworkErrors: (_error, _request, reply) => refuse(reply, 404),
  });
  app.server.maxConnections = limits.maxConnections;
  const connections = watchConnections(app.server, limits);
  const dispatch = createDispatch(door, limits);

  // Bodies are read by `readBody`: Fastify's way through its content type parsers costs each call 3 %.
  app.removeAllContentTypeParsers();
  app.addHook('onRequest', (request, reply, done) => {
    // Browsers say where a request comes from; programs have no reason to.
    const { origin, referer } = request.headers;
    if (origin === undefined && referer === undefined) done();
    else refuse(reply, 403);
  });
  app.setErrorHandler((_error, _request, reply) => refuse(reply, 400));
  app.setNotFoundHandler((request, reply) => {
    const isRpc = request.url.split('?', 1)[0] === RPC_PATH;
    refuse(reply, isRpc ? 405 : 404, isRpc ? { allow: 'POST' } : {});
  });
  app.post(RPC_PATH, {
    onRequest: ({ raw }, reply) => receive(raw, reply, dispatch, connections, limits),
    handler: () => undefined,
  });
  registerHookRoute(app, { door, method: hookMethod, connections, limits });
  register?.(app);
  await app.ready();
  return app;
}

function receive(
  request: IncomingMessage,
  reply: FastifyReply,
  dispatch: Dispatch,
  connections: Connections,
  { maxFrameBytes }: Limits,
): void {
  const { headers } = request;
  const fault = faultOf(headers);
  if (fault !== null) {
    refuse(reply, fault);
    return;
  }
  readBody(request, maxFrameBytes, (body) => {
    if (body === null) {
      refuse(reply, 413);
      return;
    }
    const { authorization, [PROTOCOL_HEADER]: version } = headers;
    const answering = dispatch(body, { authorization, version, signal: connections.signalOf(request) });
    if (answering !== null && 'then' in answering) answering.then((answer) => respond(reply, answer));
    else respond(reply, answering);
  });
}

function faultOf(headers: IncomingHttpHeaders): NoCallStatus | null {
  // After an upgrade Node hands on the bare connection: no body would ever come.
  if (headers.upgrade !== undefined) return 400;
  return /^application\/json *(;|$)/i.test(headers['content-type'] ?? '') ? null : 415;
}

function respond(reply: FastifyReply, answer: object | null): void {
  if (answer === null) write(reply, 204, {});
  else write(reply, 200, {}, toText(answer));
}

function refuse(reply: FastifyReply, status: NoCallStatus, headers: Readonly<Record<string, string>> = {}): void {
  write(reply, status, headers, noCallBody(status));
}

/** Past Fastify's reply, whose hooks and serializers have nothing to do here; one write for head and body. */
function write(reply: FastifyReply, status: number, headers: Readonly<Record<string, string>>, text?: string): void {
  reply.hijack();
  const response: ServerResponse = reply.raw;
  // Without the date Node needs no timer that renews it.
  response.sendDate = false;
  if (text === undefined) response.writeHead(status, headers).end();
  else
    response
      .writeHead(status, { ...headers, 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(text) })
      .end(text);
}

/** What Node's HTTP reader gives up on; the connection cannot be understood any more and ends. */
function refuseHttp({ code }: Error & { code?: string }, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else socket.end(noCallMessage(code === 'HPE_HEADER_OVERFLOW' ? 413 : 400));
}

function toStrings(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
