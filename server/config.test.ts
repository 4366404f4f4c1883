import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { LIMITS } from './protocol/limits.ts';

const PUBLISHED = {
  limits: LIMITS,
  chromium: null,
  headless: null,
  scale: null,
  hotkeys: { focus: 'Ctrl+Alt+Space', show: 'Ctrl+Alt+H' },
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const write = (text: string) => writeFileSync(join(folder, 'config.json'), text);

it('without a file everything is as published', () => {
  expect(readConfig(folder)).toEqual(PUBLISHED);
});

it('takes what is set and leaves the rest', () => {
  write('{ "armMs": 250, "limits": { "maxCards": 2 }, "headless": true, "hotkeys": { "show": null } }');
  expect(readConfig(folder)).toEqual({
    ...PUBLISHED,
    limits: { ...LIMITS, armMs: 250, maxCards: 2 },
    headless: true,
    hotkeys: { focus: 'Ctrl+Alt+Space', show: null },
  });
});

it.each([
  ['{ "headles": true }', /unknown setting headles; known are limits, armMs, chromium, headless/],
  ['{ "limits": { "maxCard": 2 } }', /unknown setting maxCard; known are /],
  ['{ "limits": { "maxWaitMs": 5 } }', /unknown setting maxWaitMs/],
  ['{ "limits": { "maxCards": "1" } }', /\/limits\/maxCards breaks the rule "type"/],
  ['{ "limits": { "maxCards": 0 } }', /\/limits\/maxCards breaks the rule "minimum"/],
  ['{ "limits": { "maxUnfinished": 1.5 } }', /\/limits\/maxUnfinished breaks the rule "type"/],
  ['{ "limits": { "questionTurnMs": -1 } }', /\/limits\/questionTurnMs breaks the rule "minimum"/],
  ['{ "hotkeys": { "focuss": null } }', /unknown setting focuss; known are focus, show$/],
  ['{ "hotkeys": { "focus": "Ctrl+Alt+Foo" } }', /\/hotkeys\/focus is no hotkey: “foo” is no key/],
  ['{ "hotkeys": { "show": "Space" } }', /\/hotkeys\/show is no hotkey: it needs Ctrl, Alt or Super/],
  ['{ "hotkeys": { "focus": "alt+ctrl+h" } }', /focus and show are the same keys/],
  ['[]', /the whole file breaks the rule "type"/],
  ['{', /is not JSON/],
])('refuses %s and names the place', (text, message) => {
  write(text);
  expect(() => readConfig(folder)).toThrow(message);
});

it.each([
  ['a folder', () => mkdirSync(join(folder, 'config.json')), /config\.json is no file/],
  ['a pipe', () => execFileSync('mkfifo', [join(folder, 'config.json')]), /config\.json is no file/],
  ['an endless device', () => symlinkSync('/dev/zero', join(folder, 'config.json')), /config\.json is no file/],
  ['a huge file', () => write(' '.repeat(70_000)), /config\.json has 70000 bytes/],
])('names the file when %s is in its place, and waits for none', (_what, put, message) => {
  put();
  expect(() => readConfig(folder)).toThrow(message);
});
