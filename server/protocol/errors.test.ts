import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from './errors.ts';

const SERVER = join(import.meta.dirname, '..');
const codes = Object.keys(ERRORS) as ErrorCode[];

it('every number, and every exit code, is one of those the protocol fixes', () => {
  const numbers = codes.map((code) => ERRORS[code].rpcCode);
  expect(new Set(numbers).size).toBe(numbers.length);
  for (const number of numbers) expect(number).toBeLessThan(0);
});

it('every message is one sentence of plain words, without a name that only one language knows', () => {
  for (const code of codes) expect(ERRORS[code].message).toMatch(/^[A-Z].*\.$/);
});

it('every code has somebody who throws it', () => {
  const text = readdirSync(SERVER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('errors.ts'))
    .map((name) => readFileSync(join(SERVER, name), 'utf8'))
    .join('\n');
  expect(codes.filter((code) => !text.includes(`'${code}'`))).toEqual([]);
});
