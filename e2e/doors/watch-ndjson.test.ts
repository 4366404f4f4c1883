import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { finish, type Started } from '../faults/processes.ts';
import { until } from '../harness.ts';
import { type SeenCard, startWatching, type Watching } from './watching.ts';

// The client's cases of the NDJSON interface: a speaker that follows a script, the real program, and a real figure.
let w: Watching;
beforeAll(async () => {
  w = await startWatching();
});
afterAll(() => w?.stop());

const progress = (percent: number, message = '', phase = 'p') => ({
  say: { kind: 'progress', phase, percent, message },
});
const result = (exitCode: number, more: object = {}) => ({ say: { kind: 'result', exitCode, ...more } });
const prompt = (more: object = {}) => ({
  say: { kind: 'prompt', id: 'q1', question: 'Go on?', options: ['y', 'n'], defaultValue: 'n', ...more },
});
const data = (dataKind: string, payload: object = {}) => ({ say: { kind: 'data', dataKind, payload } });
const error = (message: string, more: object = {}) => ({
  say: { kind: 'error', code: 'E_INTERNAL', message, recoverable: false, ...more },
});

const withTitle =
  (title: string, view: string, ...texts: readonly string[]) =>
  (card: SeenCard): boolean =>
    card.view === view && card.text.includes(title) && texts.every((text) => card.text.includes(text));

/** The notice under `title`, as soon as it is there. */
const notice = (title: string, ...texts: readonly string[]): Promise<SeenCard> =>
  w.card(`the notice of ${title}`, withTitle(title, 'notice', ...texts));
const question = (text: string, view = 'choice'): Promise<SeenCard> =>
  w.card(`the question ${text}`, withTitle(text, view));
const heard = (program: Started, text: string): Promise<unknown> =>
  until(`it heard ${text}; so far: ${program.err()}`, () => program.err().includes(text));

describe('the card', () => {
  it('shows phase, percent and message, in whichever scale they are sent; output and exit code are the program’s', async () => {
    const steps = [progress(0, 'a'), progress(0.42, 'gcc.tar.xz', 'downloading'), { hear: 1 }, result(0), { exit: 0 }];
    const program = w.watch('C06', steps);
    const card = await w.card('42 %', withTitle('C06', 'progress', '42', 'downloading', 'gcc.tar.xz'));
    expect(card.tone).toBe('information');
    program.child.stdin?.write('go\n');
    const { code, out, err } = await finish(program);
    expect([code, err]).toEqual([0, 'heard go\n']);
    expect(out).toBe(steps.flatMap((step) => ('say' in step ? [`${JSON.stringify(step.say)}\n`] : [])).join(''));
    expect((await notice('C06', 'Done')).tone).toBe('success');
  });

  it('shows the last of five hundred updates a second', async () => {
    const flood = { times: 500, line: { kind: 'progress', phase: 'p', percent: 50, message: 'step #' } };
    const program = w.watch('C31', [{ flood }, { hear: 1 }, result(0)]);
    const card = await w.card('step 500', withTitle('C31', 'progress', 'step 500'));
    program.child.stdin?.write('\n');
    expect((await finish(program)).code).toBe(0);
    const { revision } = (await w.shell.run('requests', 'get', card.requestId).then(({ out }) => JSON.parse(out))) as {
      revision: number;
    };
    // Made, painted, ended, and ten a second at most in between.
    expect(revision).toBeLessThan(30);
  });

  it('sums files side by side and tells of one that failed', async () => {
    const file = (name: string, downloadedBytes: number, totalBytes: number, more: object = {}) => ({
      name,
      downloadedBytes,
      totalBytes,
      started: true,
      finished: false,
      success: false,
      ...more,
    });
    const files = (...list: object[]) => data('download_progress', { files: list, sizesReady: true });
    const program = w.watch('C28', [
      files(file('a', 0, 0), file('b', 0, 0)),
      { hear: 1 },
      files(file('a', 1e6, 4e6), file('b', 1e6, 4e6), file('c', 0, 0, { finished: true })),
      files(file('c', 2e6, 2e6, { finished: true })),
      { hear: 1 },
      data('install_summary', { success: 2, failed: 1 }),
      result(0),
    ]);
    const card = await w.card('it is there', withTitle('C28', 'progress'));
    expect(card.text).not.toContain('%');
    program.child.stdin?.write('\n');
    await w.card('40 %', withTitle('C28', 'progress', '40', '4 of 10 MB', '1 failed'));
    program.child.stdin?.write('\n');
    await finish(program);
    expect((await notice('C28', 'Failed')).tone).toBe('error');
  });

  it('shows text as text: no ANSI, no bidi, no more than fits', async () => {
    const program = w.watch('C30', [progress(10, `\x1b[31mred\u202e ${'x'.repeat(10_000)}`), { hear: 1 }, result(0)]);
    const card = await w.card('red', withTitle('C30', 'progress', 'red'));
    expect(card.text).not.toMatch(/[\x1b\u202e]/);
    expect(card.text.length).toBeLessThan(500);
    program.child.stdin?.write('\n');
    await finish(program);
  });

  it('goes on over noise, half lines and a line of 5 MB, all of which pass', async () => {
    const noise = ['\r[1/2] a::b\x1b[K', '\n', '{"kind":"resu', '\n'];
    const steps = [
      progress(10),
      ...noise.map((say) => ({ say })),
      { long: 5_000_000 },
      { bytes: Buffer.from([0, 255, 254, 10]).toString('base64') },
      progress(70, 'after the noise'),
      { hear: 1 },
      result(0),
    ];
    const program = w.watch('C08 C10', steps);
    await w.card('after', withTitle('C08 C10', 'progress', '70', 'after the noise'));
    program.child.stdin?.write('\n');
    const { code, out } = await finish(program);
    expect(code).toBe(0);
    expect(out).toContain(noise.join(''));
    expect(out).toContain(`"${'x'.repeat(5_000_000)}"}\n`);
  });
});

