/** The one file that carries the link: a websocket on the host's socket on one side, one CDP session on the other (design §2). */
import { connect } from 'node:net';
import type { CDPSession } from 'puppeteer-core';
import { WebSocket } from 'ws';
import { LINK_BINDING, LINK_PATH, LINK_RECEIVE, LINK_TOKEN_HEADER } from '../protocol/link.ts';
import { WINDOW_BINDING, type WindowToPage } from '../protocol/window.ts';

export interface RelayOptions {
  readonly session: CDPSession;
  readonly socketPath: string;
  readonly token: string;
  /** Gets the promise of each answer the page gives to a message. */
  readonly onSent: (answer: Promise<unknown>) => void;
  /** The page has spoken and the host hears it. Once for each load of the page. */
  readonly onUp: () => void;
  /** What the page says to its window; it never goes further. */
  readonly onWindowMessage: (json: string) => void;
  /** The page has been left; unless it is loaded again it will not speak any more. */
  readonly onGone: () => void;
  /** The websocket ended although the page is there. */
  readonly onLost: () => void;
}

export interface Relay {
  /** Says something to the page in the window's own name; nothing while there is no page. */
  tell(message: WindowToPage): void;
  stop(): void;
}

/** One load of the page: its execution context, and the websocket that stands for it. */
interface Link {
  readonly contextId: number;
  readonly socket: WebSocket;
  /** The page's receiving function; null until it has been looked up. */
  receiver: string | null;
  /** What came from either side before the other was ready. */
  readonly toHost: string[];
  readonly toPage: unknown[];
}

/** Starts carrying. The page's first message opens its websocket, so the host never speaks to a page that is not listening. */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const { session } = options;
  let link: Link | undefined;

  const drop = (): void => {
    const { socket } = link ?? {};
    link = undefined;
    socket?.terminate();
  };

  session.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
    if (name === WINDOW_BINDING) options.onWindowMessage(payload);
    if (name !== LINK_BINDING) return;
    if (link?.contextId !== executionContextId) {
      drop();
      link = open(executionContextId);
    }
    if (link.socket.readyState === WebSocket.OPEN) link.socket.send(payload);
    else link.toHost.push(payload);
  });
  session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
    if (link?.contextId !== executionContextId) return;
    drop();
    options.onGone();
  });
  session.on('Runtime.executionContextsCleared', () => {
    const wasThere = link !== undefined;
    drop();
    if (wasThere) options.onGone();
  });
  await session.send('Runtime.enable');
  for (const name of [LINK_BINDING, WINDOW_BINDING]) await session.send('Runtime.addBinding', { name });
  return {
    stop: drop,
    tell: (message) => {
      if (link === undefined) return;
      if (link.receiver === null) link.toPage.push(message);
      else deliver(link.receiver, message);
    },
  };

  function open(contextId: number): Link {
    const socket = new WebSocket(`ws://localhost${LINK_PATH}`, {
      // A `ws+unix:` URL would break at a colon in the path.
      createConnection: () => connect(options.socketPath),
      headers: { [LINK_TOKEN_HEADER]: options.token },
      perMessageDeflate: false,
    });
    const opened: Link = { contextId, socket, receiver: null, toHost: [], toPage: [] };
    socket.on('open', () => {
      for (const text of opened.toHost.splice(0)) socket.send(text);
      options.onUp();
    });
    socket.on('message', (data) => {
      const message: unknown = JSON.parse(String(data));
      if (opened.receiver === null) opened.toPage.push(message);
      else deliver(opened.receiver, message);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      if (link === opened) options.onLost();
    });
    findReceiver(opened).catch(() => {
      if (link === opened) options.onLost();
    });
    return opened;
  }

  async function findReceiver(opened: Link): Promise<void> {
    const { result } = await session.send('Runtime.evaluate', {
      expression: `globalThis.${LINK_RECEIVE}`,
      contextId: opened.contextId,
    });
    if (result.type !== 'function' || result.objectId === undefined) throw new Error('the page has no receiver');
    opened.receiver = result.objectId;
    for (const message of opened.toPage.splice(0)) deliver(result.objectId, message);
  }

  /** One CDP call, and nothing waits for its answer but the watchdog. */
  function deliver(objectId: string, message: unknown): void {
    const functionDeclaration = 'function (message) { this(message); }';
    options.onSent(
      session.send('Runtime.callFunctionOn', { objectId, functionDeclaration, arguments: [{ value: message }] }),
    );
  }
}
