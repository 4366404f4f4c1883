/** The page's end of the link: whole scenes in, the user's input out. Nothing is lost before the binding exists. */
import { type HostMessage, LINK_BINDING, LINK_RECEIVE, type PageMessage } from '../server/protocol/link.ts';

export type Send = (message: PageMessage) => void;

type Door = Record<string, unknown>;

/**
 * Opens the link on `door` (the window): `receive` gets each host message, the returned function sends.
 * Messages sent before the host has set its binding wait, and leave in order with the first message after it.
 */
export function openLink(door: Door, receive: (message: HostMessage) => void): Send {
  const waiting: string[] = [];
  const flush = (): void => {
    const binding = door[LINK_BINDING];
    if (typeof binding !== 'function') return;
    for (const text of waiting.splice(0)) binding(text);
  };
  door[LINK_RECEIVE] = (message: HostMessage) => {
    flush();
    receive(message);
  };
  return (message) => {
    waiting.push(JSON.stringify(message));
    flush();
  };
}
