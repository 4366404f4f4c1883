import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'companion-types-'));
  mkdirSync(join(folder, 'node_modules', '@types'), { recursive: true });
  symlinkSync(ROOT, join(folder, 'node_modules', 'companion'));
  symlinkSync(join(ROOT, 'node_modules', '@types', 'node'), join(folder, 'node_modules', '@types', 'node'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What the compiler says about `lines` as a user's program; '' when it is content. */
function complaints(moduleKind: string, lines: readonly string[]): Promise<string> {
  writeFileSync(join(folder, 'program.ts'), lines.join('\n'));
  const resolution = moduleKind === 'nodenext' ? 'nodenext' : 'bundler';
  const options = [
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--module',
    moduleKind,
    '--moduleResolution',
    resolution,
  ];
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
  return new Promise((resolve) => {
    execFile(tsc, [...options, '--types', 'node', 'program.ts'], { cwd: folder }, (_error, out, err) =>
      resolve(out + err),
    );
  });
}

describe.each(['esnext', 'nodenext'])('with --module %s, the package', (moduleKind) => {
  it('has types for a program that asks, for a test that launches a companion, and against what no capability knows', async () => {
    const lines = [
      `import { CompanionError, connect, type Snapshot } from 'companion/client';`,
      `import { launchCompanion } from 'companion/testing';`,
      `const { page, env, stop } = await launchCompanion({ config: { limits: { armMs: 0 } } });`,
      `const companion = await connect({ profile: 'build-bot', env });`,
      `const accepted: Snapshot = await companion.notify('Hi', { tone: 'success' });`,
      `const picked: string | null = await companion.choose('Go?', [{ id: 'a', label: 'A' }, { id: 'b', label: 'B' }]);`,
      `const title: string = await page.title();`,
      `await stop();`,
      `// @ts-expect-error: no such tone`,
      `companion.notify('Hi', { tone: 'shrill' });`,
      `// @ts-expect-error: a number is no text`,
      `companion.ask(1);`,
      `export const code = (error: unknown) => (error instanceof CompanionError ? error.code : [accepted, picked, title]);`,
    ];
    expect(await complaints(moduleKind, lines)).toBe('');
  });
});
