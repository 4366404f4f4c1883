import { describe, expect, it } from 'vitest';
import { bash, claude, codex } from './events.fixture.ts';
import { meaningOf } from './meaning.ts';
import { EVENT_NAMES, readEvent } from './read-event.ts';

describe('readEvent', () => {
  it('reads what both agents say of a tool', () => {
    for (const write of [claude, codex]) {
      const event = readEvent(write('PreToolUse', { ...bash('npm test'), tool_use_id: 'toolu_1' }));
      expect(event).toMatchObject({ name: 'PreToolUse', thread: null, toolUseId: 'toolu_1', tool: { name: 'Bash' } });
    }
  });

  it('finds the same in a use and in the question about it, whatever else is said beside the command', () => {
    const [use, question, other] = [
      codex('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'make' }, tool_use_id: 'call_1' }),
      codex('PermissionRequest', bash('make', { description: 'because it must be' })),
      codex('PermissionRequest', bash('make install')),
    ].map((text) => readEvent(text)?.tool?.digest);
    expect(question).toBe(use);
    expect(other).not.toBe(use);
  });

  it('takes no notice of fields it does not know, and of such that have another type', () => {
    const odd = { agent_id: 7, background_tasks: 'many', tool_name: ['Bash'], tool_input: 'ls', new_field: { a: [1] } };
    expect(readEvent(claude('Stop', odd))).toMatchObject({ thread: null, tool: null, hasBackground: false });
  });

  it.each([
    '',
    'junk',
    'null',
    '[]',
    '"Stop"',
    '{}',
    '{"hook_event_name":"Stop"}',
    '{"hook_event_name":"Stop","session_id":""}',
    '{"hook_event_name":"Stop","session_id":1}',
    `{"hook_event_name":"Stop","session_id":"${'x'.repeat(201)}"}`,
    claude('WorktreeCreate'),
    claude('stop'),
    claude('constructor'),
    claude('Stop').slice(0, -1),
    `{"hook_event_name":"PreToolUse","session_id":"1","tool_name":"x","tool_input":{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`,
  ])('%# finds nothing in junk', (text) => {
    expect(readEvent(text)).toBeNull();
  });

  it('knows every event of the table', () => {
    for (const name of EVENT_NAMES) expect(readEvent(claude(name))?.name).toBe(name);
  });
});

const meaning = (text: string) => meaningOf(readEvent(text)!);

describe('meaningOf', () => {
  it.each([
    ['SessionStart', { source: 'startup' }, 'idle'],
    ['SessionStart', { source: 'compact' }, 'same'],
    ['UserPromptSubmit', { prompt: 'go' }, 'working'],
    ['PreToolUse', bash('ls'), 'working'],
    ['PostToolUse', bash('ls'), 'working'],
    ['PostToolUseFailure', bash('ls'), 'working'],
    ['Notification', { message: 'Claude needs your permission', notification_type: 'permission_prompt' }, 'needs-you'],
    ['Notification', { message: 'Claude is waiting for your input', notification_type: 'idle_prompt' }, 'same'],
    ['Notification', { message: 'Claude needs your permission to use Bash' }, 'same'],
    ['Stop', { stop_hook_active: false, background_tasks: [] }, 'done'],
    ['Stop', { background_tasks: [{ id: 'b1', status: 'running' }] }, 'working'],
    ['StopFailure', { error: 'rate_limit' }, 'failed'],
    ['SubagentStop', { agent_id: 'a1' }, 'same'],
    ['Interrupt', {}, 'idle'],
    ['SessionEnd', { reason: 'logout' }, 'gone'],
    ['PermissionRequest', bash('ls'), 'needs-you'],
    ['PermissionRequest', { ...bash('ls'), permission_mode: 'bypassPermissions' }, 'working'],
  ])('%s %j means %s', (name, fields, state) => {
    expect(meaning(claude(name, fields)).state).toBe(state);
  });
});
