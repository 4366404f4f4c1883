import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, endSessions, type NdjsonResult, startCall } from './ndjson-client.ts';
import {
  filesIn,
  makeIndex,
  newFolder,
  newUser,
  type PackUser,
  removeFolders,
  succeed,
  userWithIndex,
} from './user.ts';

// What the 19 capabilities do to packs, wardrobes and indexes, and what they say meanwhile (§7, §8).
let index: string;
/** Has the index and nothing else. */
let bare: PackUser;
/** Has the hat and the ghost 1.0.0 it needs, and the ghost 1.1.0 beside it. */
let owner: PackUser;
beforeAll(async () => {
  index = makeIndex();
  bare = await userWithIndex(index);
  owner = newUser(bare);
  await succeed(owner, 'install_packages', { targets: ['org.example:ghost@1.0.0'], yes: true });
  await succeed(owner, 'install_packages', { targets: ['org.example:hat'], yes: true });
  await succeed(owner, 'install_packages', { targets: ['org.example:ghost@1.1.0'], yes: true });
});
afterAll(() => {
  endSessions();
  removeFolders();
});

const kinds = ({ lines }: NdjsonResult): readonly string[] =>
  lines.map(({ kind, dataKind }) => (kind === 'data' ? String(dataKind) : kind)).filter((kind) => kind !== 'heartbeat');
/** The same without what may come any number of times. */
const steps = (ended: NdjsonResult): readonly string[] =>
  kinds(ended).filter((kind) => kind !== 'progress' && kind !== 'download_progress');
const installedBy = async (user: PackUser): Promise<unknown> => {
  const { result } = await succeed(user, 'list_packages');
  return (result.data!.packages as { name: string; version: string }[]).map(
    ({ name, version }) => `${name}@${version}`,
  );
};

