/** One connection to a D-Bus: calls with promises, and signals. Nothing here is a service. */
import { existsSync } from 'node:fs';
import type { Message } from '@particle/dbus-next/lib/message-type.js';

export interface Call {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  /** D-Bus types of `body`; default: all strings. */
  readonly signature?: string;
  readonly body?: readonly unknown[];
}

export interface Bus {
  /** The answer's values; rejects with the name of the error, or when the bus has gone. Never starts a service. */
  call(call: Call): Promise<readonly unknown[]>;
  /** Asks for the signals that fit a match rule without its type. */
  match(rule: string): Promise<void>;
  close(): void;
  /** Resolves when the connection is gone, whoever ended it. */
  readonly ended: Promise<void>;
}

export interface Signal {
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly body: readonly unknown[];
}

const CONNECT_WITHIN_MS = 5_000;
const METHOD_RETURN = 2;
const FAILED = 3;
const SIGNAL = 4;
const NO_AUTO_START = 2;
export const DBUS = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus' } as const;

/**
 * The first of the addresses that may be there, in the form the library takes; null: none, and nothing need be loaded.
 * D-Bus specification, server addresses.
 */
export function usableAddress(addresses: string): string | null {
  for (const address of addresses.split(';')) {
    const [kind, fields = ''] = address.split(':', 2);
    const values = new Map(fields.split(',').map((pair) => pair.split('=', 2) as [string, string]));
    const path = decodeURIComponent(values.get('path') ?? '');
    const abstract = values.get('abstract');
    if (kind !== 'unix') continue;
    if (abstract !== undefined) return `unix:socket=\0${decodeURIComponent(abstract)}`;
    if (path !== '' && existsSync(path)) return `unix:socket=${path}`;
  }
  return null;
}

/** Connects to an address of `usableAddress`. Rejects when it cannot, within 5 s. */
export async function connectBus(address: string, onSignal: (signal: Signal) => void): Promise<Bus> {
  // By their defaults: a bundler does not know the names of what is not a module.
  const [{ default: createConnection }, { default: words }] = await Promise.all([
    import('@particle/dbus-next/lib/connection.js'),
    import('@particle/dbus-next/lib/message-type.js'),
  ]);
  const connection = createConnection({ busAddress: address });
  const waiting = new Map<number, { resolve: (body: readonly unknown[]) => void; reject: (error: Error) => void }>();
  let isOver = false;
  let serial = 0;
  const ended = new Promise<void>((resolve) => {
    const end = (): void => {
      isOver = true;
      for (const { reject } of waiting.values()) reject(new Error('the bus has gone'));
      waiting.clear();
      connection.stream.destroy();
      resolve();
    };
    connection.on('error', end);
    connection.on('end', end);
    connection.stream.on('close', end);
  });
  const answer = ({ type, replySerial, body, errorName }: Message): void => {
    const caller = waiting.get(replySerial);
    waiting.delete(replySerial);
    if (type === METHOD_RETURN) caller?.resolve(body);
    else caller?.reject(new Error(errorName));
  };
  connection.on('message', (message) => {
    if (message.type === SIGNAL) onSignal(message);
    else if (message.type === METHOD_RETURN || message.type === FAILED) answer(message);
  });
  const call = (fields: Call): Promise<readonly unknown[]> =>
    new Promise((resolve, reject) => {
      if (isOver) return reject(new Error('the bus has gone'));
      serial += 1;
      waiting.set(serial, { resolve, reject });
      const signature = fields.signature ?? 's'.repeat(fields.body?.length ?? 0);
      connection.message(new words.Message({ flags: NO_AUTO_START, ...fields, signature, serial }));
    });
  const late = setTimeout(() => connection.stream.destroy(), CONNECT_WITHIN_MS);
  try {
    await call({ ...DBUS, interface: DBUS.destination, member: 'Hello' });
  } catch (error) {
    connection.stream.destroy();
    throw error;
  } finally {
    clearTimeout(late);
  }
  return {
    call,
    match: async (rule) => {
      const body = [`type='signal',${rule}`];
      await call({ ...DBUS, interface: DBUS.destination, member: 'AddMatch', body });
    },
    close: () => connection.stream.destroy(),
    ended,
  };
}
