/** The page's end of the link: scenes and the window's word in, the user's input out. Nothing is lost before a binding exists. */
import { type HostMessage, LINK_BINDING, LINK_RECEIVE, type PageMessage } from '../server/protocol/link.ts';
import { type PageToWindow, WINDOW_BINDING, type WindowToPage } from '../server/protocol/window.ts';

export type Send = (message: PageMessage) => void;
export type ToWindow = (message: PageToWindow) => void;

export interface Link {
  /** To the host. */
  readonly send: Send;
  /** To the window around the page. */
  readonly toWindow: ToWindow;
}

type Door = Record<string, unknown>;

/**
 * Opens the link on `door` (the window): `receive` gets each message, whoever sent it.
 * Messages sent before their binding is set wait, and leave in order with the first one after it.
 */
export function openLink(door: Door, receive: (message: HostMessage | WindowToPage) => void): Link {
  const host = openWay(door, LINK_BINDING);
  const window = openWay(door, WINDOW_BINDING);
  door[LINK_RECEIVE] = (message: HostMessage | WindowToPage) => {
    host.flush();
    window.flush();
    receive(message);
  };
  return { send: host.send, toWindow: window.send };
}

/** One way out, through the binding of that name. */
function openWay(door: Door, name: string) {
  const waiting: string[] = [];
  const flush = (): void => {
    const binding = door[name];
    if (typeof binding !== 'function') return;
    for (const text of waiting.splice(0)) binding(text);
  };
  return {
    flush,
    send: (message: PageMessage | PageToWindow): void => {
      waiting.push(JSON.stringify(message));
      flush();
    },
  };
}
