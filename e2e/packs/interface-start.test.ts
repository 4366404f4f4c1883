import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLI } from '../faults/processes.ts';
import { type NdjsonResult, runWords } from './ndjson-client.ts';
import { filesIn, makeIndex, newFolder, newUser, type PackUser, removeFolders, userWithIndex } from './user.ts';

// How a session begins, or does not: words, parameters, and what is said before anything is done (§3, §8).
const PUBLISHED = {
  search_packages: [false, { keyword: 'a' }],
  install_packages: [true, { targets: ['org.example.ghost'] }],
  plan_install: [false, { targets: ['org.example.ghost'] }],
  remove_package: [true, { target: 'org.example.ghost' }],
  update_packages: [true, {}],
  list_packages: [false, {}],
  package_info: [false, { target: 'org.example.ghost' }],
  list_installed_versions: [false, { target: 'org.example.ghost' }],
  use_version: [true, { target: 'org.example.ghost', version: '1' }],
  system_status: [false, {}],
  list_subos: [false, {}],
  list_subos_shims: [false, {}],
  create_subos: [true, { name: 'work' }],
  switch_subos: [true, { name: 'work' }],
  remove_subos: [true, { name: 'work' }],
  env: [false, {}],
  list_repos: [false, {}],
  add_repo: [true, { name: 'more', url: '/nowhere' }],
  remove_repo: [true, { name: 'more' }],
} as const satisfies Record<string, readonly [boolean, object]>;

interface Listed {
  readonly name: string;
  readonly description: string;
  readonly destructive: boolean;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>>;
}

let user: PackUser;
let index: string;
beforeAll(async () => {
  index = makeIndex();
  user = await userWithIndex(index);
});
afterAll(removeFolders);

const raw = (...words: readonly string[]) => {
  const env = { PATH: process.env.PATH, ...user.env };
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, 'interface', ...words], {
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};
const words = (...given: readonly string[]): Promise<NdjsonResult> => runWords(user, ...given);

describe('the version', () => {
  it.each([[['--version']], [['--version', '--list']], [['env', '--version']], [['--list', 'nothing', '--version']]])(
    'is one line for %j',
    (given) => {
      expect(raw(...given)).toEqual({ status: 0, stdout: '{"protocol_version":"1.0"}\n', stderr: '' });
    },
  );
});

describe('the list', () => {
  const listed = (): readonly Listed[] => {
    const { status, stdout, stderr } = raw('--list');
    expect([status, stderr, stdout.split('\n').length]).toEqual([0, '', 2]);
    const { protocol_version, capabilities } = JSON.parse(stdout);
    expect(protocol_version).toBe('1.0');
    return capabilities;
  };

  it('has every published capability with its five fields', () => {
    const capabilities = listed();
    for (const [name, [destructive]] of Object.entries(PUBLISHED)) {
      const found = capabilities.find((capability) => capability.name === name);
      expect(found, name).toMatchObject({ destructive });
      expect(Object.keys(found!).sort()).toEqual(['description', 'destructive', 'inputSchema', 'name', 'outputSchema']);
    }
  });

  it('has the companion’s own', () => {
    const names = listed().map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['notice.show', 'progress.show', 'interaction.choose', 'animation.greet']),
    );
    // What one of the built-in characters brings along.
    expect(names).toContain('vendor.internal.companion.tea');
  });

  it('has schemas that any validator takes, and that take what works', () => {
    for (const { name, inputSchema, outputSchema } of listed()) {
      const ajv = new Ajv2020({ strict: false });
      const takes = ajv.compile(inputSchema);
      ajv.compile(outputSchema);
      const example = (PUBLISHED as Record<string, readonly [boolean, object]>)[name]?.[1];
      if (example !== undefined) expect(takes(example), name).toBe(true);
    }
  });

  it('comes whatever else was said but the version', () => {
    expect(raw('nothing', '--list', '--args', '{bad').stdout).toContain('"capabilities"');
  });
});

