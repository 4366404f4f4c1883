import { describe, expect, it, vi } from 'vitest';
import { ERRORS } from '../server/protocol/errors.ts';
import { CompanionError } from './companion-error.ts';
import { CLI_ERRORS, EXIT, rowOf } from './exit-codes.ts';

describe('exit codes', () => {
  it('are the numbers outside programs rely on', () => {
    expect(EXIT).toEqual({
      ok: 0,
      no: 1,
      usage: 2,
      denied: 3,
      unreachable: 4,
      failed: 5,
      cancelled: 6,
      waitTimeout: 7,
      interrupted: 130,
    });
  });

  it.each([
    ['UNREACHABLE', 4],
    ['CREDENTIAL_MISSING', 3],
    ['CREDENTIAL_UNSAFE', 3],
    ['PROFILE_AMBIGUOUS', 2],
    ['ALREADY_RUNNING', 5],
    ['REFUSED', 5],
    ['START_FAILED', 5],
    ['REQUEST_FAILED', 5],
    ['REQUEST_CANCELLED', 6],
    ['REQUEST_EXPIRED', 6],
    ['WAIT_TIMEOUT', 7],
    ['INTERRUPTED', 130],
  ])('%s ends with %i', (code, exitCode) => {
    expect(rowOf(code)?.exitCode).toBe(exitCode);
  });

  it("take the host's codes from the host's table, and name none twice", () => {
    for (const [code, row] of Object.entries(ERRORS)) expect(rowOf(code)).toBe(row);
    for (const code of Object.keys(CLI_ERRORS)) expect(Object.hasOwn(ERRORS, code)).toBe(false);
  });

  it('treat a code nobody here knows as a failure, and keep it', () => {
    expect(new CompanionError('FROM_THE_FUTURE', { message: 'New.', retryable: true })).toMatchObject({
      code: 'FROM_THE_FUTURE',
      exitCode: 5,
      retryable: true,
    });
    expect(rowOf('toString')).toBeUndefined();
  });

  it('print as one object, details only when there are some', () => {
    expect(JSON.stringify(new CompanionError('NOT_FOUND'))).toBe(
      `{"error":{"code":"NOT_FOUND","message":"${ERRORS.NOT_FOUND.message}","retryable":false}}`,
    );
    expect(JSON.parse(JSON.stringify(new CompanionError('QUEUE_FULL', { details: { value: 1 } })))).toMatchObject({
      error: { details: { value: 1 } },
    });
  });

  it('are known by code of another file of this program, which has the class once more', async () => {
    vi.resetModules();
    const other = await import('./companion-error.ts');
    expect(other.CompanionError).not.toBe(CompanionError);
    expect(new other.CompanionError('REFUSED')).toBeInstanceOf(CompanionError);
    for (const value of [new Error('x'), null, undefined, 'x', { code: 'REFUSED' }])
      expect(value).not.toBeInstanceOf(CompanionError);
  });
});