describe('install', () => {
  it('plans, downloads, sums up, and gives what is there now', async () => {
    const user = newUser(bare);
    const planned = await succeed(user, 'plan_install', { targets: ['hat'] });
    expect(filesIn(join(user.dataFolder, 'packs'))).toEqual([]);
    const ended = await succeed(user, 'install_packages', { targets: ['hat'], yes: true });
    expect(steps(ended)).toEqual(['install_plan', 'install_summary', 'result']);
    expect(ended.data('install_plan')).toEqual(planned.data('install_plan'));
    expect(ended.data('install_plan')).toEqual([
      {
        packages: [
          ['org.example:ghost@1.1.0', 'Pack ghost'],
          ['org.example:hat@2.0.0', 'Pack hat'],
        ],
      },
    ]);
    expect(ended.data('install_summary')).toEqual([{ success: 2, failed: 0 }]);
    expect(ended.result.data).toEqual({
      installed: ['org.example:ghost@1.1.0', 'org.example:hat@2.0.0'],
      failed: [],
      present: [],
      declined: false,
    });
    const percents = ended.of('progress').map(({ percent }) => percent);
    expect(percents).toEqual([...percents].sort((a, b) => Number(a) - Number(b)));
    expect(percents.at(-1)).toBe(100);
    const last = ended.data('download_progress').at(-1);
    expect(last).toMatchObject({ nameWidth: 23, sizesReady: true, prevLines: 0, elapsedSec: expect.any(Number) });
    for (const file of last!.files as Record<string, unknown>[]) {
      expect(file).toMatchObject({ started: true, finished: true, success: true });
      expect(file.downloadedBytes).toBe(file.totalBytes);
    }
    expect(await installedBy(user)).toEqual(ended.result.data?.installed);
  });

  it('does nothing when everything is there', async () => {
    const user = newUser(owner);
    const before = filesIn(user.dataFolder);
    const ended = await succeed(user, 'install_packages', { targets: ['org.example:hat'] });
    expect(steps(ended)).toEqual(['result']);
    expect(ended.result.data).toMatchObject({ installed: [], present: ['org.example:hat@2.0.0'] });
    expect(filesIn(user.dataFolder)).toEqual(before);
  });

  it('of two of which one is broken has the other, and says which and why', async () => {
    const folder = newFolder();
    cpSync(index, folder, { recursive: true });
    writeFileSync(join(folder, 'org.example.ghost-1.1.0.zip'), 'x'.repeat(815));
    const user = await userWithIndex(folder);
    const ended = await call(user, 'install_packages', { targets: ['org.example:twin', 'ghost'], yes: true });
    expect(steps(ended)).toEqual(['install_plan', 'error', 'install_summary', 'result']);
    expect(ended.of('error')).toMatchObject([
      { recoverable: true, message: expect.stringContaining('org.example:ghost@1.1.0') },
    ]);
    expect(ended.data('install_summary')).toEqual([{ success: 1, failed: 1 }]);
    expect(ended.result).toMatchObject({
      exitCode: 1,
      data: { installed: ['org.example:twin@1.0.0'], failed: ['org.example:ghost@1.1.0'] },
    });
    expect(await installedBy(user)).toEqual(['org.example:twin@1.0.0']);
  });

  it('asks which pack a short name means, and installs only the one that was picked', async () => {
    const user = newUser(bare);
    const session = startCall(user, 'install_packages', { targets: ['twin'] });
    const prompt = await session.prompt();
    expect(prompt).toMatchObject({
      id: 'select-package',
      options: ['net.example:twin@3.0.0', 'org.example:twin@1.0.0'],
      defaultValue: '',
    });
    session.reply(prompt.id, 'both');
    await session.line('a refusal', ({ kind }) => kind === 'error');
    expect(filesIn(join(user.dataFolder, 'packs'))).toEqual([]);
    session.reply(prompt.id, 'org.example:twin@1.0.0');
    const confirm = await session.line('the next prompt', ({ id }) => id === 'confirm-install');
    expect(confirm).toMatchObject({ options: ['yes', 'no'], defaultValue: 'yes' });
    session.reply('confirm-install', 'yes');
    const ended = await session.ended;
    expect(ended.result).toMatchObject({ exitCode: 0, data: { installed: ['org.example:twin@1.0.0'] } });
  });

  it('with yes asks nothing: a name that may be two is refused', async () => {
    const ended = await call(newUser(bare), 'install_packages', { targets: ['twin'], yes: true });
    expect(ended.of('error')).toMatchObject([{ code: 'E_INVALID_INPUT' }]);
    expect(steps(ended)).toEqual(['error', 'result']);
  });

  it('of what no index offers is E_NOT_FOUND, and from an index that is dead E_NETWORK', async () => {
    expect((await call(bare, 'install_packages', { targets: ['nobody'], yes: true })).of('error')).toMatchObject([
      { code: 'E_NOT_FOUND', message: expect.stringContaining('nobody') },
    ]);
    const user = await userWithIndex('http://127.0.0.1:9/');
    for (const [capability, args] of [
      ['install_packages', { targets: ['ghost'], yes: true }],
      ['search_packages', { keyword: 'ghost' }],
      ['update_packages', {}],
    ] as const) {
      const ended = await call(user, capability, args);
      expect(ended.of('error')).toMatchObject([{ code: 'E_NETWORK', message: expect.stringContaining('main') }]);
      expect(ended.status).toBe(1);
    }
  });

  it('goes on without an index that is dead as long as another lives, with a warning', async () => {
    const user = newUser(bare);
    await succeed(user, 'add_repo', { name: 'dead', url: 'http://127.0.0.1:9/' });
    const ended = await succeed(user, 'search_packages', { keyword: 'ghost' });
    expect(ended.of('log')).toMatchObject([{ level: 'warn', message: expect.stringContaining('dead') }]);
    expect(ended.result.data).toMatchObject({ packages: [{ name: 'org.example:ghost' }] });
  });

  it('that is declined changes nothing and says so', async () => {
    const user = newUser(bare);
    const session = startCall(user, 'install_packages', { targets: ['ghost'] });
    session.reply((await session.prompt()).id, 'no');
    const ended = await session.ended;
    expect(steps(ended)).toEqual(['install_plan', 'prompt', 'declined', 'result']);
    expect(ended.result).toMatchObject({ exitCode: 0, data: { installed: [], declined: true } });
    expect(filesIn(join(user.dataFolder, 'packs'))).toEqual([]);
  });
});

