import { describe, expect, it } from 'vitest';
import { appendTable, readToml, removeTable } from './toml.ts';

const PATH = ['mcp_servers', 'companion'];
const VALUE = { command: '/usr/bin/node', args: ['/x y/"cli".cjs', 'mcp'], tool_timeout_sec: 300, env: { A_B: 'é' } };
const textOf = (edited: ReturnType<typeof appendTable>): string => {
  if ('fault' in edited) throw new Error(edited.fault);
  return edited.text;
};
const faultOf = (edited: object): string => ('fault' in edited ? String(edited.fault) : '');

const FOUND: readonly (readonly [string, string])[] = [
  ['empty', ''],
  ['of keys only', 'model = "x" # why\n'],
  ['with other servers', '# mine\n[mcp_servers.other]\ncommand = "y"\n\n[mcp_servers.other.env]\nA = "b"\n# end\n'],
  ['with CRLF', '[a]\r\nb = 1\r\n'],
  ['with a byte order mark', '\uFEFFa = 1\n'],
  ['with a header inside a text', "a = '''\n[mcp_servers.companion]\n'''\n"],
  ['with dates and numbers', 'd = 2026-01-02T03:04:05Z\nf = 1e3\nh = 0x1f\n[[list]]\nn = 1\n[[list]]\nn = 2\n'],
];

describe('a table', () => {
  it.each(FOUND)('is put at the end of a text %s and leaves no trace when taken out', (_, before) => {
    const after = textOf(appendTable(before, PATH, VALUE));
    expect(after.startsWith(before)).toBe(true);
    expect(readToml(after)).toMatchObject({ value: { mcp_servers: { companion: VALUE } } });
    if (before.includes("'''")) expect(faultOf(removeTable(after, PATH))).toContain('by hand');
    else expect(textOf(removeTable(after, PATH))).toBe(before);
  });

  it('goes with what was added below it; the comment of the next table stays', () => {
    const after = textOf(appendTable('a = 1\n', PATH, VALUE));
    const grown = `${after}extra = 1\n\n[mcp_servers.companion.tools] # ours\nx = 1\n\n# of the next\n[next] # c\nb = 2\n`;
    expect(textOf(removeTable(grown, PATH))).toBe('a = 1\n\n# of the next\n[next] # c\nb = 2\n');
  });

  it('that is not there is not taken out', () => {
    expect(removeTable('a = 1\n', PATH)).toEqual({ text: 'a = 1\n' });
  });
});

describe('what is refused, with the reason', () => {
  it.each([
    ['mcp_servers = { other = { command = "y" } }\n', 'by hand'],
    ['mcp_servers = 5\n', 'by hand'],
    ['[mcp_servers.companion]\ncommand = "z"\n', 'is there already'],
    ['a = \n', 'it is not TOML: a mistake in line 1'],
    ['a = 1\na = 2\n', 'it is not TOML: a mistake in line 2'],
  ])('%j', (text, fault) => {
    expect(faultOf(appendTable(text, PATH, VALUE))).toContain(fault);
  });

  it('an entry written as dotted keys is not taken apart', () => {
    expect(faultOf(removeTable('mcp_servers.companion.command = "x"\n', PATH))).toContain('by hand');
  });
});
