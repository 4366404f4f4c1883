import { describe, expect, it } from 'vitest';
import { parseArguments } from './args.ts';

const TABLE = {
  json: { kind: 'flag', value: '', help: '' },
  help: { kind: 'flag', value: '', help: '' },
  title: { kind: 'text', value: 'T', help: '' },
  choice: { kind: 'list', value: 'C', help: '' },
  percent: { kind: 'number', value: 'N', help: '' },
  timeout: { kind: 'duration', value: 'D', help: '' },
  wait: { kind: 'maybeDuration', value: 'D', help: '' },
} as const;
const parse = (...args: string[]) => parseArguments(args, TABLE);

describe('parseArguments', () => {
  it.each([
    [['a', 'b'], {}, ['a', 'b']],
    [['--json', 'a'], { json: true }, ['a']],
    [['-h'], { help: true }, []],
    [['--title', 'T', 'a'], { title: 'T' }, ['a']],
    [['--title=a=b\nc'], { title: 'a=b\nc' }, []],
    [['--title='], { title: '' }, []],
    [['--title', '--json'], { title: '--json' }, []],
    [['--title', '-'], { title: '-' }, []],
    [['--choice', 'a=A', '--choice=b'], { choice: ['a=A', 'b'] }, []],
    [['--percent', '-1.5'], { percent: -1.5 }, []],
    [['--timeout', '10m'], { timeout: 600_000 }, []],
    [['--wait', '10s'], { wait: true }, ['10s']],
    [['--wait=10s'], { wait: 10_000 }, []],
    [['--', '--json', '-x'], {}, ['--json', '-x']],
    [['-'], {}, ['-']],
  ])('reads %j', (args, values, words) => {
    expect(parse(...args)).toEqual({ values, words });
  });

  it.each([
    [['--unknown'], 'There is no option --unknown.'],
    [['--unknown=cmp_secret'], 'There is no option --unknown.'],
    [['--toString'], 'There is no option --toString.'],
    [['-x'], 'Options begin with two dashes.'],
    [['--=x'], 'Options begin with two dashes.'],
    [['--title'], '--title needs a value.'],
    [['--title', 'a', '--title', 'b'], '--title is given twice.'],
    [['--json=yes'], '--json takes no value.'],
    [['--percent', 'NaN'], '--percent needs a number.'],
    [['--percent', 'Infinity'], '--percent needs a number.'],
    [['--percent', ''], '--percent needs a number.'],
    [['--timeout', '10'], '--timeout needs a duration with a unit, such as 500ms, 30s, 10m or 2h.'],
    [['--wait=soon'], '--wait needs a duration with a unit, such as 500ms, 30s, 10m or 2h.'],
  ])('refuses %j', (args, message) => {
    expect(() => parse(...args)).toThrow(expect.objectContaining({ code: 'INVALID_PARAMS', exitCode: 2, message }));
  });
});
