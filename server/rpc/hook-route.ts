/**
 * `POST /hook/AGENT`: an agent's hook hands over its standard input as it is, because a shell cannot build JSON. The same door, key,
 * version and limits as for any call; only a success has a body worth printing. docs/agent-hooks.md
 */
import { isUtf8 } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Door } from '../protocol/door.ts';
import { type ErrorCode, ProtocolError } from '../protocol/errors.ts';
import { HOOK_PATH } from '../protocol/hooks.ts';
import type { Limits } from '../protocol/limits.ts';
import { ORIGIN_HEADER, parseOrigin } from '../protocol/origin.ts';
import { PROTOCOL_HEADER } from '../protocol/version.ts';
import { toErrorAnswer, toText } from './answer.ts';
import { readBody } from './body.ts';
import type { Connections } from './connections.ts';
import { admit } from './dispatch.ts';
import { JSON_TYPE } from './no-call.ts';

export interface HookRoute {
  readonly door: Door;
  readonly method: string;
  readonly connections: Connections;
  readonly limits: Limits;
}

const TEXT_TYPE = 'text/plain; charset=utf-8';

/** Statuses of what is refused; none is a success, so that `curl --fail` prints nothing. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  PARSE_ERROR: 400,
  INVALID_REQUEST: 400,
  INVALID_PARAMS: 400,
  UNSUPPORTED_PROTOCOL_VERSION: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  PAYLOAD_TOO_LARGE: 413,
};
const OTHER_STATUS = 503;

export function registerHookRoute(app: FastifyInstance, { door, method, connections, limits }: HookRoute): void {
  app.post<{ Params: { agent: string } }>(`${HOOK_PATH}:agent`, {
    onRequest: ({ raw, params, headers }, reply) => {
      reply.hijack();
      // After an upgrade Node hands on the bare connection: no body would ever come.
      if (headers.upgrade !== undefined) return refuse(reply.raw, new ProtocolError('INVALID_REQUEST'));
      const { authorization, [PROTOCOL_HEADER]: version, [ORIGIN_HEADER]: origin } = headers;
      const signal = connections.signalOf(raw);
      readBody(raw, limits.maxFrameBytes, async (body) => {
        try {
          const actor = admit(door, { authorization, version, signal });
          if (actor instanceof ProtocolError) throw actor;
          if (body === null) throw new ProtocolError('PAYLOAD_TOO_LARGE');
          if (!isUtf8(body)) throw new ProtocolError('PARSE_ERROR');
          const call = { agent: params.agent, event: body.toString('utf8'), origin: parseOrigin(origin) };
          write(reply.raw, 200, TEXT_TYPE, String(await door.call(actor, method, call, signal)));
        } catch (error) {
          refuse(reply.raw, error);
        }
      });
    },
    handler: () => undefined,
  });
}

function refuse(response: ServerResponse, error: unknown): void {
  const code = error instanceof ProtocolError ? error.code : 'INTERNAL_ERROR';
  write(response, STATUS[code] ?? OTHER_STATUS, JSON_TYPE, toText(toErrorAnswer(null, error)));
}

function write(response: ServerResponse, status: number, type: string, text: string): void {
  response.sendDate = false;
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text);
}
