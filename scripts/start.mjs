// `npm start`: on a machine with Node and nothing of ours, installs what is missing and runs the companion in the foreground.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildIfStale, findBrowser, installDebian, installPackages, requireNode, root, say, stop } from './setup.mjs';

/** Chinese text needs a font of its own; everything else comes with the browser. */
const BROWSER_PACKAGES = ['chromium', 'fonts-noto-cjk'];
const ALREADY_RUNNING = 5;
const cli = join(root, 'dist', 'cli.cjs');

async function requireBrowser() {
  const { path, named } = await findBrowser().catch((error) =>
    stop(`The configuration cannot be used: ${error.message}`),
  );
  if (path !== null) return;
  if (named) stop(`COMPANION_CHROMIUM or config.json names a browser that cannot be run: ${named}`);
  installDebian(BROWSER_PACKAGES);
  if ((await findBrowser()).path !== null) return;
  stop(
    `A Chromium browser is needed for the figure, and it cannot be installed from here. Please run:\n` +
      `  sudo apt-get update && sudo apt-get install --no-install-recommends ${BROWSER_PACKAGES.join(' ')}\n` +
      `or install Chromium or Google Chrome another way, then run npm start again.`,
  );
}

/** Whether an X server answers. Where no tool is there to ask it, the variable is believed. */
function hasDisplay() {
  if (!process.env.DISPLAY) return false;
  for (const [program, ...args] of [['xdpyinfo'], ['xset', 'q']]) {
    const { status, error } = spawnSync(program, args, { stdio: 'ignore', timeout: 5_000 });
    if (error === undefined) return status === 0;
  }
  return true;
}

/** Whether a companion answers on the socket; asks for what needs no key. */
const isRunning = () =>
  new Promise((resolve) => {
    const asking = spawn(process.execPath, [cli, 'rpc', 'discover'], { stdio: 'ignore' });
    asking.on('close', (code) => resolve(code === 0));
  });

const NEXT_STEPS = {
  headed:
    `\nThe companion runs. Next:\n` +
    `  1. Press "Let programs ask" on the figure's card (later: right click on the figure, Access).\n` +
    `  2. In another terminal, in this folder, let a program in and ask a question:\n` +
    `       node dist/cli.cjs pair --name "my script" --scopes discover,animate,notify,interact\n` +
    `       node dist/cli.cjs ask "Does it work?" --choice yes=Yes --choice no=No\n` +
    `     (After \`npm link\` it is \`companion pair …\` everywhere.)\n` +
    `Ctrl-C ends the companion.\n`,
  headless:
    `\nThe companion runs without a window, so nobody can see it or switch access on.\n` +
    `On a desktop, run npm start in a terminal there. In tests, use launchCompanion of 'companion/testing'.\n` +
    `It answers already: node dist/cli.cjs runtime describe\n` +
    `Ctrl-C ends the companion.\n`,
};

/** Passes signals on; a terminal, npm and a user may send one and the same twice. */
function forwardSignals(child) {
  let lastAt = 0;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(name, () => {
      if (performance.now() - lastAt < 300) return;
      lastAt = performance.now();
      child.kill(name);
    });
  }
}

requireNode();
installPackages();
buildIfStale();
await requireBrowser();
if (await isRunning()) {
  say('A companion is already running. Use that one, or end it first: Ctrl-C where it was started.');
  process.exit(ALREADY_RUNNING);
}

const headed = hasDisplay();
say(
  headed
    ? `Starting the companion in a window on display ${process.env.DISPLAY}.`
    : `Starting the companion headless: no display${process.env.DISPLAY ? ` answers at ${process.env.DISPLAY}` : ''}.`,
);
// In a process group of its own, so that Ctrl-C reaches it once, through us.
const child = spawn(process.execPath, [cli, 'serve', ...(headed ? [] : ['--headless'])], {
  cwd: root,
  detached: true,
  stdio: ['ignore', 'inherit', 'inherit'],
});
forwardSignals(child);
const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };
child.on('exit', (code, signal) => process.exit(code ?? 128 + (signalNumbers[signal] ?? 1)));

for (let attempt = 0; attempt < 60; attempt += 1) {
  if (await isRunning()) {
    say(headed ? NEXT_STEPS.headed : NEXT_STEPS.headless);
    break;
  }
  await new Promise((resolve) => setTimeout(resolve, 500));
}
