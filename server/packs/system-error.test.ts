/** What the system refuses is told in the library's words, with what was to be done and the system's code. */
import { expect, test } from 'vitest';
import { refuse, toPackError } from './system-error.ts';

test.each([
  ['ENOSPC', 'E_DISK_FULL', 'the disk is full'],
  ['EDQUOT', 'E_DISK_FULL', 'the disk quota is used up'],
  ['EACCES', 'E_PERMISSION', 'permission denied'],
  ['EROFS', 'E_PERMISSION', 'the file system is read-only'],
  ['ENOENT', 'E_NOT_FOUND', 'it is not there'],
  ['EIO', 'E_INTERNAL', 'EIO'],
])('%s is %s', (code, expected, words) => {
  const error = toPackError(Object.assign(new Error('secret'), { code }), 'a.png cannot be read');
  expect(error).toMatchObject({ code: expected, message: `a.png cannot be read: ${words}` });
});

test('a refusal stays as it is, and anything else has no code', () => {
  const refusal = refuse('a.png is missing');
  expect(toPackError(refusal, 'x')).toBe(refusal);
  expect(toPackError('odd', 'x')).toMatchObject({ code: 'E_INTERNAL', message: 'x: unknown error' });
});
