/** The monitors of the screen and what panels leave of each, told again whenever anything of it changes. Nothing is polled. */
import type { XEvent } from 'x11';
import type { Box } from '../../protocol/window.ts';
import type { RandrExtension } from '../x/extensions.ts';
import type { Screen } from '../x/screen.ts';
import { boxOfWindow, watchClient } from './clients.ts';
import { coalesce } from './coalesce.ts';
import { type Monitor, type Size, sameBox } from './geometry.ts';
import { boxesOf, type Reserved, type Strut, strutsOf, workAreaOf } from './work-area.ts';

const SCREEN_CHANGE = 1;
const PAUSE_MS = 50;
/** Properties of the root that say where panels are. */
const ROOT_PROPERTIES = ['_NET_WORKAREA', '_NET_CLIENT_LIST', '_NET_CURRENT_DESKTOP', '_GTK_WORKAREAS_D0'];
const STRUT_PROPERTIES = ['_NET_WM_STRUT_PARTIAL', '_NET_WM_STRUT'];

export interface MonitorWatch {
  /** The primary one first; never empty: with all of them off, those that were there last. */
  list(): readonly Monitor[];
  stop(): void;
}

/** Resolves when the monitors have been read once; then `onChange` hears each list that differs from the one before. */
export async function watchMonitors(
  screen: Screen,
  onChange: (monitors: readonly Monitor[]) => void,
): Promise<MonitorWatch> {
  let monitors = await readMonitors(screen, []);
  let isOver = false;
  const reread = coalesce(async () => {
    const next = await readMonitors(screen, monitors);
    if (isOver || JSON.stringify(next) === JSON.stringify(monitors)) return;
    monitors = next;
    onChange(monitors);
  }, PAUSE_MS);
  screen.extensions.randr?.SelectInput(screen.root, SCREEN_CHANGE);
  const isOccasion = await occasions(screen);
  const off = screen.on((event) => {
    if (isOccasion(event)) reread.ask();
  });
  // Between the first reading and now something may have changed unheard.
  reread.ask();
  return {
    list: () => monitors,
    stop: () => {
      isOver = true;
      off();
      reread.stop();
    },
  };
}

/** Whether an event may mean that monitors or panels have changed. */
async function occasions({ root, atom }: Screen): Promise<(event: XEvent) => boolean> {
  const ofRoot = new Set(await Promise.all(ROOT_PROPERTIES.map(atom)));
  const ofClients = new Set(await Promise.all(STRUT_PROPERTIES.map(atom)));
  return (event) => {
    if (event.name === 'RRScreenChangeNotify') return true;
    if (event.name === 'ConfigureNotify') return event.wid1 === root;
    if (event.name !== 'PropertyNotify') return false;
    return (event.wid === root ? ofRoot : ofClients).has(event.atom as number);
  };
}

async function readMonitors(screen: Screen, before: readonly Monitor[]): Promise<readonly Monitor[]> {
  const { root, ask, extensions } = screen;
  const [size, reserved, outputs] = await Promise.all([
    ask<Size>((done) => screen.X.GetGeometry(root, done)),
    readReserved(screen),
    extensions.randr === null ? [] : readOutputs(screen, extensions.randr),
  ]);
  if (outputs.length === 0 && before.length > 0) return before;
  const whole = { name: 'screen', box: { x: 0, y: 0, width: size.width, height: size.height } };
  const found = outputs.length === 0 ? [whole] : outputs;
  return found.map(({ name, box }) => ({
    name,
    box,
    workArea: workAreaOf(box, size, found.length === 1, reserved),
  }));
}

interface Output {
  readonly name: string;
  readonly box: Box;
}

/** Outputs that show something, the primary first; of several that show the same, one. */
async function readOutputs({ root, ask }: Screen, randr: RandrExtension): Promise<readonly Output[]> {
  const [{ outputs }, primary] = await Promise.all([
    ask<{ readonly outputs: readonly number[] }>((done) => randr.GetScreenResourcesCurrent(root, done)),
    ask<number>((done) => randr.GetOutputPrimary(root, done)),
  ]);
  const inOrder = [...outputs].sort((a, b) => Number(b === primary) - Number(a === primary));
  const all = await Promise.all(inOrder.map((output) => readOutput(ask, randr, output).catch(() => null)));
  const shown = all.filter((output) => output !== null);
  return shown.filter(({ box }, index) => shown.findIndex((other) => sameBox(other.box, box)) === index);
}

async function readOutput(ask: Screen['ask'], randr: RandrExtension, output: number): Promise<Output | null> {
  const { crtc, name } = await ask<{ readonly crtc: number; readonly name: string }>((done) =>
    randr.GetOutputInfo(output, 0, done),
  );
  if (crtc === 0) return null;
  const { mode, x, y, width, height } = await ask<Box & { readonly mode: number }>((done) =>
    randr.GetCrtcInfo(crtc, 0, done),
  );
  return mode === 0 || width === 0 ? null : { name, box: { x, y, width, height } };
}

async function readReserved(screen: Screen): Promise<Reserved> {
  const { root, numbers } = screen;
  const [[desktop = 0], areas, clients] = await Promise.all([
    numbers(root, '_NET_CURRENT_DESKTOP'),
    numbers(root, '_NET_WORKAREA'),
    numbers(root, '_NET_CLIENT_LIST'),
  ]);
  const [each, struts] = await Promise.all([
    numbers(root, `_GTK_WORKAREAS_D${desktop}`),
    Promise.all(clients.map((client) => readStruts(screen, client))),
  ]);
  const all = boxesOf(areas);
  return { struts: struts.flat(), whole: all[desktop] ?? all[0] ?? null, each: boxesOf(each) };
}

async function readStruts(screen: Screen, client: number): Promise<readonly Strut[]> {
  const [partial = [], plain = []] = await Promise.all(STRUT_PROPERTIES.map((name) => screen.numbers(client, name)));
  if (partial.length === 0 && plain.length === 0) return [];
  // A panel that moves or grows says so by these properties.
  watchClient(screen, client);
  return strutsOf(partial, plain, await boxOfWindow(screen, client));
}
