import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromEntryExec, fromUnitExec, isWritable, toEntryExec, toUnitExec } from './command-line.ts';

const NODE = '/usr/bin/node';

describe('in a systemd unit', () => {
  it.each([
    [[NODE, '/opt/cli.cjs', 'serve'], '/usr/bin/node /opt/cli.cjs serve'],
    [[NODE, '/my files/cli.cjs'], '/usr/bin/node "/my files/cli.cjs"'],
    [[NODE, '/100%/cli.cjs'], '/usr/bin/node "/100%%/cli.cjs"'],
    [[NODE, '/$HOME/cli.cjs'], '/usr/bin/node "/$$HOME/cli.cjs"'],
    [['/$HOME/node', '/cli.cjs'], '/usr/bin/env "/$$HOME/node" /cli.cjs'],
    [[NODE, '/a"b\'c\\d'], '/usr/bin/node "/a\\"b\'c\\\\d"'],
    [[NODE, '/小墨/cli.cjs'], '/usr/bin/node "/小墨/cli.cjs"'],
    [[NODE, ';'], '/usr/bin/node ";"'],
  ])('%j is %s', (words, text) => {
    expect(toUnitExec(words)).toBe(text);
    expect(fromUnitExec(text)).toEqual(words);
  });
});

describe('in a desktop entry', () => {
  it.each([
    [[NODE, '/opt/cli.cjs', 'open'], '/usr/bin/node /opt/cli.cjs open'],
    [[NODE, '/my files/cli.cjs'], '/usr/bin/node "/my files/cli.cjs"'],
    [[NODE, '/100%/cli.cjs'], '/usr/bin/node "/100%%/cli.cjs"'],
    [['/100%/node', '/cli.cjs'], '/usr/bin/env "/100%%/node" /cli.cjs'],
    [[NODE, '/$HOME/`x`'], '/usr/bin/node "/\\\\$HOME/\\\\`x\\\\`"'],
    [[NODE, '/a"b\'c\\d'], '/usr/bin/node "/a\\\\"b\'c\\\\\\\\d"'],
    [[NODE, '/小墨/cli.cjs'], '/usr/bin/node "/小墨/cli.cjs"'],
  ])('%j is %s', (words, text) => {
    expect(toEntryExec(words)).toBe(text);
    expect(fromEntryExec(text)).toEqual(words);
  });
});

describe('any command line', () => {
  const words = fc.array(fc.string({ minLength: 1, unit: fc.constantFrom(...'ab /\\"\'`$%;=~&|<>()*?#\u00e9') }), {
    minLength: 1,
  });
  it.each([
    ['unit', toUnitExec, fromUnitExec],
    ['entry', toEntryExec, fromEntryExec],
  ])('comes back from a %s as it was', (_name, write, read) => {
    fc.assert(
      fc.property(words, (line) => {
        expect(read(write(line))).toEqual(line);
      }),
    );
  });

  it.each(['', 'a "b', 'a "b"c', 'a\\b'])('%j is none that was written here', (text) => {
    expect(fromUnitExec(text)).toBeNull();
    expect(fromEntryExec(text)).toBeNull();
  });

  it('cannot be written with a control character, or an equals sign in the program', () => {
    expect(isWritable([NODE, '/a=b'])).toBe(true);
    expect(isWritable(['/a=b', '/c'])).toBe(false);
    expect(isWritable([NODE, '/a\nb'])).toBe(false);
  });
});
