import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMAND_NAMES, loadCommand } from '../../cli/commands.ts';
import { EXIT } from '../../cli/exit-codes.ts';
import { isInstalled } from '../desktop/processes.ts';

const CLI = join(import.meta.dirname, '..', '..', 'dist', 'cli.cjs');
const COMMANDS = await Promise.all(COMMAND_NAMES.map(loadCommand));

let folder: string;
let page: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'man-'));
  page = execFileSync(process.execPath, [CLI, 'man'], { encoding: 'utf8' });
  file = join(folder, 'companion.1');
  writeFileSync(file, page);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a reader sees on a screen of 100 columns, in one line. */
function shown(): { readonly text: string; readonly warnings: string } {
  const env = { ...process.env, MANWIDTH: '100', LC_ALL: 'C.UTF-8', MAN_KEEP_FORMATTING: '' };
  const { stdout, stderr } = spawnSync('man', ['--warnings=w', '-P', 'cat', '-l', file], { env, encoding: 'utf8' });
  return { text: stdout.replace(/.\u0008/g, '').replace(/\s+/g, ' '), warnings: stderr };
}

const missing = ['man', 'lexgrog', 'mandoc'].filter((program) => !isInstalled(program));

describe(`the man page${missing.length === 0 ? '' : ` (skipped where it needs ${missing.join(' or ')}, not installed here)`}`, () => {
  it.skipIf(!isInstalled('man'))(
    'is read by man without a warning, and tells of every command, option and exit code',
    () => {
      const { text, warnings } = shown();
      expect(warnings).toBe('');
      for (const { name, options, summary } of COMMANDS) {
        expect(text).toContain(`companion ${name}`);
        for (const option of Object.keys(options)) expect(text).toContain(`--${option}`);
        if (summary !== null) expect(text).toContain(summary.replace(/\s+/g, ' '));
      }
      for (const code of Object.values(EXIT)) expect(text).toMatch(new RegExp(`EXIT STATUS.* ${code} .*ENVIRONMENT`));
    },
  );

  it.skipIf(!isInstalled('lexgrog'))('has a name that the index of pages can read', () => {
    expect(execFileSync('lexgrog', [file], { encoding: 'utf8' })).toMatch(/: "companion - a figure on your desktop/);
  });

  it.skipIf(!isInstalled('mandoc'))('is well formed', () => {
    // A page without a date is no mistake of its text.
    const { stdout } = spawnSync('mandoc', ['-Tlint', '-W', 'warning', file], { encoding: 'utf8' });
    expect(stdout.split('\n').filter((line) => line !== '' && !line.includes('missing date'))).toEqual([]);
  });
});
