/** Watches each connection: how long a request may take to arrive, how long silence may last, and when the caller is gone. */
import { setMaxListeners } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Limits } from '../protocol/limits.ts';
import { noCallMessage } from './no-call.ts';

/**
 * Where Node's parser looks for a function to call at the first byte of a message (`HTTPParser.kOnMessageBegin`). Node has
 * no event for it; listening to `data` instead takes the reading away from the parser and made each call 5 % slower.
 */
const ON_MESSAGE_BEGIN = 0;
type HttpParser = Record<typeof ON_MESSAGE_BEGIN, (() => void) | undefined>;

interface Connection {
  /** The newest request whose headers are here; undefined while the next one's are still arriving. */
  request: IncomingMessage | undefined;
  /** The newest answer, begun or not. */
  response: ServerResponse | undefined;
  /** Monotonic ms of the first byte of the request that is arriving. */
  since: number;
  /** Armed at most once per `receiveTimeoutMs`, however many requests pass; none on a silent connection. */
  timer: NodeJS.Timeout | undefined;
  gone: AbortController | undefined;
}

export interface Connections {
  /** Aborts when the connection that `request` came over is gone; one signal per connection. */
  signalOf(request: IncomingMessage): AbortSignal;
}

/**
 * Starts watching `server`. A request has to be here, headers and body, `receiveTimeoutMs` after its first byte: else 408
 * and the end of the connection. Node's own check would need a timer that always runs. A connection that never asks
 * anything ends after `idleTimeoutMs`; a call that is being carried out is not cut. Spec §1, R1.
 */
export function watchConnections(server: Server, limits: Limits): Connections {
  const connections = new WeakMap<Socket, Connection>();

  server.on('connection', (socket: Socket & { parser?: HttpParser }) => {
    const connection: Connection = {
      request: undefined,
      response: undefined,
      since: 0,
      timer: undefined,
      gone: undefined,
    };
    connections.set(socket, connection);
    socket.setTimeout(limits.idleTimeoutMs);
    if (socket.parser) socket.parser[ON_MESSAGE_BEGIN] = () => begin(socket, connection);
    socket.once('close', () => {
      clearTimeout(connection.timer);
      connection.gone?.abort();
    });
  });

  function begin(socket: Socket, connection: Connection): void {
    connection.request = undefined;
    connection.since = performance.now();
    connection.timer ??= setTimeout(check, limits.receiveTimeoutMs, socket, connection);
  }

  function check(socket: Socket, connection: Connection): void {
    connection.timer = undefined;
    if (connection.request?.complete) return;
    const left = connection.since + limits.receiveTimeoutMs - performance.now();
    if (left > 0) connection.timer = setTimeout(check, Math.ceil(left), socket, connection);
    else endSlow(socket, connection.response);
  }

  // A waiting caller may be silent for longer than an idle one: from the first request on Node's keep-alive time rules.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (connection === undefined) return;
    connection.request = request;
    connection.response = response;
    if (request.socket.timeout !== 0) request.socket.setTimeout(0);
  });

  server.on('upgrade', ({ socket }: IncomingMessage) => clearTimeout(connections.get(socket)?.timer));

  return {
    signalOf({ socket }) {
      const connection = connections.get(socket);
      if (connection === undefined) return NEVER;
      connection.gone ??= newController();
      return connection.gone.signal;
    },
  };
}

/** For requests that the host injects itself. */
const NEVER = new AbortController().signal;

function newController(): AbortController {
  const controller = new AbortController();
  // Pipelined and batched calls of one connection may all listen.
  setMaxListeners(0, controller.signal);
  return controller;
}

function endSlow(socket: Socket, response: ServerResponse | undefined): void {
  // An answer under way (to an earlier pipelined call, or a refusal sent before the body was here) must not be cut into.
  const quiet = response === undefined || response.writableFinished || !response.headersSent;
  if (quiet && socket.writable) socket.write(noCallMessage(408));
  socket.destroySoon();
}
