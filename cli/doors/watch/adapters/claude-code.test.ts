import { describe, expect, it } from 'vitest';
import type { PromptEvent } from '../adapter.ts';
import { claudeCode } from './claude-code.ts';
import { exited, linesOf, messagesOf, progressOf, replay, toLine } from './replay.fixture.ts';

const run = () => replay(claudeCode, ...linesOf('claude-code'));
const asks = () => replay(claudeCode, ...linesOf('claude-code-asks'));
const prompts = (): readonly PromptEvent[] => asks().events.filter((event) => event.kind === 'prompt');

const request = (id: unknown, input: unknown, more: object = {}) =>
  toLine(
    JSON.stringify({
      type: 'control_request',
      request_id: id,
      request: { subtype: 'can_use_tool', tool_name: 'Bash', input, ...more },
    }),
  );
const asked = (input: unknown, more?: object): PromptEvent => {
  const [event] = replay(claudeCode, request('r', input, more)).events;
  if (event?.kind !== 'prompt') throw new Error('no prompt');
  return event;
};

describe('Claude Code', () => {
  it('shows which tool is used, and its list of things to do as a percentage', () => {
    const all = progressOf(run());
    expect(all.map(({ phase }) => phase)).toEqual(
      expect.arrayContaining(['starting', 'requesting', 'thinking', 'Read', 'planning', 'Bash']),
    );
    expect(all.find(({ phase }) => phase === 'Read')!.message).toBe('main.rs');
    expect(all.find(({ phase }) => phase === 'Bash')).toMatchObject({ message: 'Run the tests', done: 1, total: 3 });
    expect(all.filter(({ phase }) => phase === 'planning').map(({ percent }) => percent)).toEqual([
      0,
      expect.closeTo(33.3, 1),
      100,
    ]);
  });

  it('tells of a subagent like a step: nobody knows how many there will be', () => {
    const own = progressOf(run()).filter(({ message }) => message === 'Find other tests');
    expect(own.map(({ phase }) => phase)).toEqual(['Task', 'subagent', 'Grep']);
    expect(progressOf(run()).every(({ key }) => key === undefined)).toBe(true);
    const failed = { type: 'system', subtype: 'task_notification', status: 'failed', summary: 'it broke off' };
    expect(messagesOf(replay(claudeCode, toLine(JSON.stringify(failed))), 'log')).toEqual([
      'a subagent failed: it broke off',
    ]);
  });

  it('says what it says, and what went wrong on the way, but not what tools returned', () => {
    expect(messagesOf(run(), 'log')).toEqual([
      'I look at the test first.',
      'a tool failed',
      'trying again, 1 of 10',
      'it made room in its memory',
      'The test passes now.',
    ]);
    expect(JSON.stringify(run().events)).not.toContain('cargo test');
  });

  it('ends as its last turn did, if the process says so too', () => {
    expect(run().reading.verdict(exited(0))).toEqual({ outcome: 'done', message: 'The test passes now.' });
    expect(run().reading.verdict(exited(1))!.outcome).toBe('failed');
    const failed = replay(claudeCode, ...linesOf('claude-code-failed'));
    expect(failed.reading.verdict(exited(0))).toEqual({
      outcome: 'failed',
      message: 'It broke off, The service answered with 500',
    });
    expect(asks().events.flatMap((event) => (event.kind === 'result' ? [event.outcome] : []))).toEqual([
      'done',
      'failed',
    ]);
    expect(asks().reading.verdict(exited(0))).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('It stopped at its limit of turns'),
    });
  });

  it('is abnormal when it ends well without a result', () => {
    const { reading } = replay(claudeCode, ...linesOf('claude-code').slice(0, 3));
    expect(reading.verdict(exited(0))!.outcome).toBe('abnormal');
    expect(reading.verdict(exited(1))).toBeNull();
  });
});

