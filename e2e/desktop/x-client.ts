/** A connection of its own to an X server, for tests that look at a desktop from outside. */
import x11, { type Done, type XClient as Requests, type XDisplay } from 'x11';
import type { Box } from '../../server/protocol/window.ts';

/** The atoms every server knows by the same number. */
const LAST_STANDARD_ATOM = 68;

/** Event mask of these kinds, named as in the protocol. */
export const eventMask = (...names: readonly string[]): number =>
  names.reduce((mask, name) => mask | (x11.eventMask[name] ?? 0), 0);

/** Of the screen, px. */
export type Area = Box;

export interface XClient {
  readonly requests: Requests;
  readonly root: number;
  /** The answer to one request. Throws what the server refuses. */
  ask<T>(send: (requests: Requests, done: Done<T>) => void): Promise<T>;
  atom(name: string): Promise<number>;
  /** A property as 32-bit numbers; empty when it is not there. */
  numbers(window: number, name: string): Promise<number[]>;
  /** A property as text; null when it is not there. */
  text(window: number, name: string): Promise<string | null>;
  /** Where a window lies on the screen, px, without its border. */
  place(window: number): Promise<Area>;
  /** Resolves when the server has done everything that was asked so far. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Connects to the display `:N`. What the server refuses of requests without an answer goes to `onError`. */
export async function connectX(display: string, onError: (error: Error) => void = () => {}): Promise<XClient> {
  const { client: requests, screen } = await new Promise<XDisplay>((resolve, reject) => {
    const connecting = x11.createClient({ display, bufferRequests: false }, (error, connected) => {
      if (error) reject(error);
      else resolve(connected);
    });
    connecting.on('error', reject);
  });
  requests.on('error', onError);
  // The package keeps the atoms of all connections together, and another server has other numbers.
  requests.atoms = Object.fromEntries(Object.entries(requests.atoms).filter(([, id]) => id <= LAST_STANDARD_ATOM));
  const root = screen[0]!.root;
  const ask: XClient['ask'] = (send) =>
    new Promise((resolve, reject) => send(requests, (error, value) => (error ? reject(error) : resolve(value))));
  const atom = (name: string): Promise<number> => ask((X, done) => X.InternAtom(false, name, done));
  const property = async (window: number, name: string) => {
    const id = await atom(name);
    return ask<{ type: number; format: number; data: Buffer }>((X, done) =>
      X.GetProperty(0, window, id, 0, 0, 1_000, done),
    );
  };
  const sync = (): Promise<void> =>
    new Promise((resolve, reject) => requests.sync((error) => (error ? reject(error) : resolve())));
  return {
    requests,
    root,
    ask,
    atom,
    sync,
    numbers: async (window, name) => {
      const { data, format } = await property(window, name);
      return format === 32 ? Array.from({ length: data.length / 4 }, (_, at) => data.readUInt32LE(4 * at)) : [];
    },
    text: async (window, name) => {
      const { type, data } = await property(window, name);
      return type === 0 ? null : data.toString('utf8');
    },
    place: async (window) => {
      const { width, height } = await ask<{ width: number; height: number }>((X, done) => X.GetGeometry(window, done));
      const { destX, destY } = await ask<{ destX: number; destY: number }>((X, done) =>
        X.TranslateCoordinates(window, root, 0, 0, done),
      );
      return { x: destX, y: destY, width, height };
    },
    close: () =>
      new Promise((resolve) => {
        if (requests.stream.destroyed) return resolve();
        requests.stream.once('close', resolve);
        requests.terminate();
      }),
  };
}
