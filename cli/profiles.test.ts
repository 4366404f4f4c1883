import { spawnSync } from 'node:child_process';
import {
  chmodSync,
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
import { chooseProfile, credentialFile, loadProfile, removeCredential, writeCredential } from './profiles.ts';

const credential = (scopes = ['notify']) => ({ key: 'cmp_test', clientId: 'c1', name: 'n', scopes });
const CONTROL = credential(['vendor.internal.companion.control']);

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'companion-profiles-')), 'credentials');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

describe('writeCredential', () => {
  it("makes folder and file the user's alone and leaves nothing else behind", () => {
    writeCredential(folder, 'a', credential());
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(credentialFile(folder, 'a')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  it('replaces what was there', async () => {
    writeCredential(folder, 'a', credential());
    writeCredential(folder, 'a', { ...credential(), key: 'cmp_second' });
    expect((await loadProfile(folder, 'a')).key).toBe('cmp_second');
  });
});

describe('chooseProfile', () => {
  it('takes the only one, and never one that was not named when there are several', () => {
    writeCredential(folder, 'b', credential());
    expect(chooseProfile(folder, undefined)).toBe('b');
    writeCredential(folder, 'a', credential());
    expect(() => chooseProfile(folder, undefined)).toThrow(
      expect.objectContaining({ code: 'PROFILE_AMBIGUOUS', exitCode: 2, details: { profiles: ['a', 'b'] } }),
    );
    expect(chooseProfile(folder, 'a')).toBe('a');
  });

  it.each(['control', 'renamed'])('never takes the control key by itself, under the name %s either', (profile) => {
    writeCredential(folder, profile, CONTROL);
    expect(() => chooseProfile(folder, undefined)).toThrow(
      expect.objectContaining({ code: 'CREDENTIAL_MISSING', exitCode: 3 }),
    );
    writeCredential(folder, 'a', credential());
    expect(chooseProfile(folder, undefined)).toBe('a');
    expect(chooseProfile(folder, profile)).toBe(profile);
  });

  it('says CREDENTIAL_MISSING when there is no folder', () => {
    expect(() => chooseProfile(folder, '')).toThrow(expect.objectContaining({ code: 'CREDENTIAL_MISSING' }));
  });

  it.each(['../a', 'a/b', '.a', 'x'.repeat(65), 'a\n'])('refuses the impossible name %j', (name) => {
    expect(() => chooseProfile(folder, name)).toThrow(expect.objectContaining({ code: 'INVALID_PARAMS' }));
  });
});

describe('loadProfile', () => {
  it('reads the named profile', async () => {
    writeCredential(folder, 'a', credential());
    expect(await loadProfile(folder, 'a')).toEqual({ ...credential(), profile: 'a' });
    removeCredential(folder, 'a');
    await expect(loadProfile(folder, 'a')).rejects.toMatchObject({
      code: 'CREDENTIAL_MISSING',
      details: { profile: 'a' },
    });
  });

  it.each([0o640, 0o604, 0o620, 0o666])('refuses a file of mode %o', async (mode) => {
    writeCredential(folder, 'a', credential());
    chmodSync(credentialFile(folder, 'a'), mode);
    await expect(loadProfile(folder, 'a')).rejects.toMatchObject({ code: 'CREDENTIAL_UNSAFE', exitCode: 3 });
  });

  it('refuses a folder that others may write to, and does not wait for what is no file', async () => {
    writeCredential(folder, 'a', credential());
    chmodSync(folder, 0o777);
    await expect(loadProfile(folder, 'a')).rejects.toMatchObject({ code: 'CREDENTIAL_UNSAFE' });
    chmodSync(folder, 0o700);
    expect(spawnSync('mkfifo', ['-m', '600', credentialFile(folder, 'pipe')]).status).toBe(0);
    await expect(loadProfile(folder, 'pipe')).rejects.toMatchObject({ code: 'CREDENTIAL_UNSAFE' });
  });

  it('refuses a link, even to a good file, and a folder', async () => {
    writeCredential(folder, 'a', credential());
    symlinkSync(credentialFile(folder, 'a'), credentialFile(folder, 'b'));
    mkdirSync(credentialFile(folder, 'c'), { mode: 0o700 });
    await expect(loadProfile(folder, 'b')).rejects.toMatchObject({ code: 'CREDENTIAL_UNSAFE' });
    await expect(loadProfile(folder, 'c')).rejects.toMatchObject({ code: 'CREDENTIAL_UNSAFE' });
  });

  it.each(['', 'nonsense', 'null', '{}', '{"key":"a\\r\\nb","scopes":[]}', '{"key":"cmp_x"}'])(
    'refuses a file that holds %j, without repeating it',
    async (text) => {
      mkdirSync(folder);
      writeFileSync(credentialFile(folder, 'a'), text, { mode: 0o600 });
      const error = await loadProfile(folder, 'a').catch((thrown) => thrown);
      expect(error).toMatchObject({ code: 'CREDENTIAL_MISSING' });
      expect(Object.keys(error.details)).toEqual(['path']);
    },
  );

  it('writes JSON that people can read', () => {
    writeCredential(folder, 'a', credential());
    expect(JSON.parse(readFileSync(credentialFile(folder, 'a'), 'utf8'))).toEqual(credential());
  });
});
