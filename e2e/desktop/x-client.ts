/** A typed view of the npm package `x11`, for tests that look at a desktop from outside. */
import { createRequire } from 'node:module';

type Callback<T> = (error: Error | null, value: T) => void;

/** The requests that are used here, as the package names them. */
export interface XRequests {
  atoms: Readonly<Record<string, number>>;
  AllocID(): number;
  CreateWindow(
    window: number,
    parent: number,
    x: number,
    y: number,
    width: number,
    height: number,
    border: number,
    depth: number,
    kind: number,
    visual: number,
    values: Readonly<Record<string, number>>,
  ): void;
  ChangeWindowAttributes(window: number, values: Readonly<Record<string, number>>): void;
  MapWindow(window: number): void;
  DestroyWindow(window: number): void;
  MoveResizeWindow(window: number, x: number, y: number, width: number, height: number): void;
  RaiseWindow(window: number): void;
  ChangeProperty(
    mode: number,
    window: number,
    name: number,
    type: number,
    format: number,
    data: Buffer | string | readonly number[],
  ): void;
  GetProperty(
    erase: number,
    window: number,
    name: number,
    type: number,
    offset: number,
    length: number,
    done: Callback<{ type: number; format: number; data: Buffer }>,
  ): void;
  InternAtom(onlyIfExists: boolean, name: string, done: Callback<number>): void;
  SendClientMessage(
    destination: number,
    window: number,
    type: number,
    format: number,
    data: readonly number[],
    mask?: number,
  ): void;
  GetSelectionOwner(selection: number, done: Callback<number>): void;
  GetInputFocus(done: Callback<{ revertTo: number; focus: number }>): void;
  SetInputFocus(window: number, revertTo: number): void;
  QueryTree(window: number, done: Callback<{ root: number; parent: number; children: number[] }>): void;
  QueryPointer(window: number, done: Callback<{ rootX: number; rootY: number; child: number }>): void;
  GetGeometry(window: number, done: Callback<{ width: number; height: number }>): void;
  GetWindowAttributes(window: number, done: Callback<{ mapState: number; overrideRedirect: number }>): void;
  TranslateCoordinates(
    from: number,
    to: number,
    x: number,
    y: number,
    done: Callback<{ destX: number; destY: number; child: number }>,
  ): void;
  CreatePixmap(pixmap: number, drawable: number, depth: number, width: number, height: number): void;
  CreateGC(context: number, drawable: number, values: Readonly<Record<string, number>>): void;
  PutImage(
    format: number,
    drawable: number,
    context: number,
    width: number,
    height: number,
    x: number,
    y: number,
    leftPad: number,
    depth: number,
    data: Buffer,
  ): void;
  GetImage(
    format: number,
    drawable: number,
    x: number,
    y: number,
    width: number,
    height: number,
    planes: number,
    done: Callback<{ depth: number; data: Buffer }>,
  ): void;
  ClearArea(window: number, x: number, y: number, width: number, height: number, exposures: number): void;
  on(event: 'error' | 'end', hear: (error: Error) => void): void;
  on(event: 'event', hear: (event: XEvent) => void): void;
  sync(done: (error: Error | null) => void): void;
  terminate(): void;
  readonly stream: { readonly destroyed: boolean; once(event: 'close', hear: () => void): void };
}

export interface XEvent {
  readonly name: string;
  readonly wid: number;
  readonly keycode: number;
  readonly x: number;
  readonly y: number;
}

interface Display {
  readonly client: XRequests;
  readonly screen: readonly { readonly root: number; readonly root_depth: number }[];
}

interface Package {
  createClient(options: { display: string }, done: Callback<Display>): XRequests;
  readonly eventMask: Readonly<Record<string, number>>;
}

const x11 = createRequire(import.meta.url)('x11') as Package;

/** The atoms every server knows by the same number. */
const LAST_STANDARD_ATOM = 68;

/** Event mask of these kinds, named as in the protocol. */
export const eventMask = (...names: readonly string[]): number =>
  names.reduce((mask, name) => mask | (x11.eventMask[name] ?? 0), 0);

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface XClient {
  readonly requests: XRequests;
  readonly root: number;
  /** The answer to one request. Throws what the server refuses. */
  ask<T>(send: (requests: XRequests, done: Callback<T>) => void): Promise<T>;
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
  const { client: requests, screen } = await new Promise<Display>((resolve, reject) => {
    const connecting = x11.createClient({ display }, (error, connected) => {
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
