import { mkdtempSync, readdirSync } from 'node:fs';
import { createServer, connect as dial, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { notInstalled } from '../desktop/processes.ts';
import { type Env, endAll, finish, type Started, startProgram } from '../faults/processes.ts';
import { openShell, type Shell } from '../faults/shell.ts';
import { enableAccess, press } from '../faults/user.ts';
import { type LaunchedCompanion, launchCompanion, until } from '../harness.ts';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'docs', 'examples');

// Each example as it stands in the documentation, against a companion and a user.
let companion: LaunchedCompanion;
let shell: Shell;
beforeAll(async () => {
  companion = await launchCompanion();
  await enableAccess(companion.page);
  shell = openShell(companion);
  expect((await shell.pair('my script', ['notify', 'interact'])).code).toBe(0);
});
afterAll(async () => {
  await endAll();
  await companion?.stop();
});

const start = (name: string, args: readonly string[], env: Env = {}): Started =>
  startProgram(name.endsWith('.py') ? 'python3' : process.execPath, [join(EXAMPLES, name), ...args], {
    ...shell.env,
    ...env,
  } as Env);

/** Presses a button of the card with that text. */
async function pressOn(text: string, selector: string): Promise<void> {
  const id = await until(`a card “${text}”`, () =>
    companion.page.evaluate(
      `[...document.querySelectorAll('[data-request-id]')].find((card) => card.innerText.includes(${JSON.stringify(text)}))?.dataset.requestId`,
    ),
  );
  await press(companion.page, `[data-request-id="${id}"] ${selector}`);
}
const shown = (text: string): Promise<unknown> =>
  until(`“${text}” on the page`, () =>
    companion.page.evaluate(`document.body.innerText.includes(${JSON.stringify(text)})`),
  );
const cardCount = async (): Promise<number> => (await companion.page.$$('[data-request-id]')).length;

beforeEach(async () => {
  await until('the cards of the last test have gone', async () => {
    await companion.page.click('[data-request-id] [data-action="dismiss"]').catch(() => {});
    return (await cardCount()) === 0;
  });
});

describe('agent-asks.mjs', () => {
  const line = ['echo', 'the', 'deed'];

  it('does it on a yes', async () => {
    const agent = start('agent-asks.mjs', line);
    await shown('echo the deed');
    await pressOn('May I run this?', '[data-option-id="yes"]');
    expect(await finish(agent)).toEqual({ code: 0, out: 'the deed\n', err: '' });
  });

  it.each([
    ['a no', '[data-option-id="no"]'],
    ['a closed card', '[data-action="dismiss"]'],
  ])('does nothing on %s', async (_what, selector) => {
    const agent = start('agent-asks.mjs', line);
    await pressOn('May I run this?', selector);
    expect(await finish(agent)).toEqual({ code: 1, out: '', err: 'not run\n' });
  });

  it('interrupted does nothing, and takes the question away', async () => {
    const agent = start('agent-asks.mjs', line);
    await shown('May I run this?');
    agent.child.kill('SIGINT');
    expect(await finish(agent)).toEqual({ code: 1, out: '', err: 'not asked: interrupted\nnot run\n' });
    await until('the card has gone', async () => (await cardCount()) === 0);
  });

  it('does nothing where there is no companion', async () => {
    const agent = start('agent-asks.mjs', line, { COMPANION_SOCKET: '/nowhere/c.sock' });
    expect(await finish(agent)).toEqual({ code: 1, out: '', err: 'not asked: UNREACHABLE\nnot run\n' });
  });

  it('does nothing without a key', async () => {
    const agent = start('agent-asks.mjs', line, { COMPANION_PROFILE: 'nobody' });
    expect(await finish(agent)).toEqual({ code: 1, out: '', err: 'not asked: CREDENTIAL_MISSING\nnot run\n' });
  });
});

