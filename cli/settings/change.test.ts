import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CompanionError } from '../companion-error.ts';
import { type Ours, putOurs, removeOurs } from './change.ts';
import { putJson, removeJson } from './edit/json.ts';
import { Records } from './record.ts';

const PATH = ['mcpServers', 'ours'];
const ours: Ours = {
  put: (text) => putJson(text, PATH, { command: 'x' }),
  remove: (text) => removeJson(text, PATH),
};

let home: string;
let records: Records;
let path: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'companion-change-'));
  records = new Records(join(home, 'state'));
  path = join(home, 'settings.json');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const refusal = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof CompanionError && error.code === 'REFUSED') return error.message;
    throw error;
  }
  return 'not refused';
};

const FOUND = ['', ' \n', '{}', '{ }\n', '{\n}', '{"mcpServers":{}}', '// only this\n{}', '\uFEFF{"a":1}\r\n'];

describe('a file that nobody else has touched', () => {
  it.each(FOUND)('is afterwards what it was: %j', (before) => {
    writeFileSync(path, before);
    const { changed, backup } = putOurs(path, ours, records);
    expect([changed, readFileSync(backup!, 'utf8')]).toEqual([true, before]);
    expect(putOurs(path, ours, records)).toMatchObject({ changed: false });
    expect(removeOurs(path, ours, records).changed).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(readdirSync(join(home, 'state', 'changed-files'))).toEqual([]);
  });

  it('that was not there is gone again, with its folders', () => {
    path = join(home, 'a', 'b', 'settings.json');
    putOurs(path, ours, records);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    removeOurs(path, ours, records);
    expect(existsSync(join(home, 'a'))).toBe(false);
  });

  it('keeps its mode', () => {
    writeFileSync(path, '{}');
    chmodSync(path, 0o640);
    putOurs(path, ours, records);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(home).sort()).toEqual(['settings.json', 'state']);
  });

  it('behind a link is replaced where it is, and the link stays', () => {
    mkdirSync(join(home, 'dotfiles'));
    const target = join(home, 'dotfiles', 'real.json');
    writeFileSync(target, '{}');
    symlinkSync('dotfiles/real.json', path);
    putOurs(path, ours, records);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toContain('ours');
    removeOurs(path, ours, records);
    expect(readFileSync(target, 'utf8')).toBe('{}');
  });

  it('that a link to nothing names is made there', () => {
    symlinkSync(join(home, 'later.json'), path);
    putOurs(path, ours, records);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    removeOurs(path, ours, records);
    expect(existsSync(join(home, 'later.json'))).toBe(false);
  });
});

describe('a file that was changed since', () => {
  it('loses only what is ours', () => {
    writeFileSync(path, '{\n  "a": 1\n}\n');
    putOurs(path, ours, records);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"a": 1', '"a": 2'));
    removeOurs(path, ours, records);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ a: 2, mcpServers: {} });
  });

  it('is what it was without ours when that is put in again and taken out', () => {
    writeFileSync(path, '{\n  "mcpServers": {}\n}\n');
    putOurs(path, ours, records);
    const changed = readFileSync(path, 'utf8').replace('"x"', '"old"').replace('{', '{\n  "b": 1,');
    writeFileSync(path, changed);
    putOurs(path, ours, records);
    removeOurs(path, ours, records);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ b: 1, mcpServers: {} });
  });
});

describe('a file that is left alone, with the reason', () => {
  it.each([
    ['wrong type', '{"mcpServers": []}', 'should be an object'],
    ['no JSON', '{"mcpServers": ', 'not JSON'],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'not UTF-8'],
  ])('%s', (_, before, reason) => {
    writeFileSync(path, before);
    const message = refusal(() => putOurs(path, ours, records));
    expect(message).toContain(reason);
    expect(message).toContain(path);
    expect(readFileSync(path)).toEqual(Buffer.from(before));
  });

  it('read-only', () => {
    writeFileSync(path, '{}');
    chmodSync(path, 0o444);
    expect(refusal(() => putOurs(path, ours, records))).toContain('read-only');
    expect(readdirSync(home)).not.toContain(expect.stringContaining('.companion'));
  });

  it('no file at all', () => {
    mkdirSync(path);
    expect(refusal(() => putOurs(path, ours, records))).toContain('not a regular file');
  });

  it('a link in a circle', () => {
    symlinkSync(path, path);
    expect(refusal(() => putOurs(path, ours, records))).toContain('cannot be reached');
  });

  it('changed while we were at it', () => {
    writeFileSync(path, '{}');
    const hasty: Ours = {
      ...ours,
      put: (text) => {
        writeFileSync(path, '{"theirs": 1}');
        return ours.put(text);
      },
    };
    expect(refusal(() => putOurs(path, hasty, records))).toContain('just now');
    expect(readFileSync(path, 'utf8')).toBe('{"theirs": 1}');
    expect(readdirSync(home).filter((name) => name.endsWith('.companion'))).toEqual([]);
  });
});