describe('a permission that Claude Code asks for', () => {
  it('is a question with the exact command, and why it is asked', () => {
    expect(prompts()[0]).toMatchObject({
      id: 'req-1',
      question: 'Claude wants to run a command',
      details:
        'rm -rf target && cargo build\ndescription: Build from nothing\ntimeout: 60000\n' +
        '(why: rm removes files)\n(about: rm -rf target && cargo build)',
      options: [
        { value: 'allow', label: 'Allow' },
        { value: 'deny', label: 'Deny' },
      ],
    });
  });

  it('shows all of an input that is no command', () => {
    expect(prompts()[1]).toMatchObject({ question: 'Claude wants to use Edit', suggested: null });
    expect(prompts()[1]!.details).toBe(
      'Edit\nfile_path: /home/ada/pebble/src/main.rs\nold_string: assert_eq!(1, 2);\n' +
        'new_string: assert_eq!(1, 1);\n  assert!(true);\nreplace_all: false',
    );
  });

  it('is answered with the line that allows what was asked, unchanged', () => {
    expect(JSON.parse(prompts()[0]!.reply('allow'))).toEqual({
      type: 'control_response',
      response: {
        subtype: 'success',
        request_id: 'req-1',
        response: {
          behavior: 'allow',
          updatedInput: {
            command: 'rm -rf target && cargo build',
            description: 'Build from nothing',
            timeout: 60000,
          },
        },
      },
    });
    expect(prompts()[0]!.reply('allow')).not.toContain('\n');
  });

  it.each(['deny', '', 'Allow', 'yes', 'ALLOW', 'allow '])('is denied by %j', (value) => {
    expect(JSON.parse(prompts()[0]!.reply(value)).response).toEqual({
      subtype: 'success',
      request_id: 'req-1',
      response: { behavior: 'deny', message: 'The user said no.', interrupt: false },
    });
  });

  it('never suggests to allow, and takes no single press where Claude Code says so', () => {
    expect(prompts().map(({ suggested, careful }) => [suggested, careful])).toEqual([
      ['deny', true],
      [null, undefined],
      [null, true],
    ]);
  });

  it('that does not fit says so, and takes no single press', () => {
    const prompt = asked({ command: `true ${'x'.repeat(9_000)}; rm -rf ~` });
    expect(prompt.careful).toBe(true);
    expect(prompt.details).toMatch(/more of this than can be shown here\]$/);
    expect([...prompt.details!].length).toBeLessThanOrEqual(4_000);
    expect(JSON.parse(prompt.reply('allow')).response.response.updatedInput.command).toMatch(/rm -rf ~$/);
  });

  it('hides nothing and adds nothing: unseen characters are seen, and a value can not pass for another field', () => {
    expect(asked({ command: 'ls\u202e \u001b[8mrm\u001b[0m' }).details).toBe('ls\\u202E \\u001B[8mrm\\u001B[0m');
    expect(asked({ note: 'a\ntimeout: 5', timeout: 9 }).details).toBe('Bash\nnote: a\n  timeout: 5\ntimeout: 9');
    expect(asked({}, { title: 'Run\u202e\u001b[31m it\n' }).question).toBe('Run it');
    expect(asked({}, { title: '\u001b[0m' }).question).toBe('Claude wants to use Bash');
  });

  it('is closed when Claude Code takes it back', () => {
    expect(asks().events).toContainEqual({ kind: 'prompt-closed', id: 'req-1' });
  });

  it.each([
    ['no ID', request(undefined, {})],
    ['a number as ID', request(7, {})],
    ['no input', request('r', undefined)],
    ['a list as input', request('r', [])],
    ['another kind', toLine('{"type":"control_request","request_id":"r","request":{"subtype":"elicitation"}}')],
    ['a beginning only', { text: '{"type":"control_request","request_id":"r","requ', stream: 'stdout', cut: true }],
  ] as const)('with %s is only told of', (_, line) => {
    const { events } = replay(claudeCode, line);
    expect(events).toEqual([{ kind: 'log', level: 'warn', message: expect.stringMatching(/^it asks something/) }]);
  });
});

describe('a question that Claude Code asks', () => {
  const one = {
    question: 'Which library?',
    header: 'Library',
    multiSelect: false,
    options: [
      { label: 'serde', description: 'the usual one' },
      { label: 'none', description: '' },
    ],
  };
  const ask = (...questions: object[]) =>
    asked({ questions }, { tool_name: 'AskUserQuestion', requires_user_interaction: true });
  const answerTo = (prompt: PromptEvent, value: string) => JSON.parse(prompt.reply(value)).response.response;

  it('is a choice, and what was chosen goes back as its answer', () => {
    const prompt = ask(one);
    expect(prompt).toMatchObject({
      question: 'Which library?',
      details: 'serde: the usual one',
      suggested: null,
      options: [
        { value: 'serde', label: 'serde' },
        { value: 'none', label: 'none' },
      ],
    });
    expect(answerTo(prompt, 'serde')).toEqual({
      behavior: 'allow',
      updatedInput: { questions: [one], answers: { 'Which library?': 'serde' } },
    });
  });

  it.each([
    ['several questions', [one, { ...one, question: 'Which version?' }], 'Claude has 2 questions'],
    ['several answers to one', [{ ...one, multiSelect: true }], 'Which library?'],
    ['two options that are called the same', [{ ...one, options: [{ label: 'a' }, { label: 'a' }] }], 'Which library?'],
    ['no options', [{ question: 'Which library?' }], 'Which library?'],
  ])('with %s is answered in words', (_, questions, title) => {
    const prompt = ask(...questions);
    expect(prompt).toMatchObject({ question: title, options: [] });
    expect(answerTo(prompt, 'the newer one')).toEqual({
      behavior: 'deny',
      message: 'The user answered in words: the newer one',
      interrupt: false,
    });
  });

  it('that cannot be read is a permission like any other, and takes no single press', () => {
    expect(ask()).toMatchObject({ careful: true, options: [{ value: 'allow' }, { value: 'deny' }] });
  });
});

describe('cancelling Claude Code', () => {
  it('is a signal until it is known to read lines', () => {
    expect(run().reading.cancel!()).toBeNull();
  });

  it.each([
    [['-p', 'mend it'], false],
    [['-p', '--input-format', 'stream-json'], true],
    [['-p', '--input-format=stream-json'], true],
    [['-p', '--input-format', 'text', '--output-format', 'stream-json'], false],
    [['--input-format'], false],
  ])('typed as %j reads lines: %s', (args, does) => {
    expect(claudeCode.expectsAnswers!(args)).toBe(does);
    expect(claudeCode.start(args).cancel!() !== null).toBe(does);
  });

  it('hears which prompt a line of the caller answers', () => {
    const line = JSON.stringify({ type: 'control_response', response: { subtype: 'success', request_id: 'r' } });
    expect(['{"type":"user"}', 'no JSON', '{"type":"control_response"}', line].map(claudeCode.repliesTo!)).toEqual([
      null,
      null,
      null,
      'r',
    ]);
  });

  it('is an interrupt request afterwards, each with an ID of its own', () => {
    const { reading } = asks();
    const [first, second] = [reading.cancel!(), reading.cancel!()].map((line) => JSON.parse(line!));
    expect(first).toMatchObject({ type: 'control_request', request: { subtype: 'interrupt' } });
    expect(first.request_id).not.toBe(second.request_id);
  });
});