describe('ci-report.mjs', () => {
  it('tells how the job ended, once for each job, and ends as it did', async () => {
    const failing = ['Nightly', 'sh', '-c', 'echo working; exit 3'];
    for (const _time of [1, 2]) {
      const report = start('ci-report.mjs', failing, { CI_JOB_ID: '42' });
      expect(await finish(report)).toEqual({ code: 3, out: 'working\n', err: '' });
    }
    await shown('Failed with 3');
    expect(await cardCount()).toBe(1);
    expect(await finish(start('ci-report.mjs', ['Nightly', 'true']))).toMatchObject({ code: 0, err: '' });
    await shown('Done after');
  });

  it('ends as the job did also when nobody can be told', async () => {
    const report = start('ci-report.mjs', ['Nightly', 'true'], { COMPANION_SOCKET: '/nowhere/c.sock' });
    expect(await finish(report)).toEqual({ code: 0, out: '', err: 'nobody was told: UNREACHABLE\n' });
  });
});

describe('long-loop.mjs', () => {
  it('shows how far it is, to its end', async () => {
    const loop = start('long-loop.mjs', ['20']);
    await shown('Sorting the photographs');
    expect(await finish(loop)).toEqual({ code: 0, out: '20 of 20\n', err: '' });
  });

  it('pauses and goes on when it is asked to, and ends where it is cancelled', async () => {
    const loop = start('long-loop.mjs', ['10000']);
    await pressOn('Sorting the photographs', '[data-action="pause"]');
    await pressOn('Sorting the photographs', '[data-action="resume"]');
    await pressOn('Sorting the photographs', '[data-action="pause"]');
    await pressOn('Sorting the photographs', '[data-action="cancel"]');
    const { code, out, err } = await finish(loop);
    expect([code, out, err]).toEqual([0, expect.stringMatching(/^\d+ of 10000\n$/), '']);
  });

  it('goes on without its card when the user closes that', async () => {
    const loop = start('long-loop.mjs', ['40']);
    await pressOn('Sorting the photographs', '[data-action="dismiss"]');
    expect(await finish(loop)).toEqual({ code: 0, out: '40 of 40\n', err: '' });
  });
});

const noPython = notInstalled('python3');

describe.skipIf(noPython !== null)(`ask.py (skipped where Python is ${noPython ?? 'not installed'})`, () => {
  const LINE = ['Ship it?', 'yes=Ship', 'no=Wait'];

  it('prints the answer', async () => {
    const asking = start('ask.py', LINE);
    await pressOn('Ship it?', '[data-option-id="yes"]');
    expect(await finish(asking)).toEqual({ code: 0, out: 'yes\n', err: '' });
  });

  it('says what there was instead of an answer', async () => {
    const asking = start('ask.py', LINE);
    await pressOn('Ship it?', '[data-action="dismiss"]');
    expect(await finish(asking)).toEqual({ code: 1, out: '', err: 'cancelled: user_dismissed\n' });
    const refused = await finish(start('ask.py', ['Ship it?', 'yes=Ship']));
    expect(refused).toEqual({ code: 1, out: '', err: 'INVALID_PARAMS\n' });
    const empty = await finish(start('ask.py', ['Ship it?']));
    expect([empty.code, empty.err]).toEqual([1, expect.stringContaining('usage: ask.py')]);
  });

  it('asks once when its line is cut after the question was accepted', async () => {
    const folder = mkdtempSync(join(companion.home, 'cut-'));
    let lines = 0;
    const server: Server = createServer((socket) => {
      lines += 1;
      const isCut = lines === 1;
      const host = dial(companion.socketPath);
      for (const each of [socket, host]) each.on('error', () => {});
      socket.pipe(host);
      host.on('close', () => socket.destroy());
      socket.on('close', () => host.destroy());
      if (isCut) host.once('data', () => socket.destroy());
      else host.pipe(socket);
    });
    await new Promise<void>((resolve) => server.listen(join(folder, 'c.sock'), resolve));
    const asking = start('ask.py', LINE, { COMPANION_SOCKET: join(folder, 'c.sock') });
    await until('it has come back', () => lines > 1);
    await shown('Ship it?');
    expect(await cardCount()).toBe(1);
    await pressOn('Ship it?', '[data-option-id="no"]');
    expect(await finish(asking)).toEqual({ code: 0, out: 'no\n', err: '' });
    expect(await cardCount()).toBe(0);
    await new Promise((resolve) => server.close(resolve));
  });
});

it('each example is run here', () => {
  expect(readdirSync(EXAMPLES).toSorted()).toEqual(['agent-asks.mjs', 'ask.py', 'ci-report.mjs', 'long-loop.mjs']);
});
