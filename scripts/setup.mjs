// What start and test share: is what they need here, and how to get it. Installs only what is missing.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

export const root = join(import.meta.dirname, '..');

/** Says it on standard error: standard output belongs to whoever is started. */
export const say = (text) => process.stderr.write(`${text}\n`);

/** Ends the process with a text that says what to do. */
export function stop(text) {
  say(text);
  process.exit(1);
}

/** Runs a command in the project, its output on our standard error; whether it succeeded. */
export function run(command, args, env = process.env) {
  return spawnSync(command, args, { cwd: root, env, stdio: ['ignore', 2, 2] }).status === 0;
}

/** The file of that program on PATH, or undefined. */
export const findProgram = (name) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return statSync(file).isFile();
      } catch {
        return false;
      }
    });

/** Stops with a clear text when this Node is older than package.json allows. */
export function requireNode() {
  const wanted = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node.replace('>=', '');
  const numbers = (version) => version.split('.').map(Number);
  const [have, want] = [numbers(process.versions.node), numbers(wanted)];
  const at = want.findIndex((number, index) => have[index] !== number);
  if (at !== -1 && have[at] < want[at]) {
    stop(`Node.js ${wanted} or newer is needed; this is ${process.versions.node}. See https://nodejs.org/en/download`);
  }
}

const mtime = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

/** Installs the packages of the lock file, unless they are those already, for this Node. */
export function installPackages() {
  const modules = join(root, 'node_modules');
  const lockFile = join(root, 'package-lock.json');
  const stamp = join(modules, '.companion-stamp');
  const wanted = createHash('sha256').update(readFileSync(lockFile)).update(process.versions.modules).digest('hex');
  // Without a stamp somebody else ran npm; it leaves this file behind when it has finished.
  const current = existsSync(stamp)
    ? readFileSync(stamp, 'utf8') === wanted
    : mtime(join(modules, '.package-lock.json')) >= mtime(lockFile);
  if (!current) {
    // npm would empty what the link leads to, under whoever works there.
    if (existsSync(modules) && lstatSync(modules).isSymbolicLink())
      stop('node_modules is a link: run npm ci where it leads.');
    say('Installing packages (npm ci) …');
    if (!npmCi() && !(installCompiler() && npmCi())) stop('npm ci failed; its reason stands above.');
  }
  writeFileSync(stamp, wanted);
}

function npmCi() {
  // `npm test --silent` sets the first; the inner npm shall say why it fails.
  const { npm_config_loglevel: _, ...env } = process.env;
  // The native packages come compiled. Where that download is not to be had they are compiled here, against the headers that
  // came with this Node, if it brought any.
  const prefix = dirname(dirname(process.execPath));
  if (existsSync(join(prefix, 'include', 'node', 'node.h'))) env.npm_config_nodedir ??= prefix;
  return run('npm', ['ci', '--include=dev'], env);
}

/** Installs what compiling takes; false when it was here already, or cannot be had. */
function installCompiler() {
  // Debian's packages have the names of their programs.
  const absent = ['python3', 'make', 'g++'].filter((name) => findProgram(name) === undefined);
  return absent.length > 0 && installDebian(absent);
}

/** The newest change at or below `path`, in ms. */
function newestChange(path) {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  return Math.max(mtimeMs, ...readdirSync(path).map((name) => newestChange(join(path, name))));
}

/** Builds dist/, unless it is newer than everything it is made of. */
export function buildIfStale() {
  const sources = [
    'server',
    'overlay',
    'cli',
    'e2e/harness.ts',
    'scripts/build.mjs',
    'tsconfig.types.json',
    'package-lock.json',
  ];
  const built = join(root, 'dist', '.built');
  const paths = sources.map((name) => join(root, name)).filter((path) => existsSync(path));
  if (mtime(built) > Math.max(...paths.map(newestChange))) return;
  say('Building …');
  if (!run(process.execPath, ['scripts/build.mjs'])) stop('The build failed; its reason stands above.');
}

/** How to run apt-get here: as root, through a sudo that asks nothing, or null when it may not. */
function aptGet() {
  if (findProgram('apt-get') === undefined) return null;
  if (process.getuid() === 0) return ['apt-get'];
  const sudo = findProgram('sudo') !== undefined && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;
  return sudo ? ['sudo', '-n', 'apt-get'] : null;
}

/** Somebody else's apt may be at work for a moment. */
const LOCK = ['-o', 'DPkg::Lock::Timeout=120'];

/** Installs Debian packages; false when that is not possible or not allowed here. */
export function installDebian(packages) {
  const command = aptGet();
  if (command === null) return false;
  say(`Installing ${packages.join(', ')} (apt-get) …`);
  const [program, ...before] = command;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run(program, [...before, 'update', '-qq', ...LOCK], env);
  return run(program, [...before, 'install', '-y', '-qq', ...LOCK, '--no-install-recommends', ...packages], env);
}

/** The host's own search, from dist/. */
const search = () => import(pathToFileURL(join(root, 'dist', 'setup.js')).href);

/**
 * The browser that the host would start for this user, or null, and the one that the configuration or COMPANION_CHROMIUM names.
 * Needs dist/. Throws ConfigError.
 */
export async function findBrowser() {
  const { findChromium, readConfig, resolvePaths } = await search();
  const { chromium } = readConfig(resolvePaths(process.env).configFolder);
  return { path: findChromium(chromium, process.env), named: chromium ?? process.env.COMPANION_CHROMIUM };
}

/** The browser that tests start, or null: their companions have a configuration of their own. Needs dist/. */
export async function findTestBrowser() {
  return (await search()).findChromium(null, process.env);
}
