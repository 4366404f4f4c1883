import { describe, expect, it } from 'vitest';
import { parseOrigin, readOrigin } from './origin.ts';

describe('readOrigin', () => {
  it('keeps every part that looks as it must', () => {
    const whole = { tty: 'pts/3', tmuxPane: '%12', tmuxServer: 'default', windowId: '29360131', terminal: 'iTerm.app' };
    expect(readOrigin(whole)).toEqual(whole);
  });

  it.each([
    { tmuxPane: '%1; rm -rf /' },
    { tmuxPane: '-t' },
    { tmuxServer: '../../tmp/other' },
    { tmuxServer: '-S' },
    { windowId: '0' },
    { windowId: '0x1c00003' },
    { windowId: 29360131 },
    { tty: '../mem' },
    { tty: 'pts/3\n' },
    { terminal: 'x'.repeat(41) },
    { terminal: 'a\u202eb' },
    { command: 'xterm' },
    { url: 'https://example.org' },
  ])('drops %j', (values) => {
    expect(readOrigin(values)).toEqual({});
  });
});

describe('parseOrigin', () => {
  it('reads the header of the shell client', () => {
    expect(parseOrigin('tty=pts/3;tmuxPane=%4;windowId=7')).toEqual({ tty: 'pts/3', tmuxPane: '%4', windowId: '7' });
  });

  it.each([undefined, '', ';;=;', 'tty', 'constructor=pts/1', '__proto__=pts/1', ['tty=pts/1']])(
    'finds nothing in %j and refuses nothing',
    (header) => {
      expect(parseOrigin(header)).toEqual({});
    },
  );
});