describe('remove', () => {
  it('is refused while another pack needs it, and done when forced', async () => {
    const user = newUser(owner);
    const ghost = { target: 'org.example:ghost' };
    const before = filesIn(user.dataFolder);
    const blocked = await call(user, 'remove_package', { ...ghost, yes: true });
    expect(steps(blocked)).toEqual(['remove_blocked', 'error', 'result']);
    const place = { subos: 'default', name: 'org.example:ghost' };
    expect(blocked.data('remove_blocked')).toMatchObject([
      { ...place, required_by: [{ name: 'org.example:hat', version: '2.0.0' }] },
    ]);
    expect(blocked.of('error')).toMatchObject([
      { code: 'E_PERMISSION', recoverable: false, hint: expect.stringContaining('force') },
    ]);
    expect(blocked.status).toBe(2);
    expect(filesIn(user.dataFolder)).toEqual(before);
    const forced = await succeed(user, 'remove_package', { ...ghost, yes: true, force: true });
    expect(steps(forced)).toEqual(['remove_plan', 'remove_summary', 'result']);
    expect(forced.data('remove_summary')).toMatchObject([place]);
    expect(forced.data('remove_summary')).toEqual(forced.data('remove_plan'));
  });

  it('asks first; no leaves everything as it is, yes removes', async () => {
    const user = newUser(owner);
    const before = filesIn(user.dataFolder);
    for (const answer of ['no', 'yes']) {
      const session = startCall(user, 'remove_package', { target: 'org.example:hat' });
      const prompt = await session.prompt();
      expect(prompt).toMatchObject({ id: 'confirm-remove', options: ['yes', 'no'], defaultValue: 'no' });
      session.reply('confirm-remove', answer);
      const ended = await session.ended;
      expect(ended.status).toBe(0);
      expect(ended.of('prompt')).toHaveLength(1);
      const last = answer === 'no' ? 'declined' : 'remove_summary';
      expect(steps(ended)).toEqual(['remove_plan', 'prompt', last, 'result']);
      if (answer === 'no') expect(filesIn(user.dataFolder)).toEqual(before);
    }
    expect(await installedBy(user)).toEqual(['org.example:ghost@1.0.0', 'org.example:ghost@1.1.0']);
  });

  it('of what is not installed is E_NOT_FOUND', async () => {
    const ended = await call(bare, 'remove_package', { target: 'org.example:ghost', yes: true });
    expect(ended.of('error')).toMatchObject([{ code: 'E_NOT_FOUND' }]);
  });
});

describe('update', () => {
  it('brings a pack to the newest version, once', async () => {
    const user = newUser(bare);
    await succeed(user, 'install_packages', { targets: ['org.example:ghost@1.0.0'], yes: true });
    const session = startCall(user, 'update_packages', { target: 'ghost' });
    const prompt = await session.prompt();
    expect(prompt).toMatchObject({ id: 'confirm-update', options: ['yes', 'no'] });
    session.reply(prompt.id, 'yes');
    const ended = await session.ended;
    expect(steps(ended)).toEqual([
      'update_plan',
      'prompt',
      'install_plan',
      'install_summary',
      'update_summary',
      'result',
    ]);
    expect(ended.data('update_plan')).toEqual([{ name: 'org.example:ghost', current: '1.0.0', latest: '1.1.0' }]);
    expect(ended.data('update_summary')).toEqual([{ name: 'org.example:ghost', from: '1.0.0', to: '1.1.0' }]);
    expect(ended.result.data).toMatchObject({ updated: true, from: '1.0.0', to: '1.1.0' });
    const again = await succeed(user, 'update_packages', { target: 'ghost' });
    expect(steps(again)).toEqual(['update_plan', 'result']);
    expect(again.result.data).toMatchObject({ updated: false });
  });

  it('without a target reads the indexes', async () => {
    const ended = await succeed(bare, 'update_packages');
    expect(ended.result.data).toMatchObject({ indexes: 1, packages: 6 });
  });
});

