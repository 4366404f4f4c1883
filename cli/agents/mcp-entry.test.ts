import { describe, expect, it } from 'vitest';
import type { Edited } from '../settings/edit/edit.ts';
import * as code from '../settings/entry.ts';
import { homesOf } from './homes.ts';
import { MCP_CLIENT_NAMES, MCP_CLIENTS, type McpClient } from './mcp-clients.ts';
import { isOurs, oursIn, stateOf, valueAt } from './mcp-entry.ts';

const COMMAND = {
  command: process.execPath,
  args: ['/x/cli.cjs', 'mcp', '--credential-profile', 'p'],
  env: { A: 'b' },
};
const textOf = (edited: Edited): string => {
  if ('fault' in edited) throw new Error(edited.fault);
  return edited.text;
};
const clients = MCP_CLIENT_NAMES.map((name) => [name, MCP_CLIENTS[name] as McpClient] as const);

describe.each(clients)('the entry for %s', (_, client) => {
  const entry = client.entry(COMMAND);
  const ours = oursIn(client, entry, code);
  const readText = (text: string) => (client.format === 'json' ? code.readJson(text) : code.readToml(text));

  it('is put in once, is known again, and goes', () => {
    const after = textOf(ours.put(''));
    expect(stateOf(readText(after), client.at, entry)).not.toBe('not-installed');
    expect(textOf(ours.put(after))).toBe(after);
    expect(stateOf(readText(textOf(ours.remove(after, ''))), client.at, entry)).toBe('not-installed');
  });

  it('keeps what its user has added when it is put in again for another installation', () => {
    const other = client.entry({ ...COMMAND, args: ['/old/cli.cjs', 'mcp'] });
    const old = textOf(oursIn(client, { ...other, extra: 1 }, code).put(''));
    expect(stateOf(readText(old), client.at, entry)).toBe('command-gone');
    const read = readText(textOf(ours.put(old)));
    expect('value' in read && valueAt(read.value, client.at)).toMatchObject({ ...entry, extra: 1 });
  });

  it('does not replace a server of somebody else’s', () => {
    const theirs = { command: 'their-mcp', args: ['mcp'] };
    const text = textOf(
      client.format === 'json' ? code.putJson('', client.at, theirs) : code.appendTable('', client.at, theirs),
    );
    expect(ours.put(text)).toHaveProperty('fault');
    expect(ours.remove(text, null)).toHaveProperty('fault');
    expect(stateOf(readText(text), client.at, entry)).toBe('not-ours');
  });

  it('is not put into what cannot be read', () => {
    expect(ours.put('{ "a" = ')).toHaveProperty('fault');
  });
});

describe('the entry of a TOML file', () => {
  const client: McpClient = MCP_CLIENTS.codex;
  const ours = oursIn(client, client.entry(COMMAND), code);

  it.each(['a = 1\nb = 1', 'a = 1\r\nb = 1', 'a = 1\n# end', 'a = 1\nb = 1\n', 'a = 1\nb = 1\n\n'])(
    'takes its own line end away with it, and no other: %j',
    (before) => {
      const after = textOf(ours.put(before)).replace('a = 1', 'a = 2');
      expect(textOf(ours.remove(after, before))).toBe(before.replace('a = 1', 'a = 2'));
    },
  );
});

describe('an entry', () => {
  it.each([
    [{ command: 'node', args: ['/x/cli.cjs', 'mcp'] }, true],
    [{ command: ['/usr/bin/companion', 'mcp'] }, true],
    [{ command: 'companion', args: ['serve'] }, false],
    [{ command: 'mcp', args: ['cli.cjs'] }, false],
    [{ url: 'https://x' }, false],
    ['text', false],
    [null, false],
  ])('is ours or not: %j', (entry, expected) => {
    expect(isOurs(entry)).toBe(expected);
  });
});

describe('homes', () => {
  it('are where the agents themselves look', () => {
    const homes = homesOf({ env: { HOME: '/h', CLAUDE_CONFIG_DIR: '/c', CODEX_HOME: '/x' } }, '/p');
    expect(homes).toMatchObject({ claude: '/c', claudeState: '/c/.claude.json', codex: '/x', config: '/h/.config' });
    expect(homesOf({ env: { HOME: '/h', CODEX_HOME: 'relative' } }, '/p')).toMatchObject({
      claude: '/h/.claude',
      claudeState: '/h/.claude.json',
      codex: '/h/.codex',
    });
  });
});
