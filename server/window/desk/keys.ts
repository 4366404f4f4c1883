/** Key combinations as people write them, `Ctrl+Alt+Space`, and where they are on this keyboard. Pure; X11 core protocol, keyboard encoding. */

export const MODIFIERS = ['shift', 'ctrl', 'alt', 'super'] as const;
export type Modifier = (typeof MODIFIERS)[number];

export interface Keys {
  readonly modifiers: readonly Modifier[];
  readonly keysym: number;
}

const F1 = 0xffbe;
const FUNCTION_KEYS = 24;
/** Keys by name; letters, digits and F1 to F24 besides. */
const NAMED: Readonly<Record<string, number>> = {
  space: 0x20,
  apostrophe: 0x27,
  plus: 0x2b,
  comma: 0x2c,
  minus: 0x2d,
  period: 0x2e,
  slash: 0x2f,
  semicolon: 0x3b,
  less: 0x3c,
  equal: 0x3d,
  bracketleft: 0x5b,
  backslash: 0x5c,
  bracketright: 0x5d,
  grave: 0x60,
  backspace: 0xff08,
  tab: 0xff09,
  enter: 0xff0d,
  pause: 0xff13,
  scrolllock: 0xff14,
  escape: 0xff1b,
  home: 0xff50,
  left: 0xff51,
  up: 0xff52,
  right: 0xff53,
  down: 0xff54,
  pageup: 0xff55,
  pagedown: 0xff56,
  end: 0xff57,
  print: 0xff61,
  insert: 0xff63,
  menu: 0xff67,
  delete: 0xffff,
};

/** The combination that `text` names, upper and lower case alike; or what is wrong with it, for the user. */
export function parseKeys(text: string): Keys | { readonly fault: string } {
  const parts = text.split('+').map((part) => part.trim().toLowerCase());
  const name = parts.pop() ?? '';
  const strange = parts.find((part) => !isModifier(part));
  if (strange !== undefined) return { fault: `“${strange}” is none of Ctrl, Alt, Shift, Super` };
  if (new Set(parts).size < parts.length) return { fault: 'a modifier is there twice' };
  const keysym = keysymOf(name);
  if (keysym === null)
    return { fault: isModifier(name) ? 'there is no key after the modifiers' : `“${name}” is no key` };
  const modifiers = MODIFIERS.filter((modifier) => parts.includes(modifier));
  // A key that writes or moves by itself would be gone for every other program.
  const isFree = modifiers.some((modifier) => modifier !== 'shift') || isFunctionKey(keysym);
  return isFree ? { modifiers, keysym } : { fault: 'it needs Ctrl, Alt or Super' };
}

const isModifier = (name: string): name is Modifier => MODIFIERS.some((modifier) => modifier === name);
const isFunctionKey = (keysym: number): boolean => keysym >= F1 && keysym < F1 + FUNCTION_KEYS;

function keysymOf(name: string): number | null {
  if (/^[a-z0-9]$/.test(name)) return name.charCodeAt(0);
  const number = /^f([1-9]\d?)$/.exec(name)?.[1];
  if (number !== undefined && Number(number) <= FUNCTION_KEYS) return F1 - 1 + Number(number);
  return Object.hasOwn(NAMED, name) ? NAMED[name]! : null;
}

/** What the server tells of its keyboard. */
export interface Keyboard {
  readonly firstKeycode: number;
  /** Keysyms of each keycode: plain and shifted of the first layout, then of the second, and so on. */
  readonly keysyms: readonly (readonly number[])[];
  /** Keycodes of the eight modifiers: Shift, Lock, Control, Mod1 to Mod5. */
  readonly modifiers: readonly (readonly number[])[];
}

/** Where a combination is on a keyboard. */
export interface Grabs {
  readonly keycodes: readonly number[];
  /** The state of the modifiers, in each state of Caps Lock and Num Lock. */
  readonly states: readonly number[];
}

const LOCK = 2;
const FIXED = { shift: 1, ctrl: 4 } as const;
const ALT = [0xffe9, 0xffea];
const SUPER = [0xffeb, 0xffec];
const NUM_LOCK = [0xff7f];

/** Null when this keyboard has no such key or no such modifier. */
export function findKeys({ modifiers, keysym }: Keys, keyboard: Keyboard): Grabs | null {
  const keycodes = keycodesOf([keysym], keyboard);
  const bits = modifiers.map((modifier) => bitOf(modifier, keyboard));
  if (keycodes.length === 0 || bits.includes(0)) return null;
  const state = bits.reduce((sum, bit) => sum | bit, 0);
  const numLock = modifierBit(NUM_LOCK, keyboard);
  const states = [0, LOCK, numLock, LOCK | numLock].map((locks) => state | locks);
  return { keycodes, states: [...new Set(states)] };
}

/** The keycodes that give one of these keysyms in the earliest column in which any does: plain before shifted, first layout first. */
function keycodesOf(wanted: readonly number[], { firstKeycode, keysyms }: Keyboard): readonly number[] {
  const columns = Math.max(0, ...keysyms.map((row) => row.length));
  for (let column = 0; column < columns; column += 1) {
    const found = keysyms.flatMap((row, index) => (wanted.includes(row[column] ?? 0) ? [firstKeycode + index] : []));
    if (found.length > 0) return found;
  }
  return [];
}

function bitOf(modifier: Modifier, keyboard: Keyboard): number {
  if (modifier === 'shift' || modifier === 'ctrl') return FIXED[modifier];
  return modifierBit(modifier === 'alt' ? ALT : SUPER, keyboard);
}

/** The bit of the modifier that one of these keysyms is on; 0: none. */
function modifierBit(wanted: readonly number[], keyboard: Keyboard): number {
  const keycodes = wanted.flatMap((keysym) => keycodesOf([keysym], keyboard));
  const index = keyboard.modifiers.findIndex((row) => row.some((keycode) => keycodes.includes(keycode)));
  return index < 0 ? 0 : 1 << index;
}
