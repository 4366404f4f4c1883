/** Somebody without rights: programs run as an ordinary user, for whom Chromium keeps its sandbox. */
import { execFileSync } from 'node:child_process';
import { chownSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isInstalled } from './processes.ts';

export interface OrdinaryUser {
  readonly uid: number;
  /** The package with `dist/` and `node_modules/`, readable for that user. */
  readonly packageFolder: string;
  /** An empty folder of that user's. */
  readonly home: string;
  /** What to start so that the program runs as that user. */
  command(program: string, ...args: readonly string[]): readonly [string, ...string[]];
  close(): void;
}

const PACKAGE = join(import.meta.dirname, '..', '..');
/** Nobody's: no user need have it. */
const ID = 65_534;
const isRoot = process.getuid?.() === 0;

function command(program: string, ...args: readonly string[]): readonly [string, ...string[]] {
  if (!isRoot) return [program, ...args];
  return ['setpriv', `--reuid=${ID}`, `--regid=${ID}`, '--clear-groups', '--', program, ...args];
}

function succeeds([program, ...args]: readonly [string, ...string[]]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore', cwd: '/' });
    return true;
  } catch {
    return false;
  }
}

/** Why no program can run here as an ordinary user with Chromium's sandbox; null when it can. */
export function whyNoOrdinaryUser(): string | null {
  if (!isInstalled('setpriv') || !isInstalled('unshare')) return 'setpriv and unshare (util-linux) are not installed';
  if (!succeeds(command('true'))) return 'no right to become another user';
  if (!succeeds(command(process.execPath, '-e', '0'))) return 'an ordinary user cannot run this Node';
  if (!succeeds(command('unshare', '--user', '--map-root-user', '--pid', '--fork', 'true')))
    return 'ordinary users have no namespaces here, which the sandbox needs';
  return null;
}

/** The package itself, or a copy where an ordinary user may not go. */
function readablePackage(home: string): string {
  const files = ['dist/host.js', 'node_modules/puppeteer-core/package.json', 'e2e/faults/host-process.mjs'];
  if (files.every((file) => succeeds(command('test', '-r', join(PACKAGE, file))))) return PACKAGE;
  const copy = join(home, 'package');
  mkdirSync(copy, { mode: 0o755 });
  for (const name of ['package.json', 'dist', 'e2e/faults', 'node_modules'])
    cpSync(join(PACKAGE, name), join(copy, name), { recursive: true, dereference: name === 'node_modules' });
  execFileSync('chmod', ['-R', 'a+rX', copy]);
  return copy;
}

/** Prepares everything an ordinary user needs to run the package. */
export function openOrdinaryUser(): OrdinaryUser {
  const base = mkdtempSync(join(tmpdir(), 'ordinary-'));
  execFileSync('chmod', ['755', base]);
  const home = join(base, 'home');
  mkdirSync(home, { mode: 0o700 });
  if (isRoot) chownSync(home, ID, ID);
  return {
    uid: isRoot ? ID : (process.getuid?.() ?? ID),
    packageFolder: readablePackage(base),
    home,
    command,
    close: () => rmSync(base, { recursive: true, force: true }),
  };
}
