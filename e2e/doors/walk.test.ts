/** A new user's walk through the README: from an empty home directory to a question of an agent that they have answered by a click. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findChromium } from '../../server/window/find-chromium.ts';
import { FIGURE } from '../desktop/companion.ts';
import { type Desk, missingFor, openDesk } from '../desktop/desk.ts';
import { type Env, endAll, finish, type Started, startProgram } from '../faults/processes.ts';
import { press } from '../faults/user.ts';
import { until } from '../harness.ts';
import { blocksOf, ROOT } from '../readme-blocks.ts';

const missing = missingFor({ compositor: false });
const README = 'README.md';

/** The one block of the README in which that stands. */
function blockWith(text: string): string {
  const found = blocksOf(README, 'sh').find((block) => block.includes(text));
  if (found === undefined) throw new Error(`the README has no block with ${text}`);
  return found;
}

let folder: string;
let desk: Desk;
let env: Env;
let companion: Started | undefined;
let browser: Browser;
let page: Page;

/** The browser as it is, that also tells where it can be looked at from outside: the only thing that a user has not. */
function putBrowser(): string {
  const path = findChromium(null, process.env);
  const program = join(folder, 'browser');
  writeFileSync(program, `#!/bin/sh\nexec "${path}" --remote-debugging-port=0 "$@"\n`);
  chmodSync(program, 0o755);
  return program;
}

/** Where that browser can be looked at; null until it has told all of it. */
function findEndpoint(within: string): string | null {
  const names = readdirSync(within, { recursive: true }) as readonly string[];
  const file = names.find((name) => name.endsWith('DevToolsActivePort'));
  const [port, path] = file === undefined ? [] : readFileSync(join(within, file), 'utf8').split('\n');
  return port && path ? `ws://127.0.0.1:${port}${path}` : null;
}

/** Ctrl-C, for all that runs in that terminal. */
async function pressCtrlC({ child, pid, ended }: Started): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) process.kill(-pid, 'SIGINT');
  await ended;
}

/** The page may only be coming up. */
const holds = async (within: Page, selector: string): Promise<boolean> =>
  (await within.evaluate(`document.querySelector(${JSON.stringify(selector)}) !== null`).catch(() => false)) === true;
/** Presses until it counts: a card that has just come takes no press. */
const user = (selector: string): Promise<void> => press(page, selector);
const shell = (line: string): Started => startProgram('sh', ['-eu', '-c', line], env);
const shown = (text: string): Promise<unknown> =>
  until(`“${text}” on the figure's card`, () =>
    page.evaluate(`document.body.innerText.includes(${JSON.stringify(text)})`),
  );

beforeAll(async () => {
  if (missing !== null) return;
  desk = await openDesk();
  folder = mkdtempSync(join(tmpdir(), 'walk-'));
  const home = join(folder, 'home');
  const runtime = join(folder, 'run');
  const bin = join(folder, 'bin');
  for (const path of [home, runtime, bin]) mkdirSync(path, { mode: 0o700 });
  // What `npm link` puts on the PATH.
  writeFileSync(join(bin, 'companion'), `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'dist/cli.cjs')}" "$@"\n`);
  chmodSync(join(bin, 'companion'), 0o755);
  env = {
    HOME: home,
    XDG_RUNTIME_DIR: runtime,
    DISPLAY: desk.display,
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    COMPANION_CHROMIUM: putBrowser(),
  };
});
afterAll(async () => {
  await browser?.disconnect();
  // It ends what it has started, which nobody else could find.
  if (companion !== undefined) await pressCtrlC(companion);
  await endAll();
  await desk?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

it.skipIf(missing !== null)(
  `leads from nothing to an answer${missing === null ? '' : ` (skipped: ${missing})`}`,
  async () => {
    // Start.
    const [start] = blocksOf(README, 'sh');
    expect(start).toBe('npm start\n');
    // A session of its own, as a terminal is one: Ctrl-C goes to all that is in it.
    const started = startProgram('setsid', ['sh', '-c', `cd "${ROOT}" && exec ${start}`], env);
    companion = started;
    const told = (): string => `${started.out()}${started.err()}`;
    await until('it says what to do next', () => {
      if (started.child.exitCode !== null) throw new Error(`it has ended: ${told()}`);
      return told().includes('Press "Let programs ask"');
    });
    const state = join(env.HOME!, '.local', 'state', 'companion');
    const browserWSEndpoint = await until('the browser tells where it is', () => findEndpoint(state));
    browser = await puppeteer.connect({ browserWSEndpoint, defaultViewport: null });
    page = await until('the page', async () => {
      for (const each of await browser.pages()) if (await holds(each, FIGURE)) return each;
      return null;
    });

    // Until programs are let in, every one is refused, and told why.
    const refused = await finish(shell(blockWith('companion pair --name "my script"')));
    expect(refused.code).toBe(5);
    expect(refused.err).toContain('switch it on');
    await user('[data-action="enable-access"]');

    // Let one in.
    const pairing = shell(blockWith('companion pair --name "my script"'));
    const [, code] = await until('its code', () => /Code: (\S+)/.exec(pairing.err()));
    await shown(code!);
    await user('[data-pairing-id] [data-action="approve"]');
    expect(await finish(pairing)).toMatchObject({ code: 0, out: expect.stringContaining('"profile":"my-script"') });

    // Say something.
    expect(await finish(shell(blockWith('companion notify "Hello')))).toEqual({ code: 0, out: '', err: '' });
    await shown('Hello from the shell');

    // Ask something.
    const asking = shell(blockWith('companion ask "Does it work?"'));
    await shown('Does it work?');
    await user('[data-option-id="yes"]');
    expect(await finish(asking)).toEqual({ code: 0, out: 'yes\n', err: '' });

    // An agent asks whether it may, in a condition of its script; a no is a no.
    for (const [answer, out] of [
      ['no', 'not deployed\n'],
      ['yes', 'deployed\n'],
    ] as const) {
      const agent = shell(blockWith('companion ask "Deploy now?" --confirm'));
      await shown('Deploy now?');
      await user(`[data-option-id="${answer}"]`);
      expect(await finish(agent)).toEqual({ code: 0, out, err: '' });
    }

    // The end.
    await pressCtrlC(started);
    expect(existsSync(join(env.XDG_RUNTIME_DIR!, 'companion', 'companion.sock'))).toBe(false);
  },
);
