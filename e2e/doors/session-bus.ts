/** A session bus of a test's own, on which nothing starts by itself, and what is heard and said on it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Message, type MessageBus, sessionBus, type Variant } from '@particle/dbus-next';
import { end, start } from '../desktop/processes.ts';
import { until } from '../harness.ts';

const NAME = 'org.freedesktop.Notifications';
const PATH = '/org/freedesktop/Notifications';

/** Without folders of services: the daemon that is installed here would start by itself. */
const CONFIG = `<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>`;

export interface SessionBus {
  readonly env: { readonly DBUS_SESSION_BUS_ADDRESS: string };
  /** Somebody on the bus. */
  join(): MessageBus;
  end(): Promise<void>;
}

export async function startBus(): Promise<SessionBus> {
  const folder = mkdtempSync(join(tmpdir(), 'bus-'));
  const config = join(folder, 'bus.conf');
  writeFileSync(config, CONFIG);
  const daemon = start('dbus-daemon', [`--config-file=${config}`, '--print-address', '--nofork', '--nopidfile'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let out = '';
  daemon.stdout?.on('data', (chunk: Buffer) => {
    out += chunk;
  });
  await until('the bus is up', () => out.endsWith('\n'));
  const busAddress = out.trim();
  const joined: MessageBus[] = [];
  return {
    env: { DBUS_SESSION_BUS_ADDRESS: busAddress },
    join: () => {
      const bus = sessionBus({ busAddress });
      bus.on('error', () => {});
      joined.push(bus);
      return bus;
    },
    end: async () => {
      for (const bus of joined) bus.disconnect();
      await end(daemon);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface Said {
  readonly summary?: string;
  readonly body?: string;
  readonly app?: string;
  readonly replaces?: number;
  readonly actions?: readonly string[];
  readonly hints?: Readonly<Record<string, Variant<unknown>>>;
  readonly expireMs?: number;
}

/** A program that speaks to the daemon in its own words. */
export interface Speaker {
  notify(said: Said): Promise<number>;
  call(member: string, signature?: string, body?: readonly unknown[]): Promise<readonly unknown[]>;
  /** Signals of the daemon, in order: their names and values. */
  readonly heard: readonly (readonly unknown[])[];
}

export async function openSpeaker(bus: MessageBus): Promise<Speaker> {
  const heard: unknown[][] = [];
  bus.on('message', (message: Message) => {
    if (message.interface === NAME && message.member !== undefined) heard.push([message.member, ...message.body]);
  });
  const send = async (fields: object): Promise<readonly unknown[]> => (await bus.call(new Message(fields)))?.body ?? [];
  await send({
    destination: 'org.freedesktop.DBus',
    path: '/org/freedesktop/DBus',
    interface: 'org.freedesktop.DBus',
    member: 'AddMatch',
    signature: 's',
    body: [`type='signal',interface='${NAME}'`],
  });
  const call: Speaker['call'] = (member, signature = '', body = []) =>
    send({ destination: NAME, path: PATH, interface: NAME, member, signature, body });
  return {
    heard,
    call,
    notify: async ({ summary = 'S', body = '', app = '', replaces = 0, actions = [], hints = {}, expireMs = -1 }) => {
      const words = [app, replaces, '', summary, body, actions, hints, expireMs];
      return (await call('Notify', 'susssasa{sv}i', words))[0] as number;
    },
  };
}