describe('a session that cannot begin', () => {
  it.each<[string, readonly string[], string, string]>([
    ['names no capability', [], 'E_INVALID_INPUT', 'capability name required'],
    ['names none there is', ['no_such'], 'E_NOT_FOUND', 'unknown capability: no_such'],
    ['has a file that is not there', ['env', '--args-file', '/missing.json'], 'E_INVALID_INPUT', '/missing.json'],
    [
      'has such a file and such a name',
      ['no_such', '--args-file', '/missing.json'],
      'E_INVALID_INPUT',
      '/missing.json',
    ],
    ['has an unknown option', ['env', '--bogus'], 'E_INVALID_INPUT', 'unknown option: --bogus'],
    ['has an option without its value', ['env', '--args'], 'E_INVALID_INPUT', '--args requires a value'],
    ['has parameters that are not JSON', ['list_packages', '--args', '{bad'], 'E_INVALID_INPUT', 'not valid JSON'],
    ['has a list for parameters', ['list_packages', '--args', '[1]'], 'E_INVALID_INPUT', 'must be a JSON object'],
    ['has null for parameters', ['env', '--args=null'], 'E_INVALID_INPUT', 'must be a JSON object'],
    ['misspells a field', ['plan_install', '--args', '{"packages":["x"]}'], 'E_INVALID_INPUT', 'targets'],
    ['has a number for text', ['search_packages', '--args', '{"keyword":5}'], 'E_INVALID_INPUT', 'keyword'],
    ['has a number in a list', ['plan_install', '--args', '{"targets":["a",1]}'], 'E_INVALID_INPUT', 'targets/1'],
    ['leaves the protocol’s schema', ['notice.show', '--args', '{"text":""}'], 'E_INVALID_INPUT', 'text'],
  ])('because it %s says so in one error and one result', async (_, given, code, message) => {
    const { lines, status, err } = await words(...given);
    expect(err).toBe('');
    expect(status).toBe(1);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({ kind: 'error', code, recoverable: false });
    expect(lines[0]?.message).toContain(message);
  });

  it('says in the result what older clients look for when no capability was named', async () => {
    const { result } = await words();
    expect(result).toMatchObject({ error: expect.stringContaining('capability name required') });
  });

  it('has a hint for who does not know the names', async () => {
    expect((await words('no_such')).lines[0]?.hint).toContain('interface --list');
  });

  const required = Object.entries(PUBLISHED).filter(([, [, example]]) => Object.keys(example).length > 0);
  it.each(required)(
    '%s misses each field that must be there, absent or null, and does nothing',
    async (name, entry) => {
      const before = filesIn(user.dataFolder);
      const [, example] = entry;
      for (const field of Object.keys(example)) {
        for (const without of [
          Object.fromEntries(Object.entries(example).filter(([key]) => key !== field)),
          { ...example, [field]: null },
        ]) {
          const { lines, status } = await words(name, '--args', JSON.stringify(without));
          expect([status, lines.length]).toEqual([1, 2]);
          expect(lines[0]).toMatchObject({ code: 'E_INVALID_INPUT', message: `missing required field(s): ${field}` });
        }
      }
      expect(filesIn(user.dataFolder)).toEqual(before);
    },
  );
});

describe('parameters', () => {
  it('come from the file even when there are others', async () => {
    const file = join(newFolder(), 'args.json');
    writeFileSync(file, '{"keyword":"example:HAT"}');
    const { result } = await words('search_packages', '--args', '{"keyword":"ghost"}', '--args-file', file);
    expect(result.data).toMatchObject({ packages: [{ name: 'org.example:hat' }] });
  });

  it('are the last ones given', async () => {
    const { result } = await words('search_packages', '--args', '{bad', '--args={"keyword":"ghost"}');
    expect(result.data).toMatchObject({ packages: [{ name: 'org.example:ghost', version: '1.1.0' }] });
  });

  it.each(['', '  ', '{}'])('%j are none', async (args) => {
    expect((await words('list_packages', '--args', args)).result).toEqual({
      kind: 'result',
      exitCode: 0,
      data: { packages: [] },
    });
  });

  it('may have fields nobody knows', async () => {
    expect((await words('list_packages', '--args', '{"color":"blue"}')).status).toBe(0);
  });
});

describe('an empty place', () => {
  it('has a status, an environment, and empty lists', async () => {
    const nobody = newUser();
    const status = await runWords(nobody, 'system_status');
    expect(status.data('system_info')).toMatchObject([{ title: expect.any(String), fields: expect.any(Array) }]);
    const env = await runWords(nobody, 'env');
    expect(env.lines[0]).toMatchObject({ kind: 'data', dataKind: 'env' });
    const [payload] = env.data('env');
    expect(Object.keys(payload!).sort()).toEqual([
      'activeSubos',
      'binDir',
      'dataDir',
      'lang',
      'libDir',
      'mirror',
      'subosDir',
      'xlingsHome',
    ]);
    expect(Object.values(payload!).every((value) => typeof value === 'string')).toBe(true);
    expect((await runWords(nobody, 'list_packages')).result.data).toEqual({ packages: [] });
    const search = await runWords(nobody, 'search_packages', '--args', '{"keyword":"x"}');
    expect(search.result).toMatchObject({ exitCode: 0, data: { packages: [] } });
    // Looking makes nothing.
    expect(filesIn(nobody.dataFolder)).toEqual([]);
  });
});

describe('the program', () => {
  it('gives its help as text', () => {
    const { status, stdout } = raw('--help');
    expect(status).toBe(0);
    expect(stdout).toContain('--args-file FILE');
  });

  it('makes an index that says what is no pack', () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'broken'));
    writeFileSync(join(folder, 'broken', 'character.json'), '{}');
    const { status, stdout } = spawnSync(process.execPath, [CLI, 'packs', 'index', folder], { encoding: 'utf8' });
    expect(status).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({ packs: [], unusable: [{ file: 'broken' }] });
    const missing = spawnSync(process.execPath, [CLI, 'packs', 'index', join(folder, 'none')], { encoding: 'utf8' });
    expect(missing.status).toBe(2);
    expect(JSON.parse(missing.stdout)).toMatchObject({
      error: { code: 'INVALID_PARAMS', message: expect.stringContaining('is no folder') },
    });
  });
});

it('what could not be written has not ended well, and is said', () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [CLI, 'interface', 'env'], {
    env: { PATH: process.env.PATH, ...user.env },
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  expect(status, stderr).toBe(1);
  expect(stderr).toContain('The output cannot be written.');
});
