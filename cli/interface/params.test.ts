import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findNdjson } from './catalog.ts';
import { readArgsFile, readParams } from './params.ts';
import { ends, testCapability } from './testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'companion-params-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const capability = testCapability(ends, {
  inputSchema: {
    type: 'object',
    properties: {
      targets: { type: 'array', items: { type: 'string' }, minItems: 1 },
      mode: { enum: ['fast', 'slow'] },
      label: { type: 'string' },
    },
    required: ['targets', 'label'],
  },
});
const good = { targets: ['a'], label: 'b' };
const refusal = (text: string) => readParams(capability, text).catch((error: unknown) => error);

describe('parameters', () => {
  it('pass as they are, with fields nobody knows', async () => {
    const params = { ...good, more: { deep: [null] } };
    expect(await readParams(capability, JSON.stringify(params))).toEqual(params);
  });

  it.each(['', '  \n\t', '{}'])('%j is an empty object', async (text) => {
    const free = testCapability(ends);
    expect(await readParams(free, text)).toEqual({});
  });

  it.each([
    ['{bad', 'params is not valid JSON'],
    ['{"a":1} {"a":2}', 'params is not valid JSON'],
    ['[1]', 'params must be a JSON object'],
    ['null', 'params must be a JSON object'],
    ['"text"', 'params must be a JSON object'],
    ['{}', 'missing required field(s): targets, label'],
    ['{"targets":["a"]}', 'missing required field(s): label'],
    ['{"targets":null,"label":"b"}', 'missing required field(s): targets'],
    ['{"__proto__":{"label":"b"},"targets":["a"]}', 'missing required field(s): label'],
    [JSON.stringify({ ...good, targets: 'a' }), 'params/targets: must be array'],
    [JSON.stringify({ ...good, targets: ['a', 1] }), 'params/targets/1: must be string'],
    [JSON.stringify({ ...good, targets: [] }), 'params/targets: must NOT have fewer than 1 items'],
    [JSON.stringify({ ...good, mode: 'secret' }), 'params/mode: must be equal to one of the allowed values'],
  ])('%s are refused', async (text, message) => {
    expect(await refusal(text)).toMatchObject({ code: 'E_INVALID_INPUT', message });
  });

  it('name what is required in the hint', async () => {
    expect(await refusal('{}')).toMatchObject({ hint: expect.stringContaining('requires: targets, label') });
  });

  it('name the field of a closed schema that nobody knows', async () => {
    const closed = findNdjson('notice.show')!;
    const refused = readParams(closed, '{"text":"a","loud":true}');
    await expect(refused).rejects.toThrow('params: must NOT have additional properties: loud');
  });
});

describe('a file of parameters', () => {
  const write = (name: string, bytes: string | Buffer): string => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  };

  it('is read as UTF-8, with or without a byte order mark', () => {
    expect(readArgsFile(write('plain', '{"a":"é"}'))).toBe('{"a":"é"}');
    expect(readArgsFile(write('marked', '\ufeff{"a":1}'))).toBe('{"a":1}');
  });

  it.each([
    ['is not there', join(folder, 'missing'), 'ENOENT'],
    ['is a folder', folder, 'EISDIR'],
    ['is not UTF-8', write('latin', Buffer.from([0x7b, 0xff])), 'not UTF-8'],
    ['is too large', write('large', Buffer.alloc(1_048_577, 32)), 'more than 1048576 bytes'],
    ['never ends', '/dev/zero', 'more than 1048576 bytes'],
  ])('that %s is refused by its name', (_, path, reason) => {
    expect(() => readArgsFile(path)).toThrow(`failed to read --args-file: ${path}: ${reason}`);
  });
});
