import { describe, expect, it } from 'vitest';
import { exited, linesOf, messagesOf, progressOf, replay, toLine } from './replay.fixture.ts';
import { terraform } from './terraform.ts';

const run = (name: string) => replay(terraform, ...linesOf(`terraform-${name}`));
const event = (type: string, more: object, module = 'terraform.ui') =>
  toLine(
    JSON.stringify({
      '@level': 'info',
      '@message': `about ${type}`,
      '@module': module,
      '@timestamp': '2026-11-30T21:46:00Z',
      type,
      ...more,
    }),
  );

describe('terraform', () => {
  it('is as far as the changes made of those planned', () => {
    const made = progressOf(run('apply')).filter(({ phase }) => phase === 'applying');
    expect(made.map(({ percent, message }) => [percent, message])).toEqual([
      [0, 'creating terraform_data.a'],
      [50, 'creating terraform_data.a'],
      [50, 'creating terraform_data.b'],
      [100, 'creating terraform_data.b'],
    ]);
    expect(run('apply').reading.verdict(exited(0))).toEqual({
      outcome: 'done',
      message: '2 added, 0 changed, 0 destroyed',
    });
    expect(run('destroy').reading.verdict(exited(0))!.message).toBe('0 added, 0 changed, 2 destroyed');
  });

  it('with 2 and a plan alone says that there are changes; with 2 otherwise it failed', () => {
    expect(run('plan').reading.verdict(exited(2))).toEqual({
      outcome: 'done',
      message: 'there are changes: 2 to add, 0 to change, 0 to destroy',
    });
    expect(run('plan').reading.verdict(exited(0))!.message).toBe('2 to add, 0 to change, 0 to destroy');
    expect(run('failed').reading.verdict(exited(2))!.outcome).toBe('failed');
    const none = event('change_summary', { changes: { add: 0, change: 0, remove: 0, operation: 'plan' } });
    expect(replay(terraform, none).reading.verdict(exited(2))!.message).toBe('there are changes: to outputs only');
  });

  it('fails with the first error, of which only the summary is told', () => {
    expect(messagesOf(run('failed'), 'error')).toEqual(['terraform_data.c, local-exec provisioner error']);
    expect(run('failed').reading.verdict(exited(1))).toEqual({
      outcome: 'failed',
      message: 'terraform_data.c, local-exec provisioner error',
    });
    expect(run('unapproved').reading.verdict(exited(1))!.message).toBe('Plan file or auto-approve required');
  });

  it('that was interrupted was cancelled', () => {
    expect(run('interrupted').reading.verdict(exited(1))).toMatchObject({ outcome: 'cancelled' });
  });

  it('tells how its tests went', () => {
    expect(run('test').reading.verdict(exited(1))).toEqual({
      outcome: 'failed',
      message: '1 passed, 1 failed, Test assertion failed',
    });
  });

  it('never shows an output, what a provisioner printed, or an ID', () => {
    const outputs = event('outputs', { outputs: { secret: { sensitive: true, type: 'string', value: 'hunter2' } } });
    expect(replay(terraform, outputs).events).toEqual([]);
    const shown = JSON.stringify([run('apply').events, run('failed').events, run('destroy').events]);
    expect(shown).not.toMatch(/from the provisioner|exit 3|id=|\boutputs?\b/i);
  });

  it('of a summary that leaves out its zeros takes them for zero', () => {
    const { events } = replay(terraform, event('change_summary', { changes: { add: 1, operation: 'plan' } }));
    expect(events).toMatchObject([{ total: 1, message: '1 to add, 0 to change, 0 to destroy' }]);
  });

  it('without a plan to be seen counts, with no percentage', () => {
    const hook = { resource: { addr: 'a.b' }, action: 'update', elapsed_seconds: 20 };
    expect(
      replay(terraform, event('apply_progress', { hook }), event('apply_complete', { hook })).events,
    ).toMatchObject([
      { percent: null, done: 0, total: null, message: 'changing a.b, 20 s' },
      { percent: null, done: 1, total: null },
    ]);
  });

  it('shows the text of kinds that are new', () => {
    expect(replay(terraform, event('migrated', {})).events).toEqual([
      { kind: 'log', level: 'info', message: 'about migrated' },
    ]);
  });

  it('of another major version is not read', () => {
    const version = event('version', { ui: '2.0', terraform: '9.0.0' });
    expect(terraform.recognizes(version)).toBe(false);
    const { events, reading } = replay(terraform, version, event('change_summary', { changes: { add: 1 } }));
    expect(events).toEqual([expect.objectContaining({ kind: 'log', level: 'warn' })]);
    expect(reading.verdict(exited(0))).toBeNull();
  });

  it('is OpenTofu as well', () => {
    const version = event('version', { ui: '1.2', tofu: '1.9.0' }, 'tofu.ui');
    expect(terraform.recognizes(version)).toBe(true);
    const start = event('apply_start', { hook: { resource: { addr: 'a.b' }, action: 'create' } }, 'tofu.ui');
    expect(replay(terraform, version, start).events).toMatchObject([{ message: 'creating a.b' }]);
  });
});
