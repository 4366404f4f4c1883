/** What the system refuses is told in the library's words, with what was to be done and the system's code. */
import { expect, test } from 'vitest';
import { refuse, toPackError } from './system-error.ts';

test.each([
  ['ENOSPC', 'E_DISK_FULL'],
  ['EDQUOT', 'E_DISK_FULL'],
  ['EACCES', 'E_PERMISSION'],
  ['EROFS', 'E_PERMISSION'],
  ['ENOENT', 'E_NOT_FOUND'],
  ['EIO', 'E_INTERNAL'],
])('%s is %s', (code, expected) => {
  const error = toPackError(Object.assign(new Error('secret'), { code }), 'a.png cannot be read');
  expect(error).toMatchObject({ code: expected, message: `a.png cannot be read (${code})` });
});

test('a refusal stays as it is, and anything else has no code', () => {
  const refusal = refuse('a.png is missing');
  expect(toPackError(refusal, 'x')).toBe(refusal);
  expect(toPackError('odd', 'x')).toMatchObject({ code: 'E_INTERNAL', message: 'x (unknown error)' });
});
