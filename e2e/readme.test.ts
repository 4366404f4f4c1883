/** What the README promises is run: every command, every program, every example of the protocol, so that the words cannot drift from the product. */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '../cli/exit-codes.ts';
import { ERRORS } from '../server/protocol/errors.ts';
import { REASONS, STATUSES } from '../server/protocol/status.ts';
import { CONTROL_SCOPE } from '../server/protocol/words.ts';
import { METHODS } from '../server/registry/catalog.ts';
import { type LaunchedCompanion, launchCompanion } from './harness.ts';
import { blocksOf, linesOf, ROOT, read } from './readme-blocks.ts';

const READMES = ['README.md', 'README.zh-CN.md'] as const;
const PROTOCOL = 'docs/protocol.md';
const SCOPES = 'discover,animate,notify,interact';

const PACKAGE = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };

/** `npm …` lines would start or test the whole project once more; they are checked against package.json instead. */
const isNpm = (line: string): boolean => line.startsWith('npm ');

/** What is made to last is refused to a checkout in a temporary folder, as it should be. */
const canRun = (block: string): boolean =>
  !isNpm(block) &&
  !(/^\/(tmp|var\/tmp|dev\/shm)\//.test(ROOT) && /companion (autostart|launcher|mcp|hooks) /.test(block));

/** What a line may be; each runs for real. A new kind of line needs a line here, and a user who knows what to press. */
const KNOWN: readonly RegExp[] = [
  /^companion (pair|notify|play|progress (start|update|done)|requests wait) /,
  /^companion (doctor|open|autostart (enable|status|disable)|launcher (add|remove))$/,
  /^companion (mcp|hooks) (install|status|remove)( claude-code)?$/,
  /^companion (hide|show|pause|resume|dnd (on|off))$/,
  /^companion ask .*(--choice yes=.*|--text)/,
  /^\w+=\$\(companion (ask .*--choice yes=.*|progress (start|update) .*)\)$/,
  /^if \[ "\$answer" = yes \]; then companion play \w+; fi$/,
  /^companion characters (use|show) builtin\.\w+$/,
  /^companion characters import ~\/Downloads\/ghost( --dry-run)?$/,
  /^companion characters (un)?follow codex$/,
  /^companion packs index ~\/my-packs$/,
  /^companion interface (add_repo|install_packages|list_packages|notice\.show)\b/,
  /^companion run --notify-after 1s -- sleep 2$/,
  /^companion watch -- companion interface list_packages$/,
  /^(umask|echo) /,
  /^if companion ask .* --confirm; then echo \w+; else echo "[\w ]+"; fi$/,
  /^companion notify-send /,
  /^mkdir -p ~\/\.local\/share/,
  /^companion (completions \w+|man) > ~\/\.local\/share\//,
  /^sed -n .*\/credentials\/my-script\.json" > key\.header$/,
  /^curl .*-H @key\.header/,
];

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const folder = mkdtempSync(join(tmpdir(), 'readme-'));
const callLog = join(folder, 'calls');
let companion: LaunchedCompanion;
let env: Env;
const userLeaves = new AbortController();
let user: Promise<void>;

type Env = Readonly<Record<string, string | undefined>>;

function run(program: string, args: readonly string[], runEnv: Env = env): Promise<Ended> {
  const child = spawn(program, args, { cwd: folder, env: runEnv, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

/** Arguments and exit code of each `companion` that ran since the last look. */
function takeCalls(): readonly string[] {
  const calls = existsSync(callLog) ? linesOf(readFileSync(callLog, 'utf8')) : [];
  rmSync(callLog, { force: true });
  return calls;
}

const WANTED = '[data-action="approve"]:enabled, [data-option-id="yes"]:enabled, [data-action="submit"]:enabled';

/** Presses what a friendly user would, as soon as it is there, until they leave. */
async function beTheUser(leaving: AbortSignal): Promise<void> {
  const { page } = companion;
  while (!leaving.aborted) {
    // A card may go between the look and the press; whoever waits for its answer would notice a press that failed.
    const button = await page.waitForSelector(WANTED, { timeout: 0, signal: leaving }).catch(() => null);
    const field = await page.$('[data-view="text"] [data-role="answer"]').catch(() => null);
    const isEmpty = await field?.evaluate(({ value }: { value?: string }) => value === '').catch(() => false);
    if (isEmpty) await field?.type('Aurora').catch(() => {});
    await button?.click().catch(() => {});
  }
}

/** Pairs `name` with a configuration folder of its own, so that no other test sees its profile. Returns the environment to use it in. */
async function pairApart(name: string): Promise<Env> {
  const own = { ...env, XDG_CONFIG_HOME: join(folder, `config-${name}`) };
  const { code, out } = await run('companion', ['pair', '--name', name, '--scopes', SCOPES], own);
  expect(JSON.parse(out)).toMatchObject({ profile: name });
  expect(code).toBe(0);
  return own;
}

/** A pack as a user may have one: a built-in character under a name of its own. */
function putPack(path: string, id: string): void {
  const builtIn = 'builtin.moss';
  cpSync(join(ROOT, 'overlay/characters', builtIn), path, { recursive: true });
  const manifest = join(path, 'character.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(`"${builtIn}"`, `"${id}"`));
}

beforeAll(async () => {
  const home = join(folder, 'home');
  putPack(join(home, 'Downloads/ghost'), 'org.example.spirit');
  putPack(join(home, 'my-packs/ghost'), 'org.example.ghost');
  mkdirSync(join(home, 'config', 'companion'), { recursive: true });
  writeFileSync(join(home, 'config', 'companion', 'config.json'), blocksOf('README.md', 'json')[0]!);
  companion = await launchCompanion({ home });
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  // What `npm link` would put on the PATH, and a note of every call.
  writeFileSync(
    join(bin, 'companion'),
    `#!/bin/sh\n"${process.execPath}" "${join(ROOT, 'dist/cli.cjs')}" "$@"\ncode=$?\necho "$code $*" >> "${callLog}"\nexit $code\n`,
  );
  chmodSync(join(bin, 'companion'), 0o755);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules', 'companion'));
  const { COMPANION_SOCKET: _socket, COMPANION_PROFILE: _profile, ...outer } = process.env;
  env = { ...outer, ...companion.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const { page } = companion;
  await (await page.waitForSelector('[data-action="enable-access"]'))!.click();
  await page.waitForSelector('[data-action="enable-access"]', { hidden: true });
  user = beTheUser(userLeaves.signal);
});

afterAll(async () => {
  userLeaves.abort();
  await user;
  await companion?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the commands of both READMEs', () => {
  it('are the same', () => {
    const [english, chinese] = READMES.map((file) => blocksOf(file, 'sh'));
    expect(english!.length).toBeGreaterThan(5);
    expect(chinese).toEqual(english);
    expect(blocksOf(READMES[1], 'json')).toEqual(blocksOf(READMES[0], 'json'));
  });

  it('are of a kind that is run here', () => {
    const lines = READMES.flatMap((file) => blocksOf(file, 'sh')).flatMap(linesOf);
    expect(lines.filter((line) => !isNpm(line) && !KNOWN.some((kind) => kind.test(line)))).toEqual([]);
  });

  it('that call npm name a script of package.json', () => {
    for (const file of [...READMES, 'docs/architecture.md', 'CHANGELOG.md']) {
      const named = [...read(file).matchAll(/npm (?:run (\w+)|(start|test))/g)].map(
        ([, script, short]) => script ?? short!,
      );
      expect(named.filter((name) => PACKAGE.scripts[name] === undefined)).toEqual([]);
    }
    expect(read('README.md')).toContain('npm link');
  });

  it('run, one block after the other, and do what the text says', async () => {
    takeCalls();
    const outputs: string[] = [];
    for (const block of blocksOf('README.md', 'sh').filter(canRun)) {
      const { code, out, err } = await run('sh', ['-eu', '-c', block]);
      const calls = takeCalls();
      expect({ block, code, err: code === 0 ? '' : err, calls }).toMatchObject({ block, code: 0, err: '' });
      // Each time the command is named it was reached, and each call went well.
      expect(calls).toHaveLength([...block.matchAll(/\bcompanion [a-z]/g)].length);
      expect(calls.filter((call) => !call.startsWith('0 '))).toEqual([]);
      outputs.push(out);
    }
    const printed = outputs.join('');
    expect(printed).toMatch(/^\{"profile":"my-script",.*\}\nyes\n/);
    expect(printed).toContain('pressed so far: nothing\n');
    expect(printed).toContain('Aurora\n');
    expect(printed).toMatch(/"status":"completed".*"result":\{"selectedId":"yes"\}/);
    expect(printed).toMatch(/"capability":"notice.show".*"status":"queued"/);
    expect(printed).toMatch(/\n\d+ warnings?, \d+ fine\.\n/);
    expect(printed).toContain('The companion is here.\n');
    expect(printed).toContain('"installed":["org.example:ghost@1.0.0"]');
    expect(printed).not.toContain('cmp_');
  }, 120_000);

  it('find the same answer again under the same idempotency key', async () => {
    const own = await pairApart('asker');
    const again = blocksOf('README.md', 'sh').find((block) => block.includes('--idempotency-key'))!;
    for (const _time of ['asked', 'asked again']) {
      expect(await run('sh', ['-eu', '-c', again], own)).toEqual({ code: 0, out: 'Aurora\n', err: '' });
    }
  }, 120_000);
});

describe('the programs in both READMEs', () => {
  const programs = READMES.flatMap((file) =>
    blocksOf(file, 'js').map((text, index) => ({ file, number: index + 1, text })),
  );
  let own: Env;
  beforeAll(async () => {
    own = await pairApart('program');
  });

  it.each(programs)(
    '$file, number $number, runs and prints yes',
    async ({ file, number, text }) => {
      const path = join(folder, `${file}-${number}.mjs`);
      writeFileSync(path, text);
      expect(await run(process.execPath, [path], own)).toEqual({ code: 0, out: 'yes\n', err: '' });
    },
    120_000,
  );
});

describe('what the documents say', () => {
  it.each([
    ...READMES,
    PROTOCOL,
    'docs/shell.md',
    'docs/sdk.md',
    'CHANGELOG.md',
    'docs/architecture.md',
    'docs/auth-profile.md',
  ])('%s links to files that exist', (file) => {
    const links = [...read(file).matchAll(/\]\(([^)#\s]+)|src="([^"]+)"/g)].map(([, link, source]) => link ?? source!);
    const missing = links.filter((link) => !/^https?:/.test(link) && !existsSync(join(ROOT, dirname(file), link)));
    expect(missing).toEqual([]);
  });

  it('has one example for each method, with parameters that are right', async () => {
    const examples = blocksOf(PROTOCOL, 'json').filter((block) => block.includes('"method"'));
    const named = examples.map((example) => (JSON.parse(example) as { readonly method: string }).method);
    expect(named.toSorted()).toEqual(Object.keys(METHODS).toSorted());
    const { XDG_CONFIG_HOME: config } = await pairApart('reader');
    const credential = readFileSync(join(config!, 'companion', 'credentials', 'reader.json'), 'utf8');
    const { key } = JSON.parse(credential) as { readonly key: string };
    for (const example of examples) {
      const { error } = await post(example, key);
      // The IDs in the examples are nobody's, and no program's key has the user's switches.
      const refusal = example.includes(`"${CONTROL_SCOPE}"`) ? 'FORBIDDEN' : 'NOT_FOUND';
      expect({ example, code: error?.data.code ?? refusal }).toEqual({ example, code: refusal });
    }
  });

  it('names every error, status and reason of the protocol, and no error that is none', () => {
    const text = read(PROTOCOL);
    for (const name of [...Object.keys(ERRORS), ...STATUSES, ...Object.keys(REASONS)]) expect(text).toContain(name);
    const rows = [...text.matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \| ([−\d, ]+) \| (yes|no) /gm)];
    const told = rows.flatMap(([, codes, numbers, again]) => {
      const rpcCodes = numbers!.split(', ');
      return codes!
        .split(', ')
        .map((code, at) => [code.slice(1, -1), Number(rpcCodes[at]!.replace('−', '-')), again === 'yes']);
    });
    const actual = Object.entries(ERRORS).map(([code, { rpcCode, retryable }]) => [code, rpcCode, retryable]);
    expect(told.toSorted()).toEqual(actual.toSorted());
  });

  it.each(READMES)('%s has a row for each exit code', (file) => {
    const rows = [...read(file).matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
    expect(rows).toEqual(Object.values(EXIT).toSorted((one, other) => one - other));
  });
});

interface Answer {
  readonly error?: { readonly data: { readonly code: string } };
}

function post(body: string, key: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      'Content-Type': 'application/json',
      'Companion-Protocol': '0.1',
      Authorization: `Bearer ${key}`,
    };
    const call = request({ socketPath: companion.socketPath, path: '/rpc', method: 'POST', headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve(JSON.parse(text) as Answer));
    });
    call.on('error', reject);
    call.end(body);
  });
}
