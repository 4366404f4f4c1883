/** Keeps the browser out of sight: its shortcuts, menus and drops mean nothing on a desktop figure. */

/** With Ctrl these edit a text; anything else with it is the browser's. */
const EDITING = new Set([
  'a',
  'c',
  'v',
  'x',
  'y',
  'z',
  'Enter',
  'Backspace',
  'Delete',
  'Home',
  'End',
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
  'Insert',
]);

type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey' | 'shiftKey' | 'getModifierState'>;

/** Reports whether the browser would do something with these keys that has no place here. */
export function isBrowserKey({ key, ctrlKey, altKey, metaKey, shiftKey, getModifierState }: Keys): boolean {
  // Shift+F10 asks for the menu, which is the figure's own.
  if (/^F\d+$/.test(key)) return !(key === 'F10' && shiftKey);
  if (key.startsWith('Browser') || key.startsWith('Launch')) return true;
  // AltGr writes letters.
  if (getModifierState('AltGraph')) return false;
  if (altKey || metaKey) return true;
  if (!ctrlKey) return false;
  return !EDITING.has(key.length === 1 ? key.toLowerCase() : key);
}

/** Begins on `window`; the page's own handlers hear everything as before. */
export function shutOut(window: Window): void {
  const no = (event: Event): void => event.preventDefault();
  window.addEventListener('keydown', (event) => isBrowserKey(wrap(event)) && no(event), true);
  for (const name of ['contextmenu', 'dragover', 'drop']) window.addEventListener(name, no, true);
  // The side buttons of a mouse go back and forth.
  for (const name of ['mousedown', 'mouseup', 'auxclick'])
    window.addEventListener(name, (event) => (event as MouseEvent).button >= 3 && no(event), true);
  // Ctrl and the wheel zoom.
  window.addEventListener('wheel', (event) => event.ctrlKey && no(event), { capture: true, passive: false });
}

const wrap = (event: KeyboardEvent): Keys => ({
  key: event.key,
  ctrlKey: event.ctrlKey,
  altKey: event.altKey,
  metaKey: event.metaKey,
  shiftKey: event.shiftKey,
  getModifierState: (key) => event.getModifierState(key),
});
