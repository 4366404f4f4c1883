/** Whether the user's session is locked and the machine asleep, as the system says over D-Bus. Where there is no bus, nobody is asked. */
import { join } from 'node:path';
import { type Bus, usableAddress } from './bus.ts';
import { followLogind } from './logind.ts';
import { followScreenSavers } from './screen-savers.ts';
import type { SessionState, Tell } from './session-facts.ts';

export interface SessionOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** One line, when a bus is there and cannot be used. */
  readonly log: (line: string) => void;
  /** Hears each change; before the first call nothing is locked and nobody sleeps. */
  readonly onChange: (state: SessionState) => void;
}

const SYSTEM_BUS = 'unix:path=/run/dbus/system_bus_socket;unix:path=/var/run/dbus/system_bus_socket';

/** Watches until `stop`. Never throws; a bus that goes takes what it told with it. */
export function watchSession({ env, log, onChange }: SessionOptions): { stop(): void } {
  const buses = new Set<Bus>();
  const sources = { locked: new Set<string>(), asleep: new Set<string>() };
  let last: SessionState = { locked: false, asleep: false };
  let isOver = false;
  const settle = (): void => {
    const next = { locked: sources.locked.size > 0, asleep: sources.asleep.size > 0 };
    if (isOver || (next.locked === last.locked && next.asleep === last.asleep)) return;
    last = next;
    onChange(next);
  };
  const follow = async (name: string, addresses: string, start: Follow): Promise<void> => {
    const address = usableAddress(addresses);
    if (address === null) return;
    const own = (source: string): string => `${name} ${source}`;
    const bus = await start(address, (source, fact, isSo) => {
      if (isSo) sources[fact].add(own(source));
      else sources[fact].delete(own(source));
      settle();
    });
    buses.add(bus);
    if (isOver) bus.close();
    await bus.ended;
    for (const fact of Object.values(sources)) {
      for (const source of fact) if (source.startsWith(own(''))) fact.delete(source);
    }
    settle();
  };
  const begin = (name: string, addresses: string, start: Follow): void => {
    follow(name, addresses, start).catch((error: Error) => {
      if (!isOver) log(`the ${name} bus tells nothing (${error.message})`);
    });
  };
  begin('system', env.DBUS_SYSTEM_BUS_ADDRESS ?? SYSTEM_BUS, (address, tell) => followLogind(address, env, tell));
  begin('session', sessionAddress(env), followScreenSavers);
  return {
    stop: () => {
      isOver = true;
      for (const bus of buses) bus.close();
    },
  };
}

type Follow = (address: string, tell: Tell) => Promise<Bus>;

function sessionAddress({ DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR }: SessionOptions['env']): string {
  if (DBUS_SESSION_BUS_ADDRESS) return DBUS_SESSION_BUS_ADDRESS;
  return XDG_RUNTIME_DIR ? `unix:path=${encodeURI(join(XDG_RUNTIME_DIR, 'bus'))}` : '';
}
