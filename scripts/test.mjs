// `npm test`: installs what the tests need, builds, runs every test. Its last line is `N passed, N failed[, N skipped]`.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildIfStale,
  findBrowser,
  findProgram,
  installDebian,
  installPackages,
  requireNode,
  root,
  say,
  stop,
} from './setup.mjs';

const CJK_FONTS = ['/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', '/usr/share/fonts/noto-cjk'];

/** Debian package → whether what we want of it is here. */
const NEEDS = {
  chromium: () => findBrowser() !== undefined,
  xvfb: () => findProgram('Xvfb') !== undefined,
  strace: () => findProgram('strace') !== undefined,
  curl: () => findProgram('curl') !== undefined,
  'fonts-noto-cjk': () => CJK_FONTS.some((path) => existsSync(path)),
  iproute2: () => findProgram('ss') !== undefined,
  'x11-utils': () => findProgram('xwininfo') !== undefined,
};

const missing = () => Object.keys(NEEDS).filter((name) => !NEEDS[name]());

requireNode();
installPackages();
if (missing().length > 0) installDebian(missing());
const still = missing();
if (still.includes('chromium')) {
  stop(`The tests need these Debian packages, and they cannot be installed from here: ${still.join(' ')}`);
}
if (still.length > 0) say(`Not installed, tests that need them will fail or be skipped: ${still.join(' ')}`);
buildIfStale();

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const child = spawn(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
});
for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => child.kill(name));
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
