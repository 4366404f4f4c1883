/** What the desktops' screen savers say of themselves. While one is active the user sees nothing but it. */
import { type Bus, connectBus, DBUS, type Signal } from './bus.ts';
import type { Tell } from './session-facts.ts';

/** Each has an object and an interface of its own name. */
const NAMES = [
  'org.freedesktop.ScreenSaver',
  'org.gnome.ScreenSaver',
  'org.mate.ScreenSaver',
  'org.cinnamon.ScreenSaver',
  'org.xfce.ScreenSaver',
];

/** Follows those that are there, come and go. Rejects when the bus cannot be used. */
export async function followScreenSavers(address: string, tell: Tell): Promise<Bus> {
  let readActive = (_name: string): void => {};
  const bus = await connectBus(address, (signal) => {
    const change = activeIn(signal);
    if (change !== null) tell(change.name, 'locked', change.isActive);
    const owner = ownerIn(signal);
    if (owner === null) return;
    if (owner.isThere) readActive(owner.name);
    else tell(owner.name, 'locked', false);
  });
  readActive = (name) => {
    const path = `/${name.replaceAll('.', '/')}`;
    bus.call({ destination: name, path, interface: name, member: 'GetActive' }).then(
      ([isActive]) => tell(name, 'locked', isActive === true),
      // It is not there, or does not say: then it has nothing to tell but changes.
      () => {},
    );
  };
  for (const name of NAMES) {
    await bus.match(`interface='${name}',member='ActiveChanged'`);
    await bus.match(`sender='${DBUS.destination}',member='NameOwnerChanged',arg0='${name}'`);
    readActive(name);
  }
  return bus;
}

function activeIn({
  interface: name,
  member,
  body,
}: Signal): { readonly name: string; readonly isActive: boolean } | null {
  return member === 'ActiveChanged' && NAMES.includes(name) ? { name, isActive: body[0] === true } : null;
}

function ownerIn({
  interface: from,
  member,
  body,
}: Signal): { readonly name: string; readonly isThere: boolean } | null {
  if (from !== DBUS.destination || member !== 'NameOwnerChanged') return null;
  const [name, , owner] = body as readonly [string, string, string];
  return NAMES.includes(name) ? { name, isThere: owner !== '' } : null;
}
