/** The internal way to the page: its files, and one websocket that only this run's window manager can open (design §2). */
import { timingSafeEqual } from 'node:crypto';
import { Socket } from 'node:net';
import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { type HostMessage, LINK_PATH, LINK_TOKEN_HEADER, PAGE_PATH, type PageMessage } from '../protocol/link.ts';
import { headersFor, openPageFiles, type PageFiles } from './page-files.ts';
import { parsePageMessage } from './parse-page-message.ts';

/** The page, as long as it is connected. */
export interface OverlayPeer {
  /** Sends, or does nothing when the peer is gone. */
  send(message: HostMessage): void;
  /** Messages that are not the page's are dropped. One listener. */
  onMessage(listener: (message: PageMessage) => void): void;
  /** Called once, when the peer is gone for whatever reason. One listener. */
  onClose(listener: () => void): void;
  close(): void;
}

export interface OverlayLinkOptions {
  /** Random, made for this run and held in memory only. */
  readonly token: string;
  /** The built page. */
  readonly overlayFolder: string;
  readonly onConnect: (peer: OverlayPeer) => void;
}

const MAX_MESSAGE_BYTES = 65_536;

/** Adds the websocket and the page's files to `app`. A new peer takes the place of the one before it. */
export function registerOverlayLink(app: FastifyInstance, options: OverlayLinkOptions): void {
  const files = openPageFiles(options.overlayFolder);
  let current: ConnectedPeer | undefined;

  app.register(websocket, { options: { maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false } });
  app.register(async (scope) => {
    scope.route({
      method: 'GET',
      url: LINK_PATH,
      // A stranger shall not learn that there is anything here.
      onRequest: (request, reply, done) => {
        if (isToken(request.headers[LINK_TOKEN_HEADER], options.token)) done();
        else reply.callNotFound();
      },
      handler: (_request, reply) => reply.callNotFound(),
      wsHandler: (socket) => {
        current?.end();
        current = toPeer(socket);
        options.onConnect(current);
      },
    });
    scope.get(`${PAGE_PATH}*`, (request, reply) => sendFile(request, reply, files));
  });
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, files: PageFiles) {
  // The page's requests are injected and have no connection; what came over one is not the page's.
  if (request.raw.socket instanceof Socket) return reply.callNotFound();
  const file = await files(request.url.slice(PAGE_PATH.length).split('?', 1)[0]!);
  if (file === null) return reply.callNotFound();
  return reply.headers(headersFor(file)).send(file.body);
}

function isToken(given: string | string[] | undefined, token: string): boolean {
  const a = Buffer.from(typeof given === 'string' ? given : '');
  const b = Buffer.from(token);
  return a.length === b.length && timingSafeEqual(a, b);
}

interface ConnectedPeer extends OverlayPeer {
  /** Closes, and tells the listener before anybody hears of the next peer. */
  end(): void;
}

function toPeer(socket: WebSocket): ConnectedPeer {
  let onMessage: (message: PageMessage) => void = () => {};
  let onClose = (): void => {};
  let isOpen = true;
  const leave = (): void => {
    if (isOpen) onClose();
    isOpen = false;
  };
  socket.on('message', (data, isBinary) => {
    const message = isBinary ? null : parsePageMessage(String(data));
    if (message !== null && isOpen) onMessage(message);
  });
  socket.on('error', () => socket.terminate());
  socket.once('close', leave);
  return {
    send: (message) => {
      if (isOpen && socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
    },
    onMessage: (listener) => {
      onMessage = listener;
    },
    onClose: (listener) => {
      onClose = listener;
    },
    close: () => socket.close(1000),
    end: () => {
      leave();
      socket.close(1000);
    },
  };
}
