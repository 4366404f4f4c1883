/** The user's hotkeys, grabbed on the root window. A key that some other program has is said to be so and is no error. */
import type { XEvent } from 'x11';
import type { Screen } from '../x/screen.ts';
import { coalesce } from './coalesce.ts';
import { findKeys, type Keyboard, parseKeys } from './keys.ts';

export type HotkeyAction = 'focus' | 'show';

export interface HotkeyReport {
  readonly action: HotkeyAction;
  readonly keys: string;
  /** False: another program has it, this keyboard lacks it, or it means nothing. */
  readonly grabbed: boolean;
}

export interface Hotkeys {
  /** Those that were asked for, as they are now; another keyboard layout may change it. */
  report(): readonly HotkeyReport[];
  stop(): void;
}

interface Grab {
  readonly keycode: number;
  readonly state: number;
  readonly action: HotkeyAction;
}

const ASYNC = 1;
const PAUSE_MS = 100;
const MAPPING_POINTER = 2;
/** Shift, Lock, Control, Mod1 to Mod5; above are the buttons and the layout. */
const MODIFIER_BITS = 0xff;

/**
 * Grabs `keys` (null: no hotkey for that action). `onPress` hears each press once, however long the key is held; `time` is the
 * server's, in ms. Resolves when all have been tried; rejects only when the X connection ends.
 */
export async function grabHotkeys(
  screen: Screen,
  keys: Readonly<Record<HotkeyAction, string | null>>,
  onPress: (action: HotkeyAction, time: number) => void,
): Promise<Hotkeys> {
  const wanted = (['focus', 'show'] as const).flatMap((action) => {
    const text = keys[action];
    return text === null ? [] : [{ action, keys: text }];
  });
  let grabs: readonly Grab[] = [];
  let report: readonly HotkeyReport[] = [];
  const grabAll = async (): Promise<void> => {
    release(screen, grabs);
    const keyboard = await readKeyboard(screen);
    const tried = await inTurn(wanted, (each) => grabOne(screen, keyboard, each));
    grabs = tried.flat();
    report = wanted.map((each, index) => ({ ...each, grabbed: tried[index]!.length > 0 }));
  };
  await grabAll();
  const again = coalesce(grabAll, PAUSE_MS);
  const isRepeat = repeats();
  const off = screen.on((event) => {
    if (event.name === 'MappingNotify' && event.request !== MAPPING_POINTER) again.ask();
    if (isRepeat(event)) return;
    const pressed = grabs.find((grab) => isPressOf(event, grab, screen.root));
    if (pressed !== undefined) onPress(pressed.action, event.time as number);
  });
  return {
    report: () => report,
    stop: () => {
      again.stop();
      off();
      release(screen, grabs);
    },
  };
}

const isPressOf = (event: XEvent, { keycode, state }: Grab, root: number): boolean =>
  event.name === 'KeyPress' &&
  event.wid === root &&
  event.keycode === keycode &&
  ((event.buttons as number) & MODIFIER_BITS) === state;

/** Whether an event is a press that the server repeats: it comes at the very instant of a release of the same key. */
function repeats(): (event: XEvent) => boolean {
  let released: { readonly keycode: unknown; readonly time: unknown } | null = null;
  return ({ name, keycode, time }) => {
    if (name === 'KeyRelease') released = { keycode, time };
    return name === 'KeyPress' && released?.keycode === keycode && released?.time === time;
  };
}

async function readKeyboard({ X, ask, keycodes }: Screen): Promise<Keyboard> {
  const count = keycodes.max - keycodes.min + 1;
  const [keysyms, modifiers] = await Promise.all([
    ask<Keyboard['keysyms']>((done) => X.GetKeyboardMapping(keycodes.min, count, done)),
    ask<Keyboard['modifiers']>((done) => X.GetModifierMapping(done)),
  ]);
  return { firstKeycode: keycodes.min, keysyms, modifiers };
}

/** All grabs of one hotkey, in every state of the locks; none when one of them is taken. */
async function grabOne(
  screen: Screen,
  keyboard: Keyboard,
  { action, keys }: { readonly action: HotkeyAction; readonly keys: string },
): Promise<readonly Grab[]> {
  const { X, root, ask } = screen;
  const parsed = parseKeys(keys);
  const found = 'fault' in parsed ? null : findKeys(parsed, keyboard);
  if (found === null) return [];
  const grabs = found.keycodes.flatMap((keycode) => found.states.map((state) => ({ keycode, state, action })));
  const tries = grabs.map(({ keycode, state }) =>
    ask<null>((done) => X.GrabKey(root, 0, state, keycode, ASYNC, ASYNC, done)).then(
      () => true,
      () => false,
    ),
  );
  const taken = await Promise.all(tries);
  if (taken.every(Boolean)) return grabs;
  release(
    screen,
    grabs.filter((_, index) => taken[index]),
  );
  return [];
}

function release({ X, root, flush }: Screen, grabs: readonly Grab[]): void {
  for (const { keycode, state } of grabs) X.UngrabKey(root, keycode, state);
  flush();
}

async function inTurn<From, To>(all: readonly From[], work: (each: From) => Promise<To>): Promise<readonly To[]> {
  const results: To[] = [];
  for (const each of all) results.push(await work(each));
  return results;
}
