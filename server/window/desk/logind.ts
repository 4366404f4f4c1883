/** What systemd-logind, or elogind, says of our session and of sleep. org.freedesktop.login1(5). */
import { type Bus, connectBus, type Signal } from './bus.ts';
import type { Tell } from './session-facts.ts';

const LOGIND = 'org.freedesktop.login1';
const MANAGER = { destination: LOGIND, path: '/org/freedesktop/login1', interface: `${LOGIND}.Manager` } as const;
const SESSION = `${LOGIND}.Session`;
const PROPERTIES = 'org.freedesktop.DBus.Properties';
/** The session of the caller, or else the one its user looks at. */
const OWN_SESSION = '/org/freedesktop/login1/session/auto';

/** Follows our session and the machine's sleep. Rejects when the bus cannot be used; without logind on it nothing is told. */
export async function followLogind(
  address: string,
  env: Readonly<Record<string, string | undefined>>,
  tell: Tell,
): Promise<Bus> {
  let session: string | null = null;
  const bus = await connectBus(address, (signal) => {
    if (signal.member === 'PrepareForSleep') tell('logind', 'asleep', signal.body[0] === true);
    const isLocked = signal.path === session ? lockedIn(signal) : null;
    if (isLocked !== null) tell('logind', 'locked', isLocked);
  });
  await bus.match(`interface='${MANAGER.interface}',member='PrepareForSleep'`);
  const read = (path: string, name: string): Promise<unknown> =>
    bus
      .call({ destination: LOGIND, path, interface: PROPERTIES, member: 'Get', body: [SESSION, name] })
      .then(([variant]) => contentOf(variant));
  try {
    const id = env.XDG_SESSION_ID ?? (await read(OWN_SESSION, 'Id'));
    [session] = (await bus.call({ ...MANAGER, member: 'GetSession', body: [id] })) as [string];
    await bus.match(`sender='${LOGIND}',path='${session}'`);
    if ((await read(session, 'LockedHint')) === true) tell('logind', 'locked', true);
  } catch {
    // No logind, or we are in no session of its: the screen savers may know.
  }
  return bus;
}

/**
 * Whether a signal of our session says that it is locked; null: it says nothing of that. `Lock` and `Unlock` are only wishes, and
 * nobody need be there to fulfil them: the lock that does stand says so by its hint.
 */
function lockedIn({ interface: from, member, body }: Signal): boolean | null {
  if (from !== PROPERTIES || member !== 'PropertiesChanged' || body[0] !== SESSION) return null;
  const changed = body[1] as Readonly<Record<string, unknown>>;
  return 'LockedHint' in changed ? contentOf(changed.LockedHint) === true : null;
}

const contentOf = (variant: unknown): unknown => (variant as { readonly value?: unknown } | undefined)?.value;
