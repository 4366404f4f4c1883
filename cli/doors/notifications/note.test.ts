import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../server/protocol/limits.ts';
import { CAPABILITIES } from '../../../server/registry/catalog.ts';
import { faultsOf } from '../../../server/registry/validate.ts';
import { snapshot } from '../../client/fake-host.ts';
import { type Note, pickedAction, toRequest } from './note.ts';

const note = (fields: Partial<Note> = {}): Note => ({
  app: null,
  summary: 'Summary',
  body: '',
  urgency: 'normal',
  expireMs: null,
  actions: [],
  ...fields,
});
const action = (name: string, label = name) => ({ name, label });
const many = (count: number) => Array.from({ length: count }, (_, index) => action(`n${index}`, `Label ${index}`));

/** What the host would say against it. */
function faults({ capability, params }: ReturnType<typeof toRequest>) {
  const known = CAPABILITIES.find(({ id }) => id === capability)!;
  return [...faultsOf(known.input, params), ...known.check(params)];
}

describe('a notification without actions is a notice', () => {
  it.each<[Partial<Note>, object]>([
    [{}, { text: 'Summary' }],
    [{ body: 'Body' }, { title: 'Summary', text: 'Body' }],
    [{ app: 'Mail' }, { title: 'Mail', text: 'Summary' }],
    [
      { app: 'Mail', body: '<b>New</b> &amp; old' },
      { title: 'Mail: Summary', text: 'New & old' },
    ],
    [{ summary: ' \u0007', body: 'Body' }, { text: 'Body' }],
    [{ summary: '\u200b' }, { text: '…' }],
    [{ urgency: 'critical' }, { text: 'Summary', tone: 'warning', durationMs: LIMITS.maxNoticeMs }],
    [
      { urgency: 'critical', expireMs: 5_000 },
      { text: 'Summary', tone: 'warning', durationMs: 5_000 },
    ],
    [{ urgency: 'low' }, { text: 'Summary' }],
    [{ expireMs: 0 }, { text: 'Summary', durationMs: LIMITS.maxNoticeMs }],
    [{ expireMs: 1 }, { text: 'Summary', durationMs: LIMITS.minNoticeMs }],
    [{ expireMs: 1e9 }, { text: 'Summary', durationMs: LIMITS.maxNoticeMs }],
  ])('%j', (fields, params) => {
    expect(toRequest(note(fields))).toEqual({ capability: 'notice.show', params });
  });
});

describe('a notification with actions is a question', () => {
  it('of one action can also be dismissed', () => {
    expect(toRequest(note({ actions: [action('default', '')], body: 'a\nb' }))).toEqual({
      capability: 'interaction.choose',
      params: {
        title: 'Summary',
        details: 'a\nb',
        options: [
          { id: 'action-0', label: 'Open' },
          { id: 'dismiss', label: 'Dismiss' },
        ],
      },
    });
  });

  it('has a button for each of up to five, and a list for more', () => {
    const shapes = [2, 5, 6, 20, 30].map((count) => {
      const { capability, params } = toRequest(note({ actions: many(count) }));
      return [capability, (params.options as unknown[]).length];
    });
    expect(shapes).toEqual([
      ['interaction.choose', 2],
      ['interaction.choose', 5],
      ['vendor.internal.companion.choices', 6],
      ['vendor.internal.companion.choices', 20],
      ['vendor.internal.companion.choices', 20],
    ]);
  });

  it('says a long label below the button in full', () => {
    const label = 'Restart the computer now and install';
    const { params } = toRequest(note({ actions: [action('a', label), action('b')] }));
    expect(params.options).toEqual([
      { id: 'action-0', label: 'Restart the computer no…', description: label },
      { id: 'action-1', label: 'b' },
    ]);
  });

  it.each<[Partial<Note>, number | undefined]>([
    [{}, 60_000],
    [{ expireMs: 5_000 }, 5_000],
    [{ expireMs: 5 }, LIMITS.minTimeoutMs],
    [{ expireMs: 0 }, LIMITS.maxTimeoutMs],
    [{ urgency: 'critical' }, LIMITS.maxTimeoutMs],
  ])('with %j ends by itself after %j ms', (fields, timeoutMs) => {
    expect(toRequest(note({ ...fields, actions: many(2) }), 60_000).timeoutMs).toBe(timeoutMs);
  });
});

describe('whatever is sent, the host has nothing against it', () => {
  const texts = [
    '',
    ' ',
    '\u0000\u0007',
    '\ud800',
    'x'.repeat(100_000),
    '😀'.repeat(5_000),
    'a\n\tb\r\nc',
    '\u202edcba',
    '<b>',
    '&#0;',
  ];
  it.each(texts.map((text) => [JSON.stringify(text).slice(0, 20), text]))('%s', (_shown, text) => {
    for (const actions of [[], [action(text)], [action(text), action(text)], Array(9).fill(action(text))]) {
      for (const app of [null, text]) {
        expect(faults(toRequest(note({ app, summary: text, body: text, actions })))).toEqual([]);
      }
    }
  });
});

describe('pickedAction', () => {
  const actions = [action(''), action('same'), action('same')];
  it.each([
    [{ selectedId: 'action-0' }, 0],
    [{ selectedId: 'action-2' }, 2],
    [{ selectedIds: ['action-1'] }, 1],
    [{ selectedId: 'dismiss' }, null],
    [{ selectedIds: [] }, null],
    [null, null],
  ])('of %j is number %j', (result, index) => {
    const end = snapshot({ status: 'completed', result: result as never });
    expect(pickedAction({ actions }, end)).toBe(index === null ? null : actions[index]);
  });

  it('is none of a request that was not answered', () => {
    expect(pickedAction({ actions }, snapshot({ status: 'expired' }))).toBeNull();
  });
});