describe('a prompt', () => {
  it('is a question whose default is marked and never taken; the answer goes back in one line', async () => {
    const program = w.watch('C12', [prompt({ question: 'Remove gcc?' }), { hear: 1 }, result(0)]);
    const card = await question('Remove gcc?');
    expect(await w.companion.page.$(`[data-request-id="${card.requestId}"] [data-option-id="n"]`)).not.toBeNull();
    await w.press(card, '[data-option-id="y"]');
    await heard(program, 'heard {"action":"prompt-reply","id":"q1","value":"y"}\n');
    expect((await finish(program)).code).toBe(0);
    await notice('C12', 'Done');
  });

  it('without options is answered by typing', async () => {
    const program = w.watch('C13', [
      prompt({ question: 'Which name?', options: [], defaultValue: '' }),
      { hear: 1 },
      result(0),
    ]);
    const card = await question('Which name?', 'text');
    await w.companion.page.type(`[data-request-id="${card.requestId}"] [data-role="answer"]`, 'Zoë "蓝"');
    await w.press(card, '[data-action="submit"]');
    await heard(program, `heard ${JSON.stringify({ action: 'prompt-reply', id: 'q1', value: 'Zoë "蓝"' })}\n`);
    await finish(program);
  });

  it('with more options than there are buttons, or long ones, is a list', async () => {
    const options = ['ns:gcc@14.2.0-with-a-long-name', 'ns:gcc@13'];
    const program = w.watch('long', [
      prompt({ question: 'Which one?', options, defaultValue: '' }),
      { hear: 1 },
      result(0),
    ]);
    const card = await question('Which one?', 'choices');
    const option = `[data-request-id="${card.requestId}"] [data-option-id="${options[1]}"]`;
    await w.companion.page.click(option);
    await w.companion.page.waitForSelector(`${option}[aria-checked="true"]`);
    await w.press(card, '[data-action="submit"]');
    await heard(program, `"value":"${options[1]}"`);
    await finish(program);
  });

  it('that is dismissed tells the program to cancel', async () => {
    const program = w.watch('C14', [
      prompt({ question: 'Dismiss me?' }),
      { hear: 1 },
      error('x', { code: 'E_CANCELLED' }),
      result(130),
      { exit: 130 },
    ]);
    await w.press(await question('Dismiss me?'), '[data-action="dismiss"]');
    await heard(program, 'heard {"action":"cancel"}\n');
    expect((await finish(program)).code).toBe(130);
    const { tone } = await notice('C14', 'Cancelled');
    expect(tone).toBe('information');
  });

  it('that nobody answers in time tells the program to cancel, never the default', async () => {
    const program = w.watch(
      'expires',
      [prompt({ question: 'In time?' }), { hear: 1 }, result(130), { exit: 130 }],
      '--answer-within',
      '1s',
    );
    await heard(program, 'heard {"action":"cancel"}\n');
    expect((await finish(program)).code).toBe(130);
  });

  it('is taken down when the program gives its result, and when it ends', async () => {
    for (const [question_, steps] of [
      ['Result comes?', [{ hear: 1 }, result(0), { stay: 1 }]],
      ['End comes?', [{ hear: 1 }, { exit: 3 }]],
    ] as const) {
      const program = w.watch('C15', [prompt({ question: question_ }), ...steps]);
      const { requestId } = await question(question_);
      program.child.stdin?.write('\n');
      await finish(program);
      const { out } = await w.shell.run('requests', 'get', requestId);
      expect(JSON.parse(out)).toMatchObject({ status: 'cancelled', reason: 'superseded' });
    }
  });

  it('that the caller answers is taken down, and the caller’s line passes', async () => {
    const program = w.watch('R10', [prompt({ question: 'Who answers?' }), { hear: 1 }, { hear: 1 }, result(0)]);
    const { requestId } = await question('Who answers?');
    const reply = '{"action":"prompt-reply","id":"q1","value":"n"}';
    program.child.stdin?.write(`${reply}\n`);
    await heard(program, `heard ${reply}\n`);
    await until('the card is gone', async () => !(await w.cards()).some((card) => card.requestId === requestId));
    const { out } = await w.shell.run('requests', 'get', requestId);
    expect(JSON.parse(out)).toMatchObject({ status: 'cancelled', reason: 'superseded' });
    program.child.stdin?.write('last\n');
    await finish(program);
  });

  it('is answered although the caller had nothing to say from the start', async () => {
    const program = w.watch('no input', [prompt({ question: 'Still open?' }), { hear: 1 }, result(0)]);
    program.child.stdin?.end();
    await w.press(await question('Still open?'), '[data-option-id="y"]');
    await heard(program, '"value":"y"');
    expect((await finish(program)).code).toBe(0);
  });

  it('may be answered while the program ends', async () => {
    const program = w.watch('C27', [prompt({ question: 'Closing?' }), { say: '' }, { stay: 1 }]);
    const card = await question('Closing?');
    await Promise.all([w.press(card, '[data-option-id="y"]'), (async () => program.child.kill('SIGTERM'))()]);
    expect((await finish(program)).code).toBe('SIGTERM');
  });
});

