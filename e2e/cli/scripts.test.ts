import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'companion-scripts-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs Node to its end. */
function node(args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    out += chunk;
  });
  return new Promise<{ pid: number; out: string; signal: string | null }>((resolve) => {
    child.on('close', (_code, signal) => resolve({ pid: child.pid!, out, signal }));
  });
}

describe('npm start', () => {
  const browser = () => {
    const path = join(folder, 'browser');
    writeFileSync(path, '');
    chmodSync(path, 0o755);
    return path;
  };
  const find = async (env: NodeJS.ProcessEnv) => {
    const program = `import(${JSON.stringify(join(ROOT, 'scripts', 'setup.mjs'))}).then(async ({ findBrowser }) =>
      console.log(JSON.stringify(await findBrowser())))`;
    return JSON.parse((await node(['-e', program], { HOME: folder, PATH: folder, ...env })).out);
  };

  it('sees the browser that COMPANION_CHROMIUM names', async () => {
    const path = browser();
    expect(await find({ COMPANION_CHROMIUM: path })).toEqual({ path, named: path });
  });

  it('sees the browser that config.json names', async () => {
    const path = browser();
    mkdirSync(join(folder, 'companion'));
    writeFileSync(join(folder, 'companion', 'config.json'), JSON.stringify({ chromium: path }));
    expect(await find({ XDG_CONFIG_HOME: folder })).toEqual({ path, named: path });
  });

  it('sees none where the one that was named cannot be run', async () => {
    const named = join(folder, 'gone');
    expect(await find({ COMPANION_CHROMIUM: named })).toEqual({ path: null, named });
  });

  it.each(['microsoft-edge', 'chrome'])('sees %s, as the host does', async (name) => {
    const path = join(folder, name);
    writeFileSync(path, '');
    chmodSync(path, 0o755);
    expect(await find({})).toEqual({ path });
  });
});

describe('run-ts', () => {
  const RUNNER = join(ROOT, 'scripts', 'run-ts.mjs');
  const bundleOf = (pid: number) => join(ROOT, 'node_modules', '.cache', 'run-ts', String(pid));

  it('runs a script with its arguments and leaves nothing behind', async () => {
    const script = join(folder, 'script.ts');
    writeFileSync(script, 'const words: string[] = process.argv.slice(2); console.log(words.join());');
    const { pid, out } = await node([RUNNER, script, 'a', 'b']);
    expect(out).toBe('a,b\n');
    expect(existsSync(bundleOf(pid))).toBe(false);
  });

  it('clears away what a killed run has left', async () => {
    const script = join(folder, 'script.ts');
    writeFileSync(script, `if (process.argv[2] === 'die') process.kill(process.pid, 'SIGKILL');`);
    const killed = await node([RUNNER, script, 'die']);
    expect([killed.signal, existsSync(bundleOf(killed.pid))]).toEqual(['SIGKILL', true]);
    await node([RUNNER, script]);
    expect(existsSync(bundleOf(killed.pid))).toBe(false);
  });
});
