/** One connection to the X server: requests with promises, properties, events. Nothing here knows what our window is. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Done, XClient, XDisplay, XEvent } from 'x11';
import { type Extensions, requireExtensions } from './extensions.ts';

/** Event masks of the core protocol. */
export const EVENTS = {
  exposure: 0x8000,
  structure: 0x2_0000,
  substructure: 0x8_0000,
  substructureRedirect: 0x10_0000,
  focus: 0x20_0000,
  property: 0x40_0000,
} as const;

/** The map state of a window that is on the screen, its ancestors too. */
export const IS_VIEWABLE = 2;
const Z_PIXMAP = 2;
const ALL_PLANES = 0xffff_ffff;

/** The predefined atoms that are used as property types. */
const TYPES = { ATOM: 4, CARDINAL: 6, STRING: 31, WINDOW: 33 } as const;
/** Up to here atoms are the same on every server. */
const LAST_STANDARD_ATOM = 68;
const CONNECT_WITHIN_MS = 5_000;
const ENDED = 'the X connection has ended';

export interface Screen {
  readonly X: XClient;
  readonly root: number;
  /** A visual with alpha, depth 32; null where the server has none. */
  readonly argbVisual: number | null;
  readonly extensions: Extensions;
  readonly keycodes: { readonly min: number; readonly max: number };
  /** Answers of a request; rejects with the X error. */
  ask<Answer>(request: (done: Done<Answer>) => void): Promise<Answer>;
  atom(name: string): Promise<number>;
  /** The property's bytes; null when there is none, or no such window any more. */
  property(window: number, name: string): Promise<Buffer | null>;
  /** A property of 32-bit numbers; empty when there is none. */
  numbers(window: number, name: string): Promise<readonly number[]>;
  /** One pixel of a window or pixmap: blue, green, red, and opacity where it has any. Rejects when it is not there. */
  pixel(drawable: number, x: number, y: number): Promise<Buffer>;
  setNumbers(
    window: number,
    name: string,
    type: 'ATOM' | 'CARDINAL' | 'WINDOW' | string,
    values: readonly number[],
  ): Promise<void>;
  setText(window: number, name: string, text: string): Promise<void>;
  /** A client message about `window`, sent to the root for the window manager. */
  tellManager(window: number, name: string, data: readonly number[]): Promise<void>;
  /** Hears every event; returns how to stop. */
  on(listener: (event: XEvent) => void): () => void;
  /** Sends what is buffered; requests without an answer wait for it. */
  flush(): void;
  close(): void;
  /** Resolves when the connection is gone, whoever ended it. */
  readonly ended: Promise<void>;
}

/** 32-bit little-endian numbers, as properties hold them. */
function toBytes(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, 4 * index);
  return bytes;
}

const toNumbers = (bytes: Buffer): number[] =>
  Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readUInt32LE(4 * index));

function unreachable(display: string, error: unknown): Error {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? (error as Error) : new Error(`nothing answers at the display ${display} (${code})`);
}

function openDisplay(display: string): Promise<XDisplay> {
  return new Promise((resolve, reject) => {
    import('x11').then(({ default: x11 }) => {
      const client = x11.createClient({ display, bufferRequests: true }, (error, opened) => {
        if (error) reject(unreachable(display, error));
        else resolve(opened);
      });
      client.on('error', (error) => reject(unreachable(display, error)));
    }, reject);
  });
}

function argbVisualOf({ depths }: XDisplay['screen'][number]): number | null {
  const TRUE_COLOUR = 4;
  const found = Object.entries(depths['32'] ?? {}).find(([, visual]) => visual.class === TRUE_COLOUR);
  return found === undefined ? null : Number(found[0]);
}

