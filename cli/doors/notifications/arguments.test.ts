import { describe, expect, it } from 'vitest';
import { readNotifySend } from './arguments.ts';

const NOTE = { app: null, summary: 's', body: '', urgency: 'normal', expireMs: null, actions: [] };
const CALL = { ask: null, note: NOTE, printsId: false, replacesId: null, waits: false, profile: undefined };

describe('readNotifySend', () => {
  it.each<[string[], object, object?]>([
    [['s'], {}],
    [['s', 'b'], { body: 'b' }],
    [['s', 'one\\ntwo\\tthree \\\\ \\x \\101'], { body: 'one\ntwo\tthree \\ x A' }],
    [['-u', 'low', 's'], { urgency: 'low' }],
    [['-ucritical', 's'], { urgency: 'critical' }],
    [['--urgency=CRITICAL', 's'], { urgency: 'critical' }],
    [['-t', '5000', 's'], { expireMs: 5_000 }],
    [['-t', '0', 's'], { expireMs: 0 }],
    [['-t', '-1', 's'], {}],
    [['--expire-time', '7', 's'], { expireMs: 7 }],
    [['-a', 'Mail', 's'], { app: 'Mail' }],
    [['-i', 'x', '-c', 'a,b', '-e', '-h', 'int:v:5', '-h', 'string:x:a:b', '-h', 'BYTE:v:255', 's'], {}],
    [['-p', 's'], {}, { printsId: true }],
    [['-pr', '7', 's'], {}, { printsId: true, replacesId: 7 }],
    [['--print-id', '--replace-id=8', 's'], {}, { printsId: true, replacesId: 8 }],
    [['-r', '-5', 's'], {}],
    [['-r', '0', 's'], {}],
    [['-w', 's'], {}, { waits: true }],
    [['s', '-w'], {}, { waits: true }],
    [
      ['-A', 'yes=Yes', '-A', 'No', '--action=a=b=c', 's'],
      {
        actions: [
          { name: 'yes', label: 'Yes' },
          { name: '1', label: 'No' },
          { name: 'a', label: 'b=c' },
        ],
      },
      { waits: true },
    ],
    [['-A', '=', '-A', '', 's'], {}],
    [['-u', 'low', '-u', 'critical', 's'], { urgency: 'critical' }],
    [['--', '-s', '-b'], { summary: '-s', body: '-b' }],
    [['--credential-profile', 'p', 's'], {}, { profile: 'p' }],
    [['-v'], { summary: '' }, { ask: 'version' }],
    [['--version', 'x'], { summary: 'x' }, { ask: 'version' }],
    [['-?'], { summary: '' }, { ask: 'help' }],
    [['--help'], { summary: '' }, { ask: 'help' }],
  ])('reads %j', (args, note, call = {}) => {
    expect(readNotifySend(args)).toEqual({ ...CALL, note: { ...NOTE, ...note }, ...call });
  });

  it.each([
    [[], 'A summary is needed'],
    [[''], 'A summary is needed'],
    [['a', 'b', 'c'], 'a summary and a body'],
    [['-u', 'loud', 's'], 'low, normal, critical'],
    [['-t', 'soon', 's'], 'whole number'],
    [['-t', '1.5', 's'], 'whole number'],
    [['-t', '99999999999', 's'], 'out of range'],
    [['-r', 'x', 's'], 'whole number'],
    [['-h', 'foo', 's'], 'TYPE:NAME:VALUE'],
    [['-h', 'float:v:1', 's'], 'type of a hint'],
    [['-h', 'int:v:abc', 's'], 'does not fit'],
    [['-h', 'byte:v:256', 's'], 'does not fit'],
    [['--bogus', 's'], 'no such option'],
    [['--toString', 's'], 'no such option'],
    [['-Z', 's'], 'no such option'],
    [['s', '-t'], 'needs a value'],
    [['s', '--app-name'], 'needs a value'],
  ])('refuses %j', (args, message) => {
    expect(() => readNotifySend(args)).toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMS', message: expect.stringContaining(message) }),
    );
  });
});
