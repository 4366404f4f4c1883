/** A served socket in a folder of its own, with a door that does what the test says, and bare clients for it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { ANONYMOUS } from '../protocol/actor.ts';
import type { Door } from '../protocol/door.ts';
import { ProtocolError } from '../protocol/errors.ts';
import { LIMITS, type Limits } from '../protocol/limits.ts';
import { type RpcServer, serveRpc } from './serve.ts';
import { prepareSocket } from './socket.ts';

/** Knows `echo` (returns its params) and `things.wait` (waits); the key `good` is right, every other one wrong. */
export const fakeDoor = (calls: Partial<Record<string, Door['call']>> = {}): Door => ({
  authenticate: (authorization) => {
    if (authorization !== undefined && authorization !== 'Bearer good') throw new ProtocolError('UNAUTHENTICATED');
    return ANONYMOUS;
  },
  waits: (method) =>
    method === 'things.wait' ? true : method === 'echo' || Object.hasOwn(calls, method) ? false : undefined,
  call: async (actor, method, params, signal) => {
    const handler = Object.hasOwn(calls, method) ? calls[method] : undefined;
    if (handler !== undefined) return handler(actor, method, params, signal);
    if (method === 'echo') return params;
    throw new ProtocolError('METHOD_NOT_FOUND');
  },
});

export interface Served {
  readonly server: RpcServer;
  readonly socketPath: string;
  readonly folder: string;
  stop(): Promise<void>;
}

export async function serve(
  door: Door = fakeDoor(),
  limits: Partial<Limits> = {},
  register?: (app: FastifyInstance) => void,
): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'rpc-'));
  const socketPath = join(folder, 'companion.sock');
  const claim = await prepareSocket(socketPath, () => {});
  const options = { claim, door, hookMethod: 'things.hook', limits: { ...LIMITS, ...limits }, log: () => {} };
  const server = await serveRpc(register === undefined ? options : { ...options, register });
  return {
    server,
    socketPath,
    folder,
    stop: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever came back
  readonly json: any;
}

export interface Ask {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One HTTP request on a connection of its own; objects are sent as JSON. */
export function ask(socketPath: string, body: string | Buffer | object, how: Ask = {}): Promise<HttpAnswer> {
  const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const headers = { 'content-type': 'application/json', 'companion-protocol': '0.1', ...how.headers };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { socketPath, method: how.method ?? 'POST', path: how.path ?? '/rpc', headers, agent: false },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const json = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined;
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, json });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}

/** A call of `method` with params, ready to send. */
export const call = (method: string, params?: unknown, id: unknown = 1): object => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params === undefined ? {} : { params }),
});

/** The bytes of one POST of `body`, for bare connections. */
export function post(body: string, headers: readonly string[] = []): string {
  const head = [
    'POST /rpc HTTP/1.1',
    'Host: x',
    'Content-Type: application/json',
    'Companion-Protocol: 0.1',
    ...headers,
  ];
  return `${[...head, `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`;
}

export interface RawClient {
  readonly socket: Socket;
  /** All that came so far. */
  received(): string;
  /** Resolves with all that came, when the other side has ended the connection. */
  readonly closed: Promise<string>;
  /** Resolves when what came contains `text`. */
  until(text: string): Promise<string>;
}

/** A bare connection that sends what it is told and keeps what comes. */
export function rawClient(socketPath: string): RawClient {
  const socket = connect(socketPath);
  let got = '';
  socket.on('error', () => {});
  socket.setEncoding('utf8').on('data', (chunk) => {
    got += chunk;
  });
  return {
    socket,
    received: () => got,
    closed: new Promise((resolve) => socket.once('close', () => resolve(got))),
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!got.includes(text)) return;
          socket.off('data', look);
          resolve(got);
        };
        socket.on('data', look);
        socket.once('close', () => reject(new Error(`closed before ${text} came`)));
        look();
      }),
  };
}
