import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../server/protocol/snapshot.ts';
import { endAll, kill, type Started } from '../faults/processes.ts';
import { only, openShell, type Shell } from '../faults/shell.ts';
import { enableAccess, press } from '../faults/user.ts';
import { type LaunchedCompanion, launchCompanion, until } from '../harness.ts';

// The short verbs against a real host and page: what a shell script gets to see.
let companion: LaunchedCompanion;
let shell: Shell;
beforeAll(async () => {
  companion = await launchCompanion();
  await enableAccess(companion.page);
  shell = openShell(companion);
  expect((await shell.pair('asker')).code).toBe(0);
});
afterAll(async () => {
  await endAll();
  await companion?.stop();
});

const CHOICES = ['--choice', 'yes=Yes, do it', '--choice', 'no=No'];

/** The card with this title, as soon as it is there: its request ID. */
const cardTitled = (title: string): Promise<string> =>
  until(`a card “${title}”`, async () => {
    const id = await companion.page.evaluate(
      `[...document.querySelectorAll('[data-request-id]')].find((card) => card.textContent.includes(${JSON.stringify(title)}))?.dataset.requestId ?? ''`,
    );
    return id === '' ? null : String(id);
  });

const cardCount = async (): Promise<number> => (await companion.page.$$('[data-request-id]')).length;
const inCard = (requestId: string, selector: string): string => `[data-request-id="${requestId}"] ${selector}`;
const pressIn = (requestId: string, selector: string): Promise<void> =>
  press(companion.page, inCard(requestId, selector));

async function ended(program: Started): Promise<{ code: number | string; out: string; err: string }> {
  const code = await program.ended;
  return { code, out: program.out(), err: program.err() };
}

const get = async (requestId: string): Promise<Snapshot> =>
  only<Snapshot>((await shell.run('requests', 'get', requestId)).out);