describe('what is installed', () => {
  it('is listed with version, name and whether it is in use', async () => {
    const ended = await succeed(owner, 'list_packages', { filter: 'GHOST' });
    const [list] = ended.data('styled_list');
    expect(list).toMatchObject({ title: expect.any(String), numbered: true });
    expect((list!.items as string[][]).map(([name]) => name)).toEqual([
      'org.example:ghost@1.0.0',
      'org.example:ghost@1.1.0',
    ]);
    expect((list!.items as string[][]).map((item) => item[2]).sort()).toEqual(['', 'inactive']);
  });

  it('is told of, one pack at a time', async () => {
    const info = await succeed(owner, 'package_info', { target: 'org.example:hat' });
    const [panel] = info.data('info_panel');
    expect(panel).toMatchObject({ title: 'org.example:hat' });
    for (const row of [...(panel!.fields as object[]), ...(panel!.extra_fields as object[])]) {
      expect(row).toEqual({ label: expect.any(String), value: expect.any(String), highlight: expect.any(Boolean) });
    }
    expect(info.result.data).toMatchObject({
      requires: ['org.example.ghost@1'],
      installed: ['2.0.0'],
      active: '2.0.0',
    });
    expect((await call(owner, 'package_info', { target: 'nobody' })).of('error')).toMatchObject([
      { code: 'E_NOT_FOUND' },
    ]);
  });

  it('can be used in another version', async () => {
    const user = newUser(owner);
    for (const [asked, got] of [
      ['1.0', '1.0.0'],
      ['latest', '1.1.0'],
    ] as const) {
      await succeed(user, 'use_version', { target: 'ghost', version: asked });
      const versions = await succeed(user, 'list_installed_versions', { target: 'ghost' });
      const [panel] = versions.data('info_panel');
      const active = (panel!.fields as { label: string; highlight: boolean }[]).filter(({ highlight }) => highlight);
      expect(active.map(({ label }) => label)).toEqual([got]);
    }
    expect((await call(user, 'use_version', { target: 'ghost', version: '9' })).of('error')).toMatchObject([
      { code: 'E_NOT_FOUND' },
    ]);
  });

  it('is listed broken, with the reason, when its files are', async () => {
    const user = newUser(owner);
    const { result } = await succeed(user, 'list_packages', { filter: 'hat' });
    const [{ folder }] = result.data!.packages as [{ folder: string }];
    rmSync(join(folder.replace(owner.dataFolder, user.dataFolder), 'sheet.png'));
    const ended = await succeed(user, 'list_packages', { filter: 'hat' });
    expect((ended.data('styled_list')[0]!.items as string[][])[0]?.[2]).toMatch(/^degraded: .*sheet\.png/);
    await succeed(user, 'remove_package', { target: 'hat', yes: true });
  });
});

describe('a wardrobe', () => {
  it('is created, listed, switched to, switched from, and removed', async () => {
    const user = newUser(owner);
    const created = await succeed(user, 'create_subos', { name: 'work' });
    const [{ dir }] = created.data('subos_created') as [{ dir: string }];
    expect(existsSync(dir)).toBe(true);
    const entriesOf = async () => (await succeed(user, 'list_subos')).data('subos_list')[0]?.entries;
    expect(await entriesOf()).toEqual([
      { name: 'default', dir: expect.any(String), active: true, pkgCount: 2 },
      { name: 'work', dir, active: false, pkgCount: 0 },
    ]);
    const switched = await succeed(user, 'switch_subos', { name: 'work' });
    expect(switched.data('subos_switched')).toEqual([{ name: 'work', dir }]);
    expect((await succeed(user, 'env')).data('env')).toMatchObject([{ activeSubos: 'work', subosDir: dir }]);
    expect((await succeed(user, 'list_subos_shims')).data('subos_shims')).toEqual([{ shims: [], binDir: dir }]);
    const active = await call(user, 'remove_subos', { name: 'work', yes: true });
    expect(active.of('error')).toMatchObject([{ code: 'E_INVALID_INPUT', recoverable: true }]);
    await succeed(user, 'switch_subos', { name: 'default' });
    expect((await succeed(user, 'list_subos_shims')).data('subos_shims')).toMatchObject([
      { shims: ['org.example:ghost', 'org.example:hat'] },
    ]);
    const session = startCall(user, 'remove_subos', { name: 'work' });
    expect(await session.prompt()).toMatchObject({ id: 'confirm-remove' });
    session.reply('confirm-remove', 'yes');
    expect((await session.ended).data('subos_removed')).toEqual([{ name: 'work' }]);
    expect(existsSync(dir)).toBe(false);
  });

  it.each(['current', 'bad name', '', 'default', '../x'])('is not created as %j', async (name) => {
    const user = newUser(bare);
    const before = filesIn(user.dataFolder);
    const ended = await call(user, 'create_subos', { name });
    expect(ended.status).toBe(1);
    expect(ended.of('error')).toMatchObject([{ code: 'E_INVALID_INPUT' }]);
    expect(filesIn(user.dataFolder)).toEqual(before);
  });

  it('that is not there is E_NOT_FOUND; default stays', async () => {
    for (const capability of ['switch_subos', 'remove_subos']) {
      const ended = await call(bare, capability, { name: 'nowhere' });
      expect(ended.of('error')).toMatchObject([{ code: 'E_NOT_FOUND', recoverable: true }]);
    }
    const ended = await call(bare, 'remove_subos', { name: 'default', yes: true });
    expect(ended.of('error')).toMatchObject([{ code: 'E_INVALID_INPUT', recoverable: false }]);
  });
});

