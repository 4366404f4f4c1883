/** The user's hotkeys, grabbed on the root window. A key that some other program has is said to be so and is no error. */
import type { XEvent } from 'x11';
import type { DesktopReport } from '../../protocol/window.ts';
import type { Screen } from '../x/screen.ts';
import { coalesce } from './coalesce.ts';
import { findKeys, type Keyboard, parseKeys } from './keys.ts';

/** Not grabbed: another program has it, this keyboard lacks it, or it means nothing. */
export type HotkeyReport = DesktopReport['hotkeys'][number];
export type HotkeyAction = HotkeyReport['action'];

export interface Hotkeys {
  /** Those that were asked for, as they are now; another keyboard layout may change it. */
  report(): readonly HotkeyReport[];
  stop(): void;
}

/** A keycode with a state of the modifiers. */
interface Place {
  readonly keycode: number;
  readonly state: number;
}

interface Held {
  readonly places: readonly Place[];
  readonly isGrabbed: boolean;
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
  const held = new Map<HotkeyAction, Held>();
  const grabAll = async (): Promise<void> => {
    const keyboard = await readKeyboard(screen);
    for (const { action, keys: text } of wanted) {
      const places = placesOf(text, keyboard);
      const before = held.get(action);
      // Every change of keyboards, also between two alike, brings us here: what is grabbed rightly must not be let go meanwhile.
      if (before?.isGrabbed && samePlaces(before.places, places)) continue;
      if (before?.isGrabbed) release(screen, before.places);
      held.set(action, { places, isGrabbed: await grabPlaces(screen, places) });
    }
  };
  await grabAll();
  const again = coalesce(grabAll, PAUSE_MS);
  const isRepeat = repeats();
  const off = screen.on((event) => {
    if (event.name === 'MappingNotify' && event.request !== MAPPING_POINTER) again.ask();
    if (isRepeat(event)) return;
    for (const [action, { places, isGrabbed }] of held) {
      if (isGrabbed && places.some((place) => isPressOf(event, place, screen.root)))
        onPress(action, event.time as number);
    }
  });
  return {
    report: () => wanted.map((each) => ({ ...each, grabbed: held.get(each.action)?.isGrabbed ?? false })),
    stop: () => {
      again.stop();
      off();
      for (const { places, isGrabbed } of held.values()) if (isGrabbed) release(screen, places);
    },
  };
}

const isPressOf = (event: XEvent, { keycode, state }: Place, root: number): boolean =>
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

/** Where a hotkey is on this keyboard, in every state of the locks; nowhere when it means nothing. */
function placesOf(text: string, keyboard: Keyboard): readonly Place[] {
  const parsed = parseKeys(text);
  const found = 'fault' in parsed ? null : findKeys(parsed, keyboard);
  if (found === null) return [];
  return found.keycodes.flatMap((keycode) => found.states.map((state) => ({ keycode, state })));
}

const samePlaces = (some: readonly Place[], others: readonly Place[]): boolean =>
  JSON.stringify(some) === JSON.stringify(others);

/** Grabs all of them, or none when one is taken. Resolves to whether they are grabbed. */
async function grabPlaces(screen: Screen, places: readonly Place[]): Promise<boolean> {
  const { X, root, ask } = screen;
  const tries = places.map(({ keycode, state }) =>
    ask<null>((done) => X.GrabKey(root, 0, state, keycode, ASYNC, ASYNC, done)).then(
      () => true,
      () => false,
    ),
  );
  const got = await Promise.all(tries);
  if (got.every(Boolean)) return places.length > 0;
  release(
    screen,
    places.filter((_, index) => got[index]),
  );
  return false;
}

function release({ X, root, flush }: Screen, places: readonly Place[]): void {
  for (const { keycode, state } of places) X.UngrabKey(root, keycode, state);
  flush();
}
