import { describe, expect, it } from 'vitest';
import { appendJson, putJson, readJson, removeJson } from './json.ts';

const PATH = ['mcpServers', 'ours'];
const VALUE = { command: 'x', args: ['a ]', 'b'] };
const textOf = (edited: ReturnType<typeof putJson>): string => {
  if ('fault' in edited) throw new Error(edited.fault);
  return edited.text;
};
const faultOf = (edited: object): string => ('fault' in edited ? String(edited.fault) : '');

/** Texts as they are found, each with a server of somebody else's in it. */
const FOUND: readonly (readonly [string, string])[] = [
  ['plain', '{\n  "mcpServers": {\n    "other": { "command": "y" }\n  }\n}\n'],
  ['with tabs', '{\n\t"mcpServers": {\n\t\t"other": {}\n\t},\n\t"theme": "dark"\n}'],
  ['with four spaces and CRLF', '{\r\n    "mcpServers": {\r\n        "other": {}\r\n    }\r\n}\r\n'],
  ['with a byte order mark', '\uFEFF{\n  "mcpServers": {\n    "other": {}\n  }\n}\n'],
  ['on one line', '{"mcpServers":{"other":{"command":"y"}}}'],
  ['on one line with spaces', '{ "mcpServers": { "other": {} }, "a": 1 }'],
  ['with trailing commas', '{\n  "mcpServers": {\n    "other": {},\n  },\n}\n'],
  ['with a comment after the last', '{\n  "mcpServers": {\n    "other": {} // mine, "ours", {\n  }\n}\n'],
  [
    'with comments everywhere',
    '// top\n{\n  /* a, */ "mcpServers": { // here,\n    // before\n    "other": {}, /* after, */\n    // last\n  } // end\n}\n// bye',
  ],
  ['with the bracket behind the last', '{\n  "mcpServers": {\n    "other": {} }}\n'],
];

describe('putting and removing', () => {
  it.each(FOUND)('leave no trace in a text %s', (_, before) => {
    const after = textOf(putJson(before, PATH, VALUE));
    expect(readJson(after)).toMatchObject({ value: { mcpServers: { other: expect.anything(), ours: VALUE } } });
    expect(textOf(removeJson(after, PATH))).toBe(before);
  });

  it.each(FOUND)('only add to a text %s', (_, before) => {
    let at = 0;
    const after = textOf(putJson(before, PATH, VALUE));
    for (const character of after) if (character === before[at]) at += 1;
    expect(at).toBe(before.length);
  });

  it.each([
    ['', '{\n  "mcpServers": {\n    "ours": {}\n  }\n}\n'],
    ['{}', '{\n  "mcpServers": {\n    "ours": {}\n  }\n}'],
    ['{\n}\n', '{\n  "mcpServers": {\n    "ours": {}\n  }\n}\n'],
    ['{ // nothing yet\n}\n', '{ // nothing yet\n  "mcpServers": {\n    "ours": {}\n  }\n}\n'],
    ['{"a":1}', '{"a":1,"mcpServers":{"ours":{}}}'],
    ['{ "a": 1 }', '{ "a": 1, "mcpServers": {"ours": {}} }'],
    ['{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"mcpServers": {\n\t\t"ours": {}\n\t}\n}'],
  ])('make what is missing: %j', (before, after) => {
    expect(textOf(putJson(before, PATH, {}))).toBe(after);
  });

  it('replace what is there, and nothing else', () => {
    const before = '{\n  "mcpServers": {\n    "ours": { "command": "old" }, // why\n    "other": 1\n  }\n}';
    expect(textOf(putJson(before, PATH, 'new'))).toBe(before.replace('{ "command": "old" }', '"new"'));
  });

  it('take out the first and the middle one too', () => {
    const text = '{\n  "a": 1,\n  // of b\n  "b": 2,\n  "c": 3\n}';
    expect(textOf(removeJson(text, ['a']))).toBe('{\n  // of b\n  "b": 2,\n  "c": 3\n}');
    expect(textOf(removeJson(text, ['b']))).toBe('{\n  "a": 1,\n  // of b\n  "c": 3\n}');
    expect(textOf(removeJson(text, ['d']))).toBe(text);
  });
});

describe('arrays', () => {
  const OTHERS = '{\n  "hooks": {\n    "Stop": [\n      { "hooks": [] } // theirs\n    ]\n  }\n}\n';
  it('take one more at the end, and give it back', () => {
    const after = textOf(appendJson(OTHERS, ['hooks', 'Stop'], { hooks: [{ type: 'command' }] }));
    expect(readJson(after)).toMatchObject({ value: { hooks: { Stop: [{ hooks: [] }, { hooks: [{}] }] } } });
    expect(textOf(removeJson(after, ['hooks', 'Stop', 1]))).toBe(OTHERS);
  });

  it('are made when missing', () => {
    expect(readJson(textOf(appendJson('{}', ['hooks', 'Stop'], 1)))).toEqual({ value: { hooks: { Stop: [1] } } });
  });
});

describe('what is refused, with the reason', () => {
  it.each([
    ['{"hooks": []}', 'hooks should be an object, and is an array'],
    ['{"hooks": {"Stop": {}}}', 'hooks.Stop should be an array, and is an object'],
    ['{"hooks": "no"}', 'hooks should be an object, and is a string'],
    ['[]', 'it should hold an object, and holds an array'],
    ['{\n "a": 1\n "b"', 'it is not JSON: CommaExpected in line 3'],
    ['{"hooks": {}, "hooks": {}}', 'hooks is there twice'],
    [`{"a": ${'['.repeat(100_000)}`, 'it is nested too deeply'],
  ])('%.60s', (text, fault) => {
    expect(faultOf(appendJson(text, ['hooks', 'Stop'], 1))).toBe(fault);
  });
});