describe('an index', () => {
  it('is added, listed, moved, and removed', async () => {
    const user = newUser();
    const reposOf = async () => (await succeed(user, 'list_repos')).data('repo_list');
    for (const url of ['https://example.org/a/', 'https://example.org/b/']) {
      await succeed(user, 'add_repo', { name: 'x', url });
      expect(await reposOf()).toEqual([{ override: 'global', repos: [{ name: 'x', url, scope: 'global' }] }]);
    }
    await succeed(user, 'remove_repo', { name: 'x' });
    expect(await reposOf()).toEqual([{ override: 'global', repos: [] }]);
    const again = await call(user, 'remove_repo', { name: 'x' });
    expect(again.of('error')).toMatchObject([{ code: 'E_NOT_FOUND', recoverable: true, message: "no repo named 'x'" }]);
    expect(again.status).toBe(1);
  });

  it.each([
    ['add_repo', { name: 'x', url: '' }],
    ['add_repo', { name: ' ', url: '/a' }],
    ['add_repo', { name: 'x', url: 'ftp://example.org/' }],
    ['remove_repo', { name: '' }],
  ])('%s with %j is E_INVALID_INPUT', async (capability, args) => {
    const ended = await call(newUser(), capability, args);
    expect(ended.of('error')).toMatchObject([{ code: 'E_INVALID_INPUT', recoverable: false }]);
  });

  it('that is broken says where', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'index.json'), '{"schema":"other"}');
    const ended = await call(await userWithIndex(folder), 'search_packages', { keyword: '' });
    expect(ended.of('error')).toMatchObject([
      { code: 'E_INVALID_INPUT', message: expect.stringContaining('index.json') },
    ]);
  });
});

it('every result of a query fits the schema that --list shows', async () => {
  const queries = [
    ['search_packages', { keyword: 'ghost' }],
    ['plan_install', { targets: ['org.example:large'] }],
    ['list_packages', {}],
    ['package_info', { target: 'org.example:ghost' }],
    ['list_installed_versions', { target: 'org.example:ghost' }],
    ['system_status', {}],
    ['list_subos', {}],
    ['list_subos_shims', {}],
    ['env', {}],
    ['list_repos', {}],
    ['install_packages', { targets: ['org.example:hat'], yes: true }],
    ['update_packages', {}],
    ['use_version', { target: 'ghost', version: 'latest' }],
  ] as const;
  const schemas = schemasOf(owner);
  for (const [name, args] of queries) {
    const { result } = await succeed(newUser(owner), name, args);
    const validate = new Ajv2020({ strict: false }).compile(schemas.get(name)!);
    expect(validate(result.data), `${name}: ${JSON.stringify(validate.errors)}`).toBe(true);
  }
});

/** Output schemas by name, as the program lists them. */
function schemasOf({ command, env }: PackUser): ReadonlyMap<string, object> {
  const [program = '', ...args] = command;
  const out = execFileSync(program, [...args, 'interface', '--list'], { env: { PATH: process.env.PATH, ...env } });
  const { capabilities } = JSON.parse(String(out)) as { capabilities: { name: string; outputSchema: object }[] };
  return new Map(capabilities.map(({ name, outputSchema }) => [name, outputSchema]));
}

it('what is on the disk is plain files that a person can read', () => {
  expect(JSON.parse(readFileSync(join(owner.dataFolder, 'library.json'), 'utf8'))).toMatchObject({
    indexes: [{ name: 'main', url: index }],
  });
});