/** Connects to `display` and selects what happens to the root's children and properties. Rejects when it cannot, within 5 s. */
export async function connectScreen(display: string): Promise<Screen> {
  const giveUp = new AbortController();
  const late = delay(CONNECT_WITHIN_MS, null, { signal: giveUp.signal }).then(() => {
    throw new Error('the X server does not answer');
  });
  late.catch(() => {});
  try {
    const opened = await Promise.race([openDisplay(display), late]);
    const extensions = await Promise.race([requireExtensions(opened.client), late]);
    return wrap(opened, extensions);
  } finally {
    giveUp.abort();
  }
}

function wrap(display: XDisplay, extensions: Extensions): Screen {
  const X = display.client;
  const [first] = display.screen;
  if (first === undefined) throw new Error('the X server has no screen');
  const { root } = first;
  // The package keeps the atoms of all connections in one table; those of another server, or of one before, are not this one's.
  X.atoms = Object.fromEntries(Object.entries(X.atoms).filter(([, id]) => id <= LAST_STANDARD_ATOM));
  const atoms = new Map<string, Promise<number>>();
  const listeners = new Set<(event: XEvent) => void>();
  X.on('event', (event) => {
    for (const listener of listeners) listener(event);
  });
  // Windows of others come and go: a request about one that has gone is no error of ours.
  X.on('error', () => {});
  const ended = new Promise<void>((resolve) => {
    X.stream.on('close', resolve);
    X.on('end', resolve);
  });

  /** Who waits for an answer: a connection that ends gives none any more. */
  const waiting = new Set<(error: Error) => void>();
  let isOver = false;
  ended.then(() => {
    isOver = true;
    for (const reject of waiting) reject(new Error(ENDED));
    waiting.clear();
  });
  const ask = <Answer>(request: (done: Done<Answer>) => void): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (isOver) return reject(new Error(ENDED));
      waiting.add(reject);
      request((error, answer) => {
        waiting.delete(reject);
        if (error) reject(error);
        else resolve(answer);
        return true;
      });
      X.pack_stream.flush();
    });
  const atom = (name: string): Promise<number> => {
    const known = atoms.get(name) ?? ask<number>((done) => X.InternAtom(false, name, done));
    atoms.set(name, known);
    return known;
  };
  const property = async (window: number, name: string): Promise<Buffer | null> => {
    const id = await atom(name);
    const found = await ask<{ type: number; data: Buffer }>((done) =>
      X.GetProperty(0, window, id, 0, 0, 65_536, done),
    ).catch(() => null);
    return found === null || found.type === 0 ? null : found.data;
  };

  X.ChangeWindowAttributes(root, { eventMask: EVENTS.substructure | EVENTS.structure | EVENTS.property });
  X.pack_stream.flush();
  return {
    X,
    root,
    argbVisual: argbVisualOf(first),
    extensions,
    keycodes: { min: display.min_keycode, max: display.max_keycode },
    ask,
    atom,
    property,
    numbers: async (window, name) => toNumbers((await property(window, name)) ?? Buffer.alloc(0)),
    pixel: async (drawable, x, y) =>
      (await ask<{ data: Buffer }>((done) => X.GetImage(Z_PIXMAP, drawable, x, y, 1, 1, ALL_PLANES, done))).data,
    setNumbers: async (window, name, type, values) => {
      const typeAtom = TYPES[type as keyof typeof TYPES] ?? (await atom(type));
      X.ChangeProperty(0, window, await atom(name), typeAtom, 32, toBytes(values));
    },
    setText: async (window, name, text) => {
      const typeAtom = name.startsWith('_NET') ? await atom('UTF8_STRING') : TYPES.STRING;
      X.ChangeProperty(0, window, await atom(name), typeAtom, 8, Buffer.from(text));
    },
    tellManager: async (window, name, data) => {
      const message = { name: 'ClientMessage', format: 32, wid: window, message_type: await atom(name), data };
      X.SendEvent(root, 0, EVENTS.substructure | EVENTS.substructureRedirect, message);
      X.pack_stream.flush();
    },
    on: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    flush: () => X.pack_stream.flush(),
    close: () => X.stream.destroy(),
    ended,
  };
}