describe('ask', () => {
  it('prints the ID of the chosen option, alone', async () => {
    const asking = shell.start('ask', 'Plain answer?', ...CHOICES, '--suggest', 'no', '--tone', 'warning');
    await pressIn(await cardTitled('Plain answer?'), '[data-option-id="yes"]');
    expect(await ended(asking)).toEqual({ code: 0, out: 'yes\n', err: '' });
  });

  it('prints the snapshot with --json', async () => {
    const asking = shell.start('ask', 'As JSON?', ...CHOICES, '--json', '--task-id', 'task 7');
    await pressIn(await cardTitled('As JSON?'), '[data-option-id="no"]');
    const { code, out, err } = await ended(asking);
    expect([code, err]).toEqual([0, '']);
    expect(only(out)).toMatchObject({ status: 'completed', taskId: 'task 7', result: { selectedId: 'no' } });
  });

  it('prints the text that was typed', async () => {
    const asking = shell.start('ask', 'A name, please', '--text', '--placeholder', 'name', '--max-length', '20');
    const requestId = await cardTitled('A name, please');
    const field = inCard(requestId, '[data-role="answer"]');
    await companion.page.waitForSelector(field);
    await companion.page.type(field, 'Zoë 蓝');
    await pressIn(requestId, '[data-action="submit"]');
    expect(await ended(asking)).toEqual({ code: 0, out: 'Zoë 蓝\n', err: '' });
  });

  it('prints one ID a line with --several', async () => {
    const options = ['a', 'b', 'c'].flatMap((id) => ['--choice', `${id}=Option ${id}`]);
    const asking = shell.start('ask', 'Which ones?', ...options, '--several', '--min', '1');
    const requestId = await cardTitled('Which ones?');
    for (const id of ['c', 'a']) {
      const option = inCard(requestId, `[data-option-id="${id}"]`);
      await companion.page.click(option);
      await companion.page.waitForSelector(`${option}[aria-checked="true"]`);
    }
    await pressIn(requestId, '[data-action="submit"]');
    expect(await ended(asking)).toEqual({ code: 0, out: 'a\nc\n', err: '' });
  });

  it('shows details from standard input', async () => {
    const asking = shell.start('ask', 'With details?', ...CHOICES, '--details-file', '-');
    asking.child.stdin?.end('rm -rf <b>everything</b>\n');
    const requestId = await cardTitled('With details?');
    expect(
      await companion.page.$eval(inCard(requestId, '[data-role="details"]'), (node) => node.textContent),
    ).toContain('rm -rf <b>everything</b>');
    await pressIn(requestId, '[data-option-id="no"]');
    expect((await ended(asking)).out).toBe('no\n');
  });

  it.each([
    ['dismissed', '[data-action="dismiss"]', 'user_dismissed'],
    ['declined', '[data-action="decline"]', 'user_declined'],
  ])('that is %s ends with 6 and no answer', async (what, selector, reason) => {
    const asking = shell.start('ask', `To be ${what}?`, ...CHOICES, '--allow-decline');
    const requestId = await cardTitled(`To be ${what}?`);
    await pressIn(requestId, selector);
    const { code, out, err } = await ended(asking);
    expect([code, out]).toEqual([6, '']);
    expect(err).toContain('REQUEST_CANCELLED');
    expect(await get(requestId)).toMatchObject({ status: 'cancelled', reason, result: null });
  });

  it('that nobody answers ends with 6 at its time-out', async () => {
    const { code, out, err } = await shell.run('ask', 'Expires soon?', ...CHOICES, '--timeout', '1s');
    expect([code, out]).toEqual([6, '']);
    expect(err).toContain('REQUEST_EXPIRED');
  });

  it('with --wait ends with 7 when that is over; the question stays and its ID is told', async () => {
    const { code, out, err } = await shell.run('ask', 'Short patience?', ...CHOICES, '--wait=300ms', '--json');
    const { requestId, endedAt } = only<Snapshot>(out);
    expect([code, endedAt]).toEqual([7, null]);
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'WAIT_TIMEOUT', details: { requestId } } });
    const waiting = shell.start('requests', 'wait', requestId);
    await pressIn(requestId, '[data-option-id="yes"]');
    expect(await waiting.ended).toBe(0);
  });

  it('with --no-wait prints the request ID, and exits 0 before anybody has answered', async () => {
    const { code, out, err } = await shell.run('ask', 'Later?', ...CHOICES, '--no-wait');
    expect([code, err]).toEqual([0, '']);
    const requestId = out.trim();
    expect(await cardTitled('Later?')).toBe(requestId);
    expect((await get(requestId)).endedAt).toBeNull();
    await shell.run('requests', 'cancel', requestId);
  });

  it('survives its asker: killed and started again under the same key it asks nothing new and gets the answer', async () => {
    const args = ['ask', 'Asked once?', ...CHOICES, '--idempotency-key', 'once'];
    const first = shell.start(...args);
    const requestId = await cardTitled('Asked once?');
    await kill(first);
    const second = shell.start(...args);
    const third = shell.start(...args);
    await pressIn(requestId, '[data-option-id="yes"]');
    expect(await ended(second)).toEqual({ code: 0, out: 'yes\n', err: '' });
    expect(await ended(third)).toEqual({ code: 0, out: 'yes\n', err: '' });
    // Answered while no asker was there at all, and asked again afterwards.
    expect(await shell.run(...args)).toEqual({ code: 0, out: 'yes\n', err: '' });
    expect(await cardCount()).toBe(0);
  });

  it.each([
    ['without a key is taken back', [], 'cancelled'],
    ['with a key stays', ['--idempotency-key', 'kept'], 'awaiting_user'],
  ])('%s at Ctrl-C, exit 130', async (what, more, status) => {
    const title = `Interrupted ${what}?`;
    const asking = shell.start('ask', title, ...CHOICES, ...more);
    const requestId = await cardTitled(title);
    await until('it is waiting', async () => (await get(requestId)).status === 'awaiting_user');
    asking.child.kill('SIGINT');
    const { code, out, err } = await ended(asking);
    expect([code, out]).toEqual([130, '']);
    expect(err).toContain('INTERRUPTED');
    expect((await get(requestId)).status).toBe(status);
    await shell.run('requests', 'cancel', requestId);
  });

  it('has its key in neither its arguments nor its environment, nor does the host’s log', async () => {
    const asking = shell.start('ask', 'Where is the key?', ...CHOICES);
    const requestId = await cardTitled('Where is the key?');
    const { key } = JSON.parse(readFileSync(join(shell.credentials, 'asker.json'), 'utf8')) as { key: string };
    expect(key).toMatch(/^cmp_/);
    const log = join(companion.env.XDG_STATE_HOME ?? '', 'companion', 'companion.log');
    for (const file of [`/proc/${asking.pid}/cmdline`, `/proc/${asking.pid}/environ`, log])
      expect(readFileSync(file, 'utf8')).not.toContain(key);
    expect(readFileSync(log, 'utf8')).not.toContain('Where is the key?');
    await pressIn(requestId, '[data-option-id="yes"]');
    await asking.ended;
  });
});

