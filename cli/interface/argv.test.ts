import { describe, expect, it } from 'vitest';
import { readArgv } from './argv.ts';

const NOTHING = {
  version: false,
  list: false,
  help: false,
  capability: null,
  args: null,
  argsFile: null,
  profile: null,
  fault: null,
};

describe('the words of the interface', () => {
  it.each<[string[], object]>([
    [[], {}],
    [['--version', '--list'], { version: true, list: true }],
    [['env'], { capability: 'env' }],
    [['env', '--args', '{}'], { capability: 'env', args: '{}' }],
    [['--args={"a":"b=c"}', 'env'], { capability: 'env', args: '{"a":"b=c"}' }],
    [['env', '--args', '1', '--args=2'], { capability: 'env', args: '2' }],
    [['env', '--args', '--version'], { capability: 'env', args: '--version' }],
    [['env', '--args', ''], { capability: 'env', args: '' }],
    [['env', '--args='], { capability: 'env', args: '' }],
    [['env', '--args-file', 'f', '--credential-profile', 'p'], { capability: 'env', argsFile: 'f', profile: 'p' }],
    [['--', '--list'], { capability: '--list' }],
    [['-h'], { help: true }],
    [['env', '--json'], { capability: 'env' }],
  ])('%j are read', (words, expected) => {
    expect(readArgv(words)).toEqual({ ...NOTHING, ...expected });
  });

  it.each([
    [['env', '--bogus=secret'], 'unknown option: --bogus'],
    [['-x'], 'unknown option: -x'],
    [['env', '--args'], 'option --args requires a value'],
    [['env', '--args-file'], 'option --args-file requires a value'],
    [['--list=yes'], 'option --list takes no value'],
    [['env', 'system_status'], 'one capability at a time; its parameters go into --args'],
  ])('%j are refused', (words, fault) => {
    expect(readArgv(words).fault).toBe(fault);
  });
});
