import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CLI, type Env, endAll, type Finished, finish, startProgram } from '../faults/processes.ts';
import { openShell } from '../faults/shell.ts';
import { enableAccess } from '../faults/user.ts';
import { type LaunchedCompanion, launchCompanion } from '../harness.ts';

// The real program in the home of somebody who has agents, and settings as people have them.
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'companion-home-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));
afterAll(endAll);

/** The program the hooks run. */
const FAST = join(realpathSync(dirname(CLI)), 'companion-fast');

const run = (words: string, env: Env = {}): Promise<Finished> =>
  finish(startProgram(process.execPath, [CLI, ...words.split(' ')], { HOME: home, ...env }));
const inHome = (...parts: readonly string[]): string => join(home, ...parts);
const textOf = (path: string): string => readFileSync(path, 'utf8');
const put = (path: string, text: string | Buffer): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

/** Every file below the home but those of the companion. */
const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes(join('state', 'companion')))
    .sort();

const HUGE = JSON.stringify(
  { projects: Object.fromEntries([...Array(40_000).keys()].map((n) => [`/p/${n}`, { n }])) },
  null,
  2,
);
const THEIRS = `{
  // theirs, and loud
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "say done", "timeout": 5 }] } // ← last
    ],
    "PermissionRequest": [
      {
        "matcher": "Bash",
        "hooks": [{ "type": "command", "command": "~/bin/check.sh" }],
      },
    ],
  },
  "theme": "dark",
}
`;
const WILD: readonly (readonly [string, string])[] = [
  ['empty', ''],
  ['an empty object', '{}\n'],
  ['with comments, trailing commas and hooks of others', THEIRS],
  ['with a byte order mark and CRLF', '\uFEFF{\r\n    "model": "opus"\r\n}\r\n'],
  ['with tabs and no last line end', '{\n\t"permissions": {\n\t\t"allow": ["Bash(ls)"]\n\t}\n}'],
  ['on one line', '{"env":{"A":"b"},"hooks":{"Stop":[{"hooks":[]}]}}'],
  ['huge', HUGE],
];

describe.each([
  ['claude-code', ['.claude', 'settings.json'], 11],
  ['codex', ['.codex', 'hooks.json'], 9],
] as const)('hooks of %s', (agent, parts, events) => {
  const file = () => inHome(...parts);

  it.each(WILD)('come and go without a trace in settings %s', async (_, before) => {
    put(file(), before);
    const first = await run(`hooks install ${agent} --json`);
    expect([first.code, first.err]).toEqual([0, '']);
    const { changed, backup, needs } = JSON.parse(first.out);
    expect(changed).toBe(true);
    expect(textOf(backup)).toBe(before);
    expect(needs).toEqual([expect.stringContaining('companion pair')]);
    const after = textOf(file());
    expect(after.split(`${FAST} hook ${agent}`).length - 1).toBe(events);
    expect(JSON.parse((await run(`hooks install ${agent} --json`)).out).changed).toBe(false);
    expect(textOf(file())).toBe(after);
    expect(JSON.parse((await run(`hooks status ${agent} --json`)).out)).toMatchObject({
      state: 'installed',
      missing: [],
      pairing: 'missing',
      host: 'not-running',
    });
    expect((await run(`hooks remove ${agent}`)).code).toBe(0);
    expect(textOf(file())).toBe(before);
    expect(JSON.parse((await run(`hooks remove ${agent} --json`)).out).changed).toBe(false);
  });

  it('leave nothing behind in an empty home', async () => {
    await run(`hooks install ${agent}`);
    expect(filesOf(home)).toEqual([file()]);
    await run(`hooks remove ${agent}`);
    expect(filesOf(home)).toEqual([]);
    expect(existsSync(dirname(file()))).toBe(false);
  });

  it.each([
    ['hooks of the wrong type', '{"hooks": []}', 'should be an object'],
    ['an event of the wrong type', '{"hooks": {"Stop": {}}}', 'should be an array'],
    ['a list at the root', '[]', 'should hold an object'],
    ['half a file', '{"hooks": {', 'not JSON'],
    ['hooks twice', '{"hooks": {}, "hooks": {}}', 'twice'],
    ['bytes that are no text', Buffer.from([0x7b, 0xc3, 0x28, 0x7d]), 'not UTF-8'],
  ])('are not put into %s', async (_, before, reason) => {
    put(file(), before);
    for (const verb of ['install', 'remove']) {
      const { code, err } = await run(`hooks ${verb} ${agent}`);
      if (verb === 'remove' && code === 0) continue;
      expect(code).toBe(5);
      expect(err).toContain('REFUSED');
      expect(err).toContain(file());
      expect(err).toContain(reason);
    }
    expect(readFileSync(file())).toEqual(Buffer.from(before));
    expect(filesOf(home)).toEqual([file()]);
  });

  it('are not put into a file that is read-only', async () => {
    put(file(), '{}');
    chmodSync(file(), 0o444);
    const { code, err } = await run(`hooks install ${agent}`);
    expect([code, textOf(file())]).toEqual([5, '{}']);
    expect(err).toContain('read-only');
  });

  it('go through a link into a folder of dotfiles', async () => {
    put(inHome('dotfiles', 'mine.json'), '{}\n');
    mkdirSync(dirname(file()), { recursive: true });
    symlinkSync(join('..', 'dotfiles', 'mine.json'), file());
    await run(`hooks install ${agent}`);
    expect(realpathSync(file())).toBe(realpathSync(inHome('dotfiles', 'mine.json')));
    expect(textOf(inHome('dotfiles', 'mine.json'))).toContain(FAST);
    await run(`hooks remove ${agent}`);
    expect(textOf(inHome('dotfiles', 'mine.json'))).toBe('{}\n');
  });

  it('go alone when the file was changed since', async () => {
    put(file(), THEIRS);
    await run(`hooks install ${agent}`);
    writeFileSync(file(), textOf(file()).replace('"dark"', '"light"'));
    await run(`hooks remove ${agent}`);
    expect(textOf(file())).toBe(THEIRS.replace('"dark"', '"light"'));
  });

  it('say how they stand, and are mended by installing', async () => {
    const state = async (): Promise<string> => JSON.parse((await run(`hooks status ${agent} --json`)).out).state;
    expect(await state()).toBe('not-installed');
    await run(`hooks install ${agent}`);
    const installed = textOf(file());
    for (const [text, expected] of [
      [installed.replace('"timeout": 600', '"timeout": 6'), 'changed-by-hand'],
      [installed.replaceAll(FAST, '/nowhere/companion-fast'), 'command-gone'],
      [installed.replaceAll('"Stop"', '"Other"'), 'partly'],
    ] as const) {
      writeFileSync(file(), text);
      expect(await state()).toBe(expected);
      await run(`hooks install ${agent}`);
      expect(await state()).toBe('installed');
      await run(`hooks remove ${agent}`);
    }
  });

  it('are only printed when that is asked', async () => {
    const { code, out } = await run(`hooks install ${agent} --print`);
    expect([code, filesOf(home)]).toEqual([0, []]);
    expect(out).toContain(file());
    expect(JSON.parse(out.slice(out.indexOf('{')))).toHaveProperty('hooks.PermissionRequest.0.hooks.0.timeout', 600);
  });
});

