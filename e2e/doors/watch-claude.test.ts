import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { finish, type Started } from '../faults/processes.ts';
import { until } from '../harness.ts';
import { type SeenCard, SPEAKER, type Step, startWatching, type Watching } from './watching.ts';

// Claude Code as it speaks to its host, played by a script: its questions are answered on the figure.
let w: Watching;
beforeAll(async () => {
  w = await startWatching();
});
afterAll(() => w?.stop());

const own = { session_id: 's', uuid: 'u' };
const init = {
  say: { type: 'system', subtype: 'init', model: 'm', tools: ['Bash'], mcp_servers: [], ...own },
};
const mayI = (id: string, command: string, more: object = {}) => ({
  say: {
    type: 'control_request',
    request_id: id,
    request: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command }, tool_use_id: 't', ...more },
  },
});
const result = (text: string, more: object = {}) => ({
  say: { type: 'result', subtype: 'success', is_error: false, num_turns: 1, result: text, ...more, ...own },
});
const MESSAGE = `${JSON.stringify({ type: 'user', message: { role: 'user', content: 'go' }, parent_tool_use_id: null })}\n`;

/** `companion watch -- claude -p --input-format stream-json …`, as far as the arguments matter. */
const claude = (title: string, steps: readonly Step[], ...args: readonly string[]): Started =>
  w.shell.start(...['watch', '--title', title, '--', process.execPath, SPEAKER, JSON.stringify(steps), '-p', ...args]);
const streaming = (title: string, ...steps: readonly Step[]): Started =>
  claude(title, [{ hear: 1 }, init, ...steps, { hear: 1 }], '--input-format', 'stream-json');

const card = (text: string, view: string): Promise<SeenCard> =>
  w.card(`${view}: ${text}`, (seen) => seen.view === view && seen.text.includes(text));
const answers = ({ err }: { err: string }): readonly unknown[] =>
  err
    .split('\n')
    .filter((line) => line.startsWith('heard {"type":"control_response"'))
    .map((line) => JSON.parse(line.slice('heard '.length)).response);
const response = (id: string, answer: object) => ({ subtype: 'success', request_id: id, response: answer });

describe('a permission prompt', () => {
  it('is a question with the exact command; what is pressed goes back, though the caller has long ended', async () => {
    const program = streaming('Permits', mayI('r1', 'cargo test --all'), { hear: 1 }, result('All is well.'));
    program.child.stdin?.end(MESSAGE);
    const asked = await card('Claude wants to use Bash', 'choice');
    expect(asked.text).toContain('cargo test --all');
    await w.press(asked, '[data-option-id="allow"]');
    const finished = await finish(program);
    expect(finished.code).toBe(0);
    expect(answers(finished)).toEqual([
      response('r1', { behavior: 'allow', updatedInput: { command: 'cargo test --all' } }),
    ]);
    expect(finished.err).toMatch(/the input has ended\n$/);
    expect((await card('Permits', 'notice')).text).toContain('Done · All is well.');
  });

  it('is denied with a press, and Claude goes on', async () => {
    const program = streaming('Denies', mayI('r1', 'rm -rf target/deny'), { hear: 1 }, result('Then not.'));
    program.child.stdin?.end(MESSAGE);
    await w.press(await card('target/deny', 'choice'), '[data-option-id="deny"]');
    const finished = await finish(program);
    expect(answers(finished)).toEqual([
      response('r1', { behavior: 'deny', message: 'The user said no.', interrupt: false }),
    ]);
  });

  it('that is not to be allowed by a stray press is a list to confirm', async () => {
    const program = streaming('Careful', mayI('r1', 'rm -rf ~', { default_to_no: true }), { hear: 1 }, result('Ok.'));
    program.child.stdin?.end(MESSAGE);
    const asked = await card('rm -rf ~', 'choices');
    const deny = `[data-request-id="${asked.requestId}"] [data-option-id="deny"]`;
    await w.companion.page.click(deny);
    await w.companion.page.waitForSelector(`${deny}[aria-checked="true"]`);
    await w.press(asked, '[data-action="submit"]');
    expect(answers(await finish(program))).toHaveLength(1);
  });

  it('goes when Claude takes it back, and when the caller answers it', async () => {
    const takenBack = { say: { type: 'control_cancel_request', request_id: 'r1' } };
    const steps = [mayI('r1', 'one'), { hear: 1 }, takenBack, { hear: 1 }, mayI('r2', 'two'), { hear: 1 }];
    const program = streaming('Takes back', ...steps, result('Ok.'));
    program.child.stdin?.write(MESSAGE);
    const first = await card('one', 'choice');
    program.child.stdin?.write('\n');
    const isGone = async (id: string) => !(await w.cards()).some(({ requestId }) => requestId === id);
    await until('the first is gone', () => isGone(first.requestId));
    program.child.stdin?.write('\n');
    const second = await card('two', 'choice');
    program.child.stdin?.end(`${JSON.stringify({ type: 'control_response', response: response('r2', {}) })}\n`);
    await until('the second is gone', () => isGone(second.requestId));
    const finished = await finish(program);
    expect(finished.code).toBe(0);
    expect(answers(finished)).toEqual([response('r2', {})]);
  });

  it('that is turned away is no answer: Claude is told to stop', async () => {
    const broke = result('', { subtype: 'error_during_execution', is_error: true, result: undefined, errors: [] });
    const program = streaming('Turned away', mayI('r1', 'three'), { hear: 1 }, broke);
    program.child.stdin?.end(MESSAGE);
    await w.press(await card('three', 'choice'), '[data-action="dismiss"]');
    const finished = await finish(program);
    expect(answers(finished)).toEqual([]);
    expect(finished.err).toMatch(/"subtype":"interrupt"/);
    expect((await card('Turned away', 'notice')).text).toContain('Cancelled');
  });
});

describe('cancel on the card', () => {
  it('is an interrupt request where Claude reads lines', async () => {
    const broke = result('', { subtype: 'error_during_execution', is_error: true, result: undefined, errors: [] });
    const program = streaming('Interrupts', { hear: 1 }, broke);
    program.child.stdin?.end(MESSAGE);
    await w.press(await card('Interrupts', 'progress'), '[data-action="cancel"]');
    const finished = await finish(program);
    expect(finished.err).toMatch(/heard \{"type":"control_request".*"subtype":"interrupt"/);
    expect((await card('Interrupts', 'notice')).text).toContain('Cancelled');
  });

  it('is a signal where it does not', async () => {
    const program = claude('Signals', [init, { stay: 1 }]);
    program.child.stdin?.end();
    await w.press(await card('Signals', 'progress'), '[data-action="cancel"]');
    expect(await program.ended).toBe('SIGINT');
    expect(program.err()).toBe('');
  });
});
