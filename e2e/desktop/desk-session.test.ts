import { type ChildProcess, spawn } from 'node:child_process';
import { Message, type MessageBus, sessionBus, Variant } from '@particle/dbus-next';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { watchSession } from '../../server/window/desk/session.ts';
import type { SessionState } from '../../server/window/desk/session-facts.ts';
import { until } from '../harness.ts';

const SESSION = '/org/freedesktop/login1/session/_37';
const PROPERTIES = 'org.freedesktop.DBus.Properties';
const MANAGER = 'org.freedesktop.login1.Manager';

let ended: (() => unknown)[];
let heard: SessionState[];
let lines: string[];
beforeEach(() => {
  ended = [];
  heard = [];
  lines = [];
});
afterEach(async () => {
  for (const end of ended.reverse()) await end();
});

/** A bus of its own; `end` takes it away. */
async function startBus(): Promise<{ readonly address: string; end(): Promise<void> }> {
  const daemon: ChildProcess = spawn('dbus-daemon', ['--session', '--print-address', '--nofork', '--nopidfile']);
  let out = '';
  daemon.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  const gone = new Promise<void>((resolve) => daemon.once('exit', () => resolve()));
  const end = (): Promise<void> => {
    daemon.kill();
    return gone;
  };
  ended.push(end);
  await until('the bus is up', () => out.endsWith('\n'));
  return { address: out.trim(), end };
}

type Answers = Readonly<Record<string, () => readonly [signature: string, value: unknown]>>;

/** Somebody on the bus who answers these methods. */
async function startService(address: string, name: string, answers: Answers): Promise<MessageBus> {
  const bus = sessionBus({ busAddress: address });
  bus.on('error', () => {});
  ended.push(() => bus.disconnect());
  bus.addMethodHandler((message: Message) => {
    const key = [message.member, ...message.body].join(' ');
    const answer = answers[key]?.();
    if (answer === undefined) return false;
    try {
      bus.send(Message.newMethodReturn(message, answer[0], [answer[1]]));
    } catch {
      // The test is over, and so is the bus.
    }
    return true;
  });
  await bus.requestName(name, 0);
  return bus;
}

const startLogind = (address: string, isLocked = false): Promise<MessageBus> =>
  startService(address, 'org.freedesktop.login1', {
    'GetSession 37': () => ['o', SESSION],
    'Get org.freedesktop.login1.Session Id': () => ['v', new Variant('s', '37')],
    'Get org.freedesktop.login1.Session LockedHint': () => ['v', new Variant('b', isLocked)],
  });
const hint = (bus: MessageBus, isLocked: boolean, path = SESSION): void =>
  bus.send(
    Message.newSignal(path, PROPERTIES, 'PropertiesChanged', 'sa{sv}as', [
      'org.freedesktop.login1.Session',
      { LockedHint: new Variant('b', isLocked) },
      [],
    ]),
  );
const sleep = (bus: MessageBus, isComing: boolean): void =>
  bus.send(Message.newSignal('/org/freedesktop/login1', MANAGER, 'PrepareForSleep', 'b', [isComing]));

const watch = (env: Readonly<Record<string, string>>): void => {
  const { stop } = watchSession({ env, log: (line) => lines.push(line), onChange: (state) => heard.push(state) });
  ended.push(stop);
};
const told = (count: number): Promise<unknown> => until(`${count} changes`, () => heard.length >= count, 10_000);

/** Sends until it is heard: the watch may not have asked for it yet. */
const tellUntilHeard = (send: () => void, count: number): Promise<unknown> =>
  until('it is heard', () => {
    send();
    return heard.length >= count;
  });

describe('the session', () => {
  it('that is locked and unlocked, and a machine that sleeps and wakes, are told', async () => {
    const { address } = await startBus();
    const logind = await startLogind(address);
    watch({ DBUS_SYSTEM_BUS_ADDRESS: address });
    await tellUntilHeard(() => hint(logind, true), 1);
    hint(logind, false, '/org/freedesktop/login1/session/_38');
    sleep(logind, true);
    await told(2);
    hint(logind, false);
    sleep(logind, false);
    await told(4);
    expect(heard).toEqual([
      { locked: true, asleep: false },
      { locked: true, asleep: true },
      { locked: false, asleep: true },
      { locked: false, asleep: false },
    ]);
  });

  it('that was locked before is told at once, also by its number', async () => {
    const { address } = await startBus();
    await startLogind(address, true);
    watch({ DBUS_SYSTEM_BUS_ADDRESS: address, XDG_SESSION_ID: '37' });
    await told(1);
    expect(heard).toEqual([{ locked: true, asleep: false }]);
  });

  it('is no longer locked for us when the bus that said so goes', async () => {
    const { address, end } = await startBus();
    await startLogind(address, true);
    watch({ DBUS_SYSTEM_BUS_ADDRESS: address });
    await told(1);
    await end();
    await told(2);
    expect(heard.at(-1)).toEqual({ locked: false, asleep: false });
    expect(lines).toEqual([]);
  });
});

describe('a screen saver', () => {
  const NAME = 'org.mate.ScreenSaver';
  const asked: string[] = [];
  const startSaver = (address: string, isActive: boolean, name = NAME): Promise<MessageBus> =>
    startService(address, name, {
      GetActive: () => {
        asked.push(name);
        return ['b', isActive];
      },
    });

  it('that is active when it comes, and goes, is told', async () => {
    const { address } = await startBus();
    watch({ DBUS_SESSION_BUS_ADDRESS: address, DBUS_SYSTEM_BUS_ADDRESS: 'unix:path=/nowhere' });
    const saver = await startSaver(address, true);
    await told(1);
    const active = (isActive: boolean): void =>
      saver.send(Message.newSignal('/org/mate/ScreenSaver', NAME, 'ActiveChanged', 'b', [isActive]));
    active(false);
    await told(2);
    active(true);
    await told(3);
    saver.disconnect();
    await told(4);
    expect(heard.map(({ locked }) => locked)).toEqual([true, false, true, false]);
  });

  it('beside a locked session: both must be over', async () => {
    const { address } = await startBus();
    const logind = await startLogind(address, true);
    await startSaver(address, false);
    watch({ DBUS_SESSION_BUS_ADDRESS: address, DBUS_SYSTEM_BUS_ADDRESS: address });
    await told(1);
    const saver = await startSaver(address, true, 'org.gnome.ScreenSaver');
    await until('it was asked', () => asked.includes('org.gnome.ScreenSaver'));
    hint(logind, false);
    sleep(logind, true);
    await told(2);
    saver.disconnect();
    await told(3);
    expect(heard).toEqual([
      { locked: true, asleep: false },
      { locked: true, asleep: true },
      { locked: false, asleep: true },
    ]);
  });
});

it('where there is no bus nothing happens, and where there is no logind neither', async () => {
  const nowhere = 'unix:path=/nowhere/bus';
  watch({ DBUS_SYSTEM_BUS_ADDRESS: nowhere, DBUS_SESSION_BUS_ADDRESS: nowhere });
  const { address } = await startBus();
  watch({ DBUS_SYSTEM_BUS_ADDRESS: address });
  const logind = await startLogind(address);
  await tellUntilHeard(() => sleep(logind, true), 1);
  expect([heard, lines]).toEqual([[{ locked: false, asleep: true }], []]);
});
