import { describe, expect, it } from 'vitest';
import { interactionChoose } from '../../registry/capabilities/interaction.choose.ts';
import { faultsOf } from '../../registry/validate.ts';
import { bash, claude } from './events.fixture.ts';
import { permissionAnswer, permissionQuestion } from './permission.ts';
import { readEvent } from './read-event.ts';

const ask = (fields: object, language: 'en' | 'zh-CN' = 'en') =>
  permissionQuestion(
    'claude-code',
    readEvent(claude('PermissionRequest', fields as Record<string, unknown>))!,
    language,
  );

describe('permissionQuestion', () => {
  it('shows the command as it is, and presses nothing for the user', () => {
    const question = ask(bash('rm -rf build && make "all"\n\techo $HOME'));
    expect(question).toMatchObject({
      title: 'Claude Code in “api”: run this command?',
      details: 'rm -rf build && make "all"\n\techo $HOME',
      options: [
        { id: 'allow', label: 'Allow' },
        { id: 'deny', label: 'Deny' },
      ],
    });
    expect(question).not.toHaveProperty('suggestedId');
    expect(faultsOf(interactionChoose.input, question)).toEqual([]);
  });

  it('speaks Chinese too', () => {
    expect(ask(bash('ls'), 'zh-CN')).toMatchObject({
      title: 'Claude Code（api）：运行这条命令吗？',
      options: [{ label: '允许' }, { label: '拒绝' }],
    });
  });

  it('shows all of the input for other tools, and for a command with anything more to it', () => {
    const write = { file_path: '/etc/hosts', content: 'a\n"b"' };
    expect(ask({ tool_name: 'Write', tool_input: write })).toMatchObject({
      title: 'Claude Code in “api”: use Write?',
      details: JSON.stringify(write, null, 2),
    });
    expect(ask(bash('ls', { dangerouslyDisableSandbox: true }))?.details).toContain(
      '"dangerouslyDisableSandbox": true',
    );
  });

  it('shows what cannot be seen', () => {
    const details = ask(bash('echo \u001b[8m\u202egnp.exe\u200b \ud800 \u{e0041}\r'))?.details;
    expect(details).toBe('echo \\u001B[8m\\u202Egnp.exe\\u200B \\uD800 \\u{E0041}\\u000D');
  });

  it('a folder cannot speak in the title', () => {
    const question = ask({ ...bash('ls'), cwd: `/tmp/a\u202e\n${'x'.repeat(100)}` });
    expect(question?.title).toMatch(/^Claude Code in “a\\u202E x+…”: run this command\?$/);
    expect(faultsOf(interactionChoose.input, question)).toEqual([]);
  });

  it.each([
    ['longer than a card can show whole', bash('x'.repeat(4_001))],
    ['blank', bash(' \n')],
    ['without a tool', {}],
    ["the agent's own question", { tool_name: 'AskUserQuestion', tool_input: { questions: [] } }],
    ["the agent's own plan", { tool_name: 'ExitPlanMode', tool_input: { plan: 'x' } }],
    ['where the user wants no questions', { ...bash('ls'), permission_mode: 'dontAsk' }],
    ['with a name that is no name', { tool_name: 'x'.repeat(180), tool_input: {} }],
  ])('asks nothing that is %s', (_what, fields) => {
    expect(ask(fields)).toBeNull();
  });
});

describe('permissionAnswer', () => {
  it('allows and denies in the words of both agents', () => {
    expect(JSON.parse(permissionAnswer({ selectedId: 'allow' }))).toEqual({
      hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
    });
    expect(JSON.parse(permissionAnswer({ selectedId: 'deny' }))).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PermissionRequest',
        decision: { behavior: 'deny', message: 'The user denied this.' },
      },
    });
  });

  it.each([null, undefined, {}, { selectedId: null }, { selectedId: 'Allow' }, { selectedId: 'constructor' }])(
    '%j is no answer',
    (result) => {
      expect(permissionAnswer(result)).toBe('');
    },
  );
});
