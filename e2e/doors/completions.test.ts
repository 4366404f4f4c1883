import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MCP_CLIENT_NAMES } from '../../cli/agents/mcp-clients.ts';
import { COMMAND_NAMES, loadCommand } from '../../cli/commands.ts';
import { AGENTS } from '../../server/protocol/hooks.ts';
import { STYLE_IDS, TONES } from '../../server/protocol/words.ts';
import { CAPABILITIES } from '../../server/registry/catalog.ts';
import { isInstalled } from '../desktop/processes.ts';
import { type Completing, openCompleting, type Shell } from './completing.ts';

const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish'];
const COMMANDS = await Promise.all(COMMAND_NAMES.map(loadCommand));
const firsts = [...new Set(COMMAND_NAMES.map((name) => name.split(' ')[0]!))].toSorted();

let completing: Completing;
beforeAll(async () => {
  completing = await openCompleting();
  const credentials = join(completing.home, '.config', 'companion', 'credentials');
  mkdirSync(credentials, { recursive: true, mode: 0o700 });
  for (const profile of ['my-script', 'other']) writeFileSync(join(credentials, `${profile}.json`), '{}');
  writeFileSync(join(completing.home, 'request one.json'), '{}');
  mkdirSync(join(completing.home, 'my-packs'));
});
afterAll(() => completing?.close());

const ids = CAPABILITIES.map(({ id }) => id).toSorted();

/** A line that is half typed, and all that fits. */
const LINES: readonly (readonly [line: string, offers: readonly string[]])[] = [
  ['companion ', firsts],
  ['companion notif', firsts.filter((first) => first.startsWith('notif'))],
  ['companion progress ', ['done', 'fail', 'start', 'update']],
  ['companion progress st', ['start']],
  ['companion notify --tone ', TONES.toSorted()],
  ['companion notify "a text" --tone w', ['warning']],
  ['companion notify --style ', STYLE_IDS.toSorted()],
  ['companion notify a --to', ['--tone']],
  ['companion notify ', []],
  ['companion notify --title ', []],
  ['companion ask Q --conf', ['--confirm']],
  ['companion dnd ', ['off', 'on']],
  ['companion dnd --credential-profile other o', ['off', 'on']],
  ['companion progress start x --control ', ['cancel', 'pause']],
  ['companion play cel', ['celebrate']],
  ['companion capabilities describe ', ids],
  ['companion notify --credential-profile ', ['my-script', 'other']],
  ['companion characters use builtin.m', ['builtin.moss']],
  ['companion completions ', ['bash', 'fish', 'zsh']],
  ['companion hooks install ', AGENTS.toSorted()],
  ['companion mcp install --scope project ', MCP_CLIENT_NAMES.toSorted()],
  ['companion mcp install --scope ', ['project', 'user']],
  ['companion watch --adapter res', ['restic']],
  ['companion watch -- a-prog', ['a-program']],
  ['companion run --title T a-prog', ['a-program']],
  ['companion frobnicate ', []],
];

const NAMED = SHELLS.map((shell) => ({
  shell,
  name: isInstalled(shell) ? shell : `${shell} (skipped: not installed here)`,
}));

describe.each(NAMED)('$name', ({ shell }) => {
  const there = it.skipIf(!isInstalled(shell));

  there('offers what fits, and nothing else', async () => {
    const offered = await completing.offers(
      shell,
      LINES.map(([line]) => line),
    );
    expect(LINES.map(([line], index) => [line, offered[index]])).toEqual(LINES);
  });

  there('offers no word where all are there', async () => {
    const [offered] = await completing.offers(shell, ['companion dnd on ']);
    expect(offered).not.toContain('on');
  });

  there('offers files where a file is meant', async () => {
    const lines = [
      'companion requests create --file req',
      'companion packs index my-',
      'companion run -- a-program req',
    ];
    const [files, folders, ofProgram] = await completing.offers(shell, lines);
    for (const found of [files, ofProgram])
      expect(found?.map((file) => file.replaceAll('\\', ''))).toEqual(['request one.json']);
    expect(folders?.map((path) => path.replace(/\/$/, ''))).toEqual(['my-packs']);
  });

  there('offers a value behind = too', async () => {
    const [offers] = await completing.offers(shell, ['companion notify --tone=suc']);
    expect(offers).toEqual([expect.stringMatching(/^(--tone=)?success$/)]);
  });
});

describe('every command of the table', () => {
  // One shell is enough: the words come from the same table in all three.
  it('has its options offered', async () => {
    const offered = await completing.offers(
      'bash',
      COMMAND_NAMES.map((name) => `companion ${name} --`),
    );
    const table = COMMANDS.map(({ name, options }) => [name, Object.keys(options).map((option) => `--${option}`)]);
    expect(COMMAND_NAMES.map((name, index) => [name, offered[index]])).toEqual(
      table.map(([name, options]) => [name, (options as string[]).toSorted()]),
    );
  });
});
