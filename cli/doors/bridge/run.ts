/** Stands on the session bus as its notification daemon, where there is no other, until it is told to go or the bus has gone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Message, MessageBus, NameFlag, RequestNameReply } from '@particle/dbus-next';
import createConnection from '@particle/dbus-next/lib/connection.js';
import type { Client } from '../../client/client.ts';
import { CompanionError } from '../../companion-error.ts';
import { BUS_NAME, Notifications, OBJECT_PATH } from './service.ts';

const CONNECT_WITHIN_MS = 5_000;
/** To withdraw what is open, when the host does not answer. */
const END_WITHIN_MS = 2_000;

type Env = Readonly<Record<string, string | undefined>>;

export interface BridgeOptions {
  readonly client: Client;
  readonly canAsk: boolean;
  readonly env: Env;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Called once, when the name is ours. */
  started(): void;
}

const refused = (message: string, details?: Readonly<Record<string, unknown>>): CompanionError =>
  new CompanionError('REFUSED', { message, ...(details && { details }) });

const within = (milliseconds: number): Promise<'late'> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds, 'late').unref();
  });

interface Link {
  readonly bus: MessageBus;
  /** Resolves when the connection is gone, whoever ended it. */
  readonly gone: Promise<'gone'>;
}

/** Connects. Error: REFUSED when there is no session bus, or none that answers. */
async function connectBus(env: Env): Promise<Link> {
  const address =
    env.DBUS_SESSION_BUS_ADDRESS || (env.XDG_RUNTIME_DIR && `unix:path=${join(env.XDG_RUNTIME_DIR, 'bus')}`);
  const none = refused('There is no session bus here (DBUS_SESSION_BUS_ADDRESS).');
  if (!address) throw none;
  try {
    const connection = createConnection({ busAddress: address });
    // The library says of one message that it could not read what it says of a connection that broke: only the latter closes.
    connection.on('error', () => {});
    const gone = new Promise<'gone'>((resolve) => connection.stream.on('close', () => resolve('gone')));
    const bus = new (MessageBus as unknown as new (on: typeof connection) => MessageBus)(connection);
    bus.on('error', () => {});
    const connected = new Promise<'connected'>((resolve) => bus.on('connect', () => resolve('connected')));
    if ((await Promise.race([connected, gone, within(CONNECT_WITHIN_MS)])) === 'connected') return { bus, gone };
    connection.stream.destroy();
  } catch {
    // An address of a kind that the library does not know.
  }
  throw none;
}

const DBUS = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', interface: 'org.freedesktop.DBus' };

/** The program that has the name, as far as it can be found out. */
async function holderOf(bus: MessageBus): Promise<string | null> {
  try {
    const ask = { ...DBUS, member: 'GetConnectionUnixProcessID', signature: 's', body: [BUS_NAME] };
    const reply = await bus.call(new Message(ask));
    return readFileSync(`/proc/${reply?.body[0]}/comm`, 'utf8').trim();
  } catch {
    return null;
  }
}

/** Takes the name where it is free. Error: REFUSED. Never waits in line for it, never takes it from anybody, gives it to nobody. */
async function takeName(bus: MessageBus): Promise<void> {
  if ((await bus.requestName(BUS_NAME, NameFlag.DO_NOT_QUEUE)) === RequestNameReply.PRIMARY_OWNER) return;
  const holder = await holderOf(bus);
  const who = holder === null ? 'Another program' : `Another program (${holder})`;
  throw refused(`${who} shows the notifications of this session. End it first; the companion never takes its place.`, {
    name: BUS_NAME,
    ...(holder !== null && { holder }),
  });
}

/** Runs until `signal`. Errors: REFUSED: no bus, somebody else has the name, the bus has gone. */
export async function bridgeNotifications({ client, canAsk, env, signal, started }: BridgeOptions): Promise<void> {
  const { bus, gone } = await connectBus(env);
  const service = new Notifications({ client, canAsk });
  const stopped = new Promise<'stopped'>((resolve) => {
    if (signal.aborted) resolve('stopped');
    signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
  try {
    // First the object, then the name: who sees the name may call at once.
    bus.export(OBJECT_PATH, service);
    await takeName(bus);
    started();
    if ((await Promise.race([gone, stopped])) === 'gone') throw refused('The session bus has gone.');
  } finally {
    // The name first, so that nothing new comes while the open ones are withdrawn.
    await Promise.race([bus.releaseName(BUS_NAME).catch(() => {}), gone, within(END_WITHIN_MS)]);
    await Promise.race([service.end(), within(END_WITHIN_MS)]);
    bus.disconnect();
    await Promise.race([gone, within(END_WITHIN_MS)]);
  }
}
