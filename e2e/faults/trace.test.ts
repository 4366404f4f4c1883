import { expect, it } from 'vitest';
import { wholeCalls } from './trace.ts';

it('a call cut in two by another thread reads like one that was not', () => {
  const log = [
    '71 fdatasync(5</home/companion.db-wal> <unfinished ...>',
    '72 write(9<pipe:[1]>, "x", 1) = 1',
    '71 <... fdatasync resumed>)            = 0',
    '71 pwrite64(5</home/companion.db-wal>,  <unfinished ...>',
    '71 <... pwrite64 resumed>"y", 1, 0) = 1',
  ];
  expect(wholeCalls(log.join('\n'))).toEqual([
    'write(9<pipe:[1]>, "x", 1) = 1',
    'fdatasync(5</home/companion.db-wal>)            = 0',
    'pwrite64(5</home/companion.db-wal>, "y", 1, 0) = 1',
  ]);
});
