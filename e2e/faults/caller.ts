/** A program on the socket without any patience of its own: each call is one exchange, and whatever goes wrong is told. */
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Snapshot } from '../../server/protocol/snapshot.ts';

/** The host's own refusal of a call. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  constructor(code: string, details: Readonly<Record<string, unknown>> = {}) {
    super(`refused: ${code} ${JSON.stringify(details)}`);
    this.code = code;
    this.details = details;
  }
}

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly data: { readonly code: string; readonly details?: Record<string, unknown> } };
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

export interface Caller {
  readonly key: string | null;
  readonly socketPath: string;
  /** One call; its result. Throws Refused with the host's code, or the connection's own error. */
  call<Result = Snapshot>(method: string, params?: object): Promise<Result>;
  /** The code with which the host refuses this call. Throws when it does not. */
  refusal(method: string, params?: object): Promise<string>;
  close(): void;
}

export const headersOf = (key: string | null): Record<string, string> => ({
  'content-type': 'application/json',
  'companion-protocol': '0.1',
  ...(key !== null && { authorization: `Bearer ${key}` }),
});

/** One POST as it is; `body` may be anything. */
export function post(
  socketPath: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>>,
  agent?: Agent,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const sending = request(
      { socketPath, method: 'POST', path: '/rpc', headers, ...(agent && { agent }) },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
        answer.on('error', reject);
      },
    );
    sending.on('error', reject);
    sending.end(body);
  });
}

/** A program with `key`; calls that follow each other share a connection. */
export function createCaller(socketPath: string, key: string | null): Caller {
  const agent = new Agent({ keepAlive: true });
  let id = 0;
  const call = async <Result>(method: string, params: object = {}): Promise<Result> => {
    id += 1;
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const { text } = await post(socketPath, body, headersOf(key), agent);
    const { result, error } = JSON.parse(text) as Answer;
    if (error !== undefined) throw new Refused(error.data.code, error.data.details);
    return result as Result;
  };
  return {
    key,
    socketPath,
    call,
    refusal: async (method, params) => {
      try {
        await call(method, params);
      } catch (error) {
        if (error instanceof Refused) return error.code;
        throw error;
      }
      throw new Error(`${method} was not refused`);
    },
    close: () => agent.destroy(),
  };
}

/** The bytes of one call as they go over the wire. */
export function wireBytes(key: string | null, method: string, params: object): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { host: 'companion', ...headersOf(key), 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `POST /rpc HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** A connection below HTTP: what came in so far, and whether it has ended. */
export interface Raw {
  readonly socket: Socket;
  text(): string;
  readonly closed: Promise<string>;
}

/** Connects; resolves once connected, or when the host will not have it. */
export function openRaw(socketPath: string): Promise<Raw> {
  const socket = connect({ path: socketPath, allowHalfOpen: true });
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  // The host's end of the connection is the end: what is half open here is only what a test leaves so.
  socket.on('end', () => socket.end());
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  return new Promise((resolve, reject) => {
    socket.once('connect', () => {
      socket.off('error', reject).on('error', () => {});
      resolve({ socket, text: () => text, closed });
    });
    socket.once('error', reject);
  });
}
