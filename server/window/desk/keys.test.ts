import { describe, expect, it } from 'vitest';
import { findKeys, type Keyboard, parseKeys } from './keys.ts';

describe('a combination as text', () => {
  it.each([
    ['Ctrl+Alt+Space', ['ctrl', 'alt'], 0x20],
    ['alt + CTRL + h', ['ctrl', 'alt'], 0x68],
    ['Super+F8', ['super'], 0xffc5],
    ['F24', [], 0xffd5],
    ['Shift+F1', ['shift'], 0xffbe],
    ['Ctrl+7', ['ctrl'], 0x37],
    ['Shift+Super+PageDown', ['shift', 'super'], 0xff56],
    ['Ctrl+Grave', ['ctrl'], 0x60],
    ['Alt+Escape', ['alt'], 0xff1b],
  ])('%s', (text, modifiers, keysym) => {
    expect(parseKeys(text)).toEqual({ modifiers, keysym });
  });

  it.each([
    ['', 'is no key'],
    ['Ctrl+', 'is no key'],
    ['Ctrl+Alt', 'no key after'],
    ['Hyper+A', '“hyper” is none of'],
    ['Ctrl+F25', '“f25” is no key'],
    ['Ctrl+F0', 'is no key'],
    ['Ctrl+constructor', 'is no key'],
    ['Ctrl+Ctrl+A', 'twice'],
    ['A', 'needs Ctrl, Alt or Super'],
    ['Shift+Tab', 'needs Ctrl, Alt or Super'],
    ['Space', 'needs Ctrl, Alt or Super'],
    ['Ctrl+A+B', '“a” is none of'],
    ['Ctrl+Ä', 'is no key'],
  ])('“%s” is refused with a reason', (text, reason) => {
    expect(parseKeys(text)).toEqual({ fault: expect.stringContaining(reason) });
  });
});

describe('a combination on a keyboard', () => {
  /** Keycodes 10 up: 1, h (with a second layout), Alt, Super, Num Lock, Space. */
  const keyboard: Keyboard = {
    firstKeycode: 10,
    keysyms: [
      [0x26, 0x31],
      [0x6d2, 0x6f2, 0x68, 0x48],
      [0xffe9, 0xffe7],
      [0xffeb, 0],
      [0xff7f, 0],
      [0x20, 0],
    ],
    modifiers: [[], [], [], [12, 0], [14, 0], [], [13, 0], []],
  };
  const find = (text: string, on = keyboard) => {
    const keys = parseKeys(text);
    if ('fault' in keys) throw new Error(keys.fault);
    return findKeys(keys, on);
  };

  it('stands for every state of Caps Lock and Num Lock', () => {
    expect(find('Ctrl+Alt+Space')).toEqual({ keycodes: [15], states: [12, 14, 28, 30] });
    expect(find('Super+Space')).toEqual({ keycodes: [15], states: [64, 66, 80, 82] });
  });

  it('is found where the letter is on the second layout and the digit is shifted', () => {
    expect(find('Ctrl+H')?.keycodes).toEqual([11]);
    expect(find('Ctrl+1')?.keycodes).toEqual([10]);
  });

  it('has only the states of Caps Lock where no key is Num Lock', () => {
    const modifiers = keyboard.modifiers.map((row, index) => (index === 4 ? [] : row));
    expect(find('Ctrl+Space', { ...keyboard, modifiers })?.states).toEqual([4, 6]);
  });

  it('is not there when the key or a modifier is missing', () => {
    expect(find('Ctrl+F9')).toBeNull();
    expect(find('Super+Space', { ...keyboard, modifiers: keyboard.modifiers.map(() => []) })).toBeNull();
  });
});