describe('the other short verbs', () => {
  it('notify says nothing and waits only when it is told to', async () => {
    expect(await shell.run('notify', 'Accepted is enough', '--duration', '1s')).toEqual({ code: 0, out: '', err: '' });
    const waited = await shell.run(
      'notify',
      'Shown',
      '--title',
      'T',
      '--tone',
      'success',
      '--duration',
      '1s',
      '--wait',
      '--json',
    );
    expect([waited.code, only(waited.out)]).toMatchObject([0, { status: 'completed', reason: 'displayed' }]);
    const impatient = await shell.run('notify', 'Too long', '--duration', '60s', '--wait=200ms');
    expect([impatient.code, impatient.out]).toEqual([7, '']);
    expect(impatient.err).toContain('WAIT_TIMEOUT');
    const keyed = ['notify', 'Once', '--idempotency-key', 'notice', '--json'];
    const [first, second] = [await shell.run(...keyed), await shell.run(...keyed)];
    expect(only<Snapshot>(second.out).requestId).toBe(only<Snapshot>(first.out).requestId);
  });

  it('progress prints the ID once, then what the user has pressed', async () => {
    const started = await shell.run(
      'progress',
      'start',
      'Copying',
      '--percent',
      '0',
      '--control',
      'pause',
      '--control',
      'cancel',
    );
    expect([started.code, started.err]).toEqual([0, '']);
    const requestId = started.out.trim();
    await companion.page.waitForSelector(inCard(requestId, '[data-action="pause"]'));
    expect(await shell.run('progress', 'update', requestId, '--percent', '40')).toEqual({ code: 0, out: '', err: '' });
    const { revision } = await get(requestId);
    await until('the press has come through', async () => {
      await companion.page.click(inCard(requestId, '[data-action="pause"]')).catch(() => {});
      return (await get(requestId)).revision > revision;
    });
    expect(await shell.run('progress', 'update', requestId, '--paused')).toEqual({ code: 0, out: 'pause\n', err: '' });
    expect(await shell.run('progress', 'done', requestId, '--message', 'all copied')).toEqual({
      code: 0,
      out: '',
      err: '',
    });
    expect(await get(requestId)).toMatchObject({ status: 'completed', reason: 'owner_completed' });
    const late = await shell.run('progress', 'update', requestId, '--percent', '50', '--json');
    expect([late.code, only<{ error: { code: string } }>(late.out).error.code]).toEqual([5, 'REVISION_CONFLICT']);
  });

  it('play lets the figure play, to the end with --wait', async () => {
    const { code, out } = await shell.run('play', 'celebrate', '--wait=30s', '--json');
    expect([code, only(out)]).toMatchObject([0, { status: 'completed', reason: 'clip_ended' }]);
    expect((await shell.run('play', 'moonwalk')).code).toBe(2);
  });
});
