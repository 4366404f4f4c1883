/** Whatever a command does with packs, one error has one exit code (R5, R9). */
import { expect, test } from 'vitest';
import { PackError, type PackErrorCode } from '../../server/packs/types.ts';
import { CompanionError } from '../companion-error.ts';
import { toRefusal } from './refusal.ts';

test.each<[PackErrorCode, string, number]>([
  ['E_INVALID_INPUT', 'INVALID_PARAMS', 2],
  ['E_NOT_FOUND', 'INVALID_PARAMS', 2],
  ['E_NETWORK', 'REFUSED', 5],
  ['E_DISK_FULL', 'REFUSED', 5],
  ['E_PERMISSION', 'REFUSED', 5],
  ['E_INTERNAL', 'REFUSED', 5],
  ['E_CANCELLED', 'INTERRUPTED', 130],
])('%s is %s, exit %d', (packCode, code, exitCode) => {
  const refusal = toRefusal(new PackError(packCode, 'It is not so', 'do it otherwise'));
  expect(refusal).toBeInstanceOf(CompanionError);
  expect(refusal).toMatchObject({ code, exitCode, message: 'It is not so; do it otherwise.' });
});

test('a sentence keeps its one full stop, and what is no refusal stays what it is', () => {
  expect(toRefusal(new PackError('E_INVALID_INPUT', 'No.'))).toMatchObject({ message: 'No.' });
  const bug = new TypeError('bug');
  expect(toRefusal(bug)).toBe(bug);
});
