// `npm test`: installs what the tests need, builds, runs every test. Its last line is `N passed, N failed[, N skipped]`.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildIfStale,
  findProgram,
  findTestBrowser,
  installDebian,
  installPackages,
  requireNode,
  root,
  say,
  stop,
} from './setup.mjs';

const CJK_FONTS = ['/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', '/usr/share/fonts/noto-cjk'];

/** On Debian; elsewhere the tests find out themselves. */
const DUMMY_DRIVER = '/usr/lib/xorg/modules/drivers/dummy_drv.so';

/** Debian package → whether what we want of it is here. */
const NEEDS = {
  chromium: async () => (await findTestBrowser()) !== null,
  xvfb: () => findProgram('Xvfb') !== undefined,
  strace: () => findProgram('strace') !== undefined,
  curl: () => findProgram('curl') !== undefined,
  'fonts-noto-cjk': () => CJK_FONTS.some((path) => existsSync(path)),
  iproute2: () => findProgram('ss') !== undefined,
  'x11-utils': () => findProgram('xwininfo') !== undefined,
  'x11-xserver-utils': () => findProgram('xrandr') !== undefined,
  openbox: () => findProgram('openbox') !== undefined,
  picom: () => findProgram('picom') !== undefined,
  xdotool: () => findProgram('xdotool') !== undefined,
  'xserver-xorg-core': () => findProgram('Xorg') !== undefined,
  'xserver-xorg-video-dummy': () => existsSync(DUMMY_DRIVER),
  weston: () => findProgram('weston') !== undefined,
  zsh: () => findProgram('zsh') !== undefined,
  fish: () => findProgram('fish') !== undefined,
  'man-db': () => findProgram('man') !== undefined,
  'libnotify-bin': () => findProgram('notify-send') !== undefined,
  'dbus-daemon': () => findProgram('dbus-daemon') !== undefined,
  python3: () => findProgram('python3') !== undefined,
  xwayland: () => findProgram('Xwayland') !== undefined,
  cargo: () => findProgram('cargo') !== undefined,
  rclone: () => findProgram('rclone') !== undefined,
  restic: () => findProgram('restic') !== undefined,
  'yt-dlp': () => findProgram('yt-dlp') !== undefined,
};

async function missing() {
  const absent = [];
  for (const [name, isHere] of Object.entries(NEEDS)) if (!(await isHere())) absent.push(name);
  return absent;
}

requireNode();
installPackages();
buildIfStale();
const absent = await missing();
if (absent.length > 0) installDebian(absent);
const still = await missing();
if (still.includes('chromium')) {
  stop(`The tests need these Debian packages, and they cannot be installed from here: ${still.join(' ')}`);
}
if (still.length > 0) say(`Not installed, tests that need them will fail or be skipped: ${still.join(' ')}`);

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const child = spawn(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
});
for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => child.kill(name));
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