describe('the end', () => {
  it.each([
    ['C05', [result(1, { error: 'capability name required' }), { exit: 1 }], 1, 'error', 'capability name required'],
    ['C17', [data('remove_plan'), prompt(), data('declined'), result(0)], 0, 'information', 'Declined'],
    [
      'C18',
      [data('remove_blocked', { required_by: [{ name: 'llvm' }] }), error('x'), result(2), { exit: 2 }],
      2,
      'warning',
      'Needed by llvm',
    ],
    ['C19', [result(130), { exit: 130 }], 130, 'information', 'Cancelled'],
    ['C21', [data('install_summary', { failed: 1 }), result(0)], 0, 'error', 'Failed'],
    ['C22', [result(7), { exit: 7 }], 7, 'error', 'exit code 7'],
    ['C23', [error('slow', { recoverable: true }), result(0)], 0, 'success', 'Done'],
    ['C24', [progress(5), { exit: 0 }], 0, 'error', 'Broke off'],
    ['C24 signal', [progress(5), { kill: 'SIGKILL' }], 'SIGKILL', 'error', 'SIGKILL'],
  ])('%s', async (title, steps, code, tone, text) => {
    const program = w.watch(`end ${title}.`, steps);
    expect((await finish(program)).code).toBe(code);
    expect((await notice(`end ${title}.`, text)).tone).toBe(tone);
  });

  it('of a program that stays after its result is brought about', async () => {
    const program = w.watch('C26', [{ ignore: ['SIGTERM'] }, result(0), { stay: 1 }]);
    expect((await finish(program)).code).toBe('SIGKILL');
    await notice('C26', 'Done');
  });

  it('of a program that speaks nothing known is that of any program', async () => {
    const program = w.watch('C02', [{ say: 'Error: unknown option: --version\n' }, { exit: 1 }]);
    expect((await finish(program)).out).toBe('Error: unknown option: --version\n');
    expect((await notice('C02', 'Failed', 'exit code 1')).tone).toBe('error');
  });
});

describe('controls', () => {
  it('pause and resume reach the program in its words, and the card says so', async () => {
    const program = w.watch('pausing', [progress(5), { hear: 1 }, { hear: 1 }, result(0)]);
    const card = await w.card('the card', withTitle('pausing', 'progress'));
    await w.press(card, '[data-action="pause"]');
    await heard(program, 'heard {"action":"pause"}\n');
    await w.press(card, '[data-action="resume"]');
    await heard(program, 'heard {"action":"resume"}\n');
    expect((await finish(program)).code).toBe(0);
  });

  it('cancel reaches a program of no known format as SIGINT', async () => {
    const program = w.watch('interrupted', [{ say: 'plain\n' }, { stay: 1 }]);
    const card = await w.card('the card', withTitle('interrupted', 'progress'));
    expect(await w.companion.page.$(`[data-request-id="${card.requestId}"] [data-action="pause"]`)).toBeNull();
    await w.press(card, '[data-action="cancel"]');
    expect((await finish(program)).code).toBe('SIGINT');
    await notice('interrupted', 'Cancelled');
  });

  it('a program that ignores cancel is interrupted, then terminated', async () => {
    const program = w.watch('stubborn', [{ ignore: ['SIGINT'] }, progress(5), { hear: 1 }, { stay: 1 }]);
    await w.press(await w.card('the card', withTitle('stubborn', 'progress')), '[data-action="cancel"]');
    await heard(program, 'heard {"action":"cancel"}\n');
    expect((await finish(program)).code).toBe('SIGTERM');
    expect(program.err()).toContain('got SIGINT\n');
  });
});