describe('where settings are', () => {
  it('is told by the agents’ own variables', async () => {
    const env = { CLAUDE_CONFIG_DIR: inHome('c'), CODEX_HOME: inHome('x') };
    await run('hooks install claude-code', env);
    await run('hooks install codex', env);
    await run('mcp install claude-code', env);
    await run('mcp install codex', env);
    expect(filesOf(home)).toEqual(
      ['c/.claude.json', 'c/settings.json', 'x/config.toml', 'x/hooks.json'].map((path) => inHome(path)),
    );
  });
});

describe('the MCP server in a client’s configuration', () => {
  it.each([
    ['claude-code', '.claude.json', THEIRS],
    ['codex', '.codex/config.toml', '# mine\nmodel = "x"\n\n[mcp_servers.other] # theirs\ncommand = "y"\n'],
    ['cursor', '.cursor/mcp.json', '{"mcpServers":{"other":{"url":"https://x"}}}'],
    ['vscode', '.config/Code/User/mcp.json', '{\n\t"servers": {},\n\t"inputs": [],\n}'],
    ['gemini', '.gemini/settings.json', '{}'],
    ['windsurf', '.codeium/windsurf/mcp_config.json', ''],
    ['opencode', '.config/opencode/opencode.json', '{ "theme": "x" }'],
  ])('of %s comes and goes without a trace', async (client, path, before) => {
    const file = inHome(path);
    put(file, before);
    const { code, out, err } = await run(`mcp install ${client} --json`);
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ client, file, changed: true });
    expect(JSON.parse((await run(`mcp install ${client} --json`)).out).changed).toBe(false);
    const status = JSON.parse((await run('mcp status --json')).out) as { clients: { client: string; state: string }[] };
    expect(status.clients.find((each) => each.client === client)?.state).toBe('installed');
    expect(textOf(file)).toContain(CLI.split('/').at(-1));
    await run(`mcp remove ${client}`);
    expect(textOf(file)).toBe(before);
  });

  it('does not replace another one of that name', async () => {
    const before = '[mcp_servers.companion]\nurl = "https://x"\n';
    put(inHome('.codex', 'config.toml'), before);
    const { code, err } = await run('mcp install codex');
    expect([code, textOf(inHome('.codex', 'config.toml'))]).toEqual([5, before]);
    expect(err).toContain('did not put there');
  });

  it('is refused for what there is not, with what there is', async () => {
    const wrong = await run('mcp install emacs');
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('claude-code, codex, cursor')]);
    expect((await run('mcp install windsurf --scope project')).code).toBe(2);
    expect((await run('mcp install codex --scope everywhere')).code).toBe(2);
  });
});

describe('with a companion', () => {
  let companion: LaunchedCompanion;
  beforeAll(async () => {
    companion = await launchCompanion();
    await enableAccess(companion.page);
  });
  afterAll(() => companion?.stop());

  it('the status says when all is well, and when the key was taken back', async () => {
    const shell = openShell(companion);
    const status = async () => JSON.parse((await shell.run('hooks', 'status', 'claude-code', '--json')).out);
    expect((await shell.run('hooks', 'install', 'claude-code')).code).toBe(0);
    expect(await status()).toMatchObject({ pairing: 'missing', host: 'running' });
    expect((await shell.pair('Coding agents', ['interact'], '--credential-profile', 'hooks')).code).toBe(0);
    expect(await status()).toMatchObject({ state: 'installed', pairing: 'paired', host: 'running', needs: [] });
    const { credentials } = shell;
    const kept = textOf(join(credentials, 'hooks.json'));
    await shell.run('unpair', '--credential-profile', 'hooks');
    writeFileSync(join(credentials, 'hooks.json'), kept, { mode: 0o600 });
    expect(await status()).toMatchObject({ pairing: 'refused', host: 'running' });
  });
});
