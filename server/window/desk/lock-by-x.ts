/** Whether the X server's screen saver or xscreensaver covers the screen. Both tell by events; where neither is, nothing happens. */
import type { ScreenSaverExtension } from '../x/extensions.ts';
import type { Screen } from '../x/screen.ts';
import { coalesce } from './coalesce.ts';

const NOTIFY = 1;
/** The state of `ScreenSaverNotify` and of an enquiry. */
const ON = 1;
const PAUSE_MS = 50;
/** A property of the root; its first number is 0 or the name of what xscreensaver does. */
const STATUS = '_SCREENSAVER_STATUS';

/** Watches until `stop` or the end of the connection. `onChange` hears each change; before the first call nothing is covered. */
export function watchScreenSaver(screen: Screen, onChange: (isOn: boolean) => void): { stop(): void } {
  let saver: ScreenSaverExtension | null = null;
  let isOn = false;
  let isOver = false;
  const look = coalesce(async () => {
    const next = (await isServersOn(screen, saver)) || (await isOthersOn(screen));
    if (isOver || next === isOn) return;
    isOn = next;
    onChange(isOn);
  }, PAUSE_MS);
  let status = 0;
  const begin = async (): Promise<void> => {
    status = await screen.atom(STATUS);
    saver = await requireSaver(screen);
    saver?.SelectInput(screen.root, NOTIFY);
    look.ask();
  };
  // When the connection has ended there is nothing to watch.
  begin().catch(() => {});
  const off = screen.on(({ name, wid, atom }) => {
    const isStatus = name === 'PropertyNotify' && wid === screen.root && atom === status;
    if (isStatus || name === 'ScreenSaverNotify') look.ask();
  });
  return {
    stop: () => {
      isOver = true;
      off();
      look.stop();
    },
  };
}

const requireSaver = ({ X, ask }: Screen): Promise<ScreenSaverExtension | null> =>
  ask<unknown>((done) => X.require('screen-saver', done)).then(
    (extension) => extension as ScreenSaverExtension,
    () => null,
  );

async function isServersOn({ root, ask }: Screen, saver: ScreenSaverExtension | null): Promise<boolean> {
  if (saver === null) return false;
  const { state } = await ask<{ readonly state: number }>((done) => saver.QueryInfo(root, done));
  return state === ON;
}

async function isOthersOn({ root, atom, numbers }: Screen): Promise<boolean> {
  const [[doing = 0], blank, lock] = await Promise.all([numbers(root, STATUS), atom('BLANK'), atom('LOCK')]);
  return doing === blank || doing === lock;
}
