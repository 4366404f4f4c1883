import { afterAll, beforeAll, expect, it } from 'vitest';
import { finish } from '../faults/processes.ts';
import { openShell } from '../faults/shell.ts';
import { until } from '../harness.ts';
import { type SeenCard, startWatching, type Watching } from './watching.ts';

// `companion run` beside a real figure: it works, it tells how it ended, and shows the last lines when it is asked to.
let w: Watching;
beforeAll(async () => {
  w = await startWatching();
});
afterAll(() => w?.stop());

const titled =
  (title: string, view: string) =>
  (card: SeenCard): boolean =>
    card.view === view && card.text.includes(title);
const clip = (): Promise<unknown> =>
  w.companion.page.$eval(
    '[data-character]',
    (figure) => (figure as unknown as { dataset: { clip: string } }).dataset.clip,
  );

it('has the figure work as long as the program does, and tells that it is done', async () => {
  const program = w.run('Long job', [{ hear: 1 }], '--notify-after', '1ms');
  await until('the figure works', async () => String(await clip()).includes('work'));
  program.child.stdin?.write('\n');
  expect(await finish(program)).toEqual({ code: 0, out: '', err: 'heard \n' });
  expect((await w.card('it is done', titled('Long job', 'notice'))).tone).toBe('success');
  await until('the figure rests', async () => !String(await clip()).includes('work'));
});

it('says nothing of what was quick, however it ended', async () => {
  const program = w.run('Quick job', [{ say: 'x\n' }, { exit: 1 }]);
  expect((await finish(program)).code).toBe(1);
  expect((await w.cards()).filter(({ text }) => text.includes('Quick job'))).toEqual([]);
});

it('offers the last lines of what has failed, shows them when asked, and is gone long before', async () => {
  const lines1to9 = Array.from({ length: 9 }, (_, index) => `line ${index + 1}\n`).join('');
  const steps = [{ say: lines1to9 }, { hear: 1 }, { err: '\x1b[31merror: <b>no such</b> file\x1b[0m\n' }, { exit: 3 }];
  const program = w.run('Failing job', steps, '--notify-after', '1ms');
  // Two pipes have no order of their own.
  await until('the lines are through', () => program.out().includes('line 9'));
  program.child.stdin?.write('\n');
  expect((await finish(program)).code).toBe(3);
  const offer = await w.card('the offer', titled('Failing job', 'choice'));
  expect([offer.tone, offer.text]).toEqual(['error', expect.stringContaining('exit code 3')]);
  expect(offer.text).not.toContain('line 9');
  await w.press(offer, '[data-option-id="lines"]');
  const shown = (text: string) => (card: SeenCard) => titled('last lines', 'choice')(card) && card.text.includes(text);
  const lines = await w.card('the last lines', shown('error: <b>no such</b> file'));
  expect(lines.text).toContain('line 9\n');
  expect(lines.text).not.toContain('line 1\n');
  await w.press(lines, '[data-option-id="more"]');
  const more = await w.card('more of them', shown('line 1\n'));
  await w.press(more, '[data-option-id="close"]');
});

it('tells of a failure that left nothing behind in a notice', async () => {
  const program = w.run('Silent job', [{ exit: 4 }], '--notify-after', '1ms');
  expect((await finish(program)).code).toBe(4);
  const notice = await w.card('the notice', titled('Silent job', 'notice'));
  expect([notice.tone, notice.text]).toEqual(['error', expect.stringContaining('exit code 4')]);
});

it('tells that a command could not be started', async () => {
  const program = w.shell.start('run', '--title', 'No job', '--', 'nonesuch');
  expect((await finish(program)).code).toBe(127);
  expect((await w.card('the notice', titled('No job', 'notice'))).tone).toBe('error');
});

it('is not held up by a key that may not do all of this', async () => {
  const shell = openShell(w.companion);
  expect((await shell.pair('may only notify', ['notify'])).code).toBe(0);
  const words = ['--title', 'Narrow job', '--notify-after', '1ms', '--', 'sh', '-c', 'echo x; exit 5'];
  const program = shell.start('run', ...words);
  expect((await finish(program)).code).toBe(5);
  expect((await w.card('the notice', titled('Narrow job', 'notice'))).tone).toBe('error');
});
