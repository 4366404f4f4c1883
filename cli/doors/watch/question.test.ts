import { describe, expect, it } from 'vitest';
import { CAPABILITIES } from '../../../server/registry/catalog.ts';
import { faultsOf } from '../../../server/registry/validate.ts';
import type { PromptEvent } from './adapter.ts';
import { toQuestion } from './question.ts';

const prompt = (more: Partial<PromptEvent> = {}): PromptEvent => ({
  kind: 'prompt',
  id: 'q',
  question: 'Which?',
  options: [],
  suggested: null,
  reply: (value) => value,
  ...more,
});
const options = (...values: readonly string[]) => values.map((value) => ({ value, label: value }));
const many = (count: number) => options(...Array.from({ length: count }, (_, index) => `option ${index + 1}`));

describe('a prompt', () => {
  it('with two to five short options has buttons, the suggested one marked', () => {
    const { capability, params, read } = toQuestion(prompt({ options: options('y', 'n'), suggested: 'n' }));
    expect(capability).toBe('interaction.choose');
    expect(params).toEqual({
      title: 'Which?',
      options: [
        { id: 'y', label: 'y' },
        { id: 'n', label: 'n' },
      ],
      suggestedId: 'n',
    });
    expect(read({ selectedId: 'y' })).toBe('y');
    expect(read({ selectedId: 'z' })).toBeNull();
  });

  it.each([
    ['one option', { options: options('ok') }],
    ['six options', { options: many(6) }],
    ['long options', { options: options('x'.repeat(25), 'y') }],
    ['what may not be answered with one press', { options: options('allow', 'deny'), careful: true }],
  ])('with %s is a list to pick one from', (_what, more) => {
    const { capability, params, read } = toQuestion(prompt(more));
    expect(capability).toBe('vendor.internal.companion.choices');
    expect(params).toMatchObject({ min: 1, max: 1 });
    expect(read({ selectedIds: [more.options[0]!.value] })).toBe(more.options[0]!.value);
    expect(read({ selectedIds: [] })).toBeNull();
  });

  it('without options is a text, sent as it was typed', () => {
    const { capability, read } = toQuestion(prompt({ suggested: 'main' }));
    expect(capability).toBe('interaction.ask');
    expect(read({ text: ' two words ' })).toBe(' two words ');
  });

  it('with more options than can be shown is answered by number, label or value', () => {
    const { capability, params, read } = toQuestion(prompt({ options: many(21) }));
    expect(capability).toBe('interaction.ask');
    expect(params.details).toContain('21. option 21');
    expect([read({ text: '3' }), read({ text: ' option 21 ' }), read({ text: '22' }), read({ text: 'x' })]).toEqual([
      'option 3',
      'option 21',
      null,
      null,
    ]);
  });

  it('is shown in full below when its title cannot hold it', () => {
    const question = `\x1b[1m${'long '.repeat(60)}\u202e`;
    const { params } = toQuestion(prompt({ question, options: options('y', 'n'), details: '$ rm -r build' }));
    expect([...(params.title as string)].length).toBe(160);
    expect(params.details).toMatch(/^(long )+long\s+\$ rm -r build$/);
  });

  it('whose values are no IDs gets others', () => {
    const values = ['', '\u0007', 'x'.repeat(80), 'é\n'];
    const { params, read } = toQuestion(prompt({ options: options(...values), careful: true }));
    const ids = (params.options as { id: string }[]).map(({ id }) => id);
    expect(new Set(ids).size).toBe(values.length);
    expect(ids.map((id) => read({ selectedIds: [id] }))).toEqual(values);
  });

  it('always fits the contract of what asks it', () => {
    const nasty = ['', ' ', '\x1b[31m', '\u202e', 'x'.repeat(5_000), 'a\nb\tc', '\ud800', '😀'.repeat(200)];
    for (const question of nasty) {
      for (const list of [[], options('a', 'b'), options(...nasty), many(30)]) {
        for (const careful of [false, true]) {
          const asked = toQuestion(prompt({ question, details: question, options: list, suggested: 'a', careful }));
          const contract = CAPABILITIES.find(({ id }) => id === asked.capability)!;
          expect(faultsOf(contract.input, asked.params)).toEqual([]);
        }
      }
    }
  });
});
