import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Snapshot } from '../server/protocol/snapshot.ts';
import { CAPABILITIES, METHODS } from '../server/registry/catalog.ts';
import { faultsOf } from '../server/registry/validate.ts';
import { type FakeHandler, type FakeHost, snapshot, startFakeHost } from './client/fake-host.ts';
import { COMMAND_NAMES, loadCommand } from './commands.ts';
import type { Io } from './io.ts';
import { writeCredential } from './profiles.ts';
import { run } from './run.ts';

const KEY = 'cmp_secret';
const COMMANDS = await Promise.all(COMMAND_NAMES.map(loadCommand));
const hosts: FakeHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop();
});

const folderOf = (host: FakeHost) => join(host.home, '.config', 'companion', 'credentials');

/** A host that accepts what is created and then says `end` about it; `paired` profiles hold a key each. */
async function open(handler: FakeHandler, paired: readonly string[] = ['p']): Promise<FakeHost> {
  const host = await startFakeHost(handler);
  hosts.push(host);
  for (const profile of paired) {
    writeCredential(folderOf(host), profile, { key: KEY, clientId: 'c', name: profile, scopes: ['notify'] });
  }
  return host;
}

const endingAs =
  (end: Partial<Snapshot>): FakeHandler =>
  ({ method }) =>
    method === 'requests.wait'
      ? { result: { ...snapshot({ revision: 4, ...end }), unchanged: false } }
      : { result: snapshot() };

interface Outcome {
  code: number;
  out: string;
  err: string;
}

/** Runs one command line; `interrupt` is handed what Ctrl-C would call. */
async function companion(
  host: FakeHost,
  args: readonly string[],
  { input = '', env = {}, interrupt }: { input?: string; env?: object; interrupt?: (press: () => void) => void } = {},
): Promise<Outcome> {
  const outcome = { code: -1, out: '', err: '' };
  const io: Io = {
    env: { ...host.env, ...env },
    program: () => ['/opt/node/bin/node', '/opt/companion/dist/cli.cjs'],
    out: (text) => {
      outcome.out += text;
    },
    err: (text) => {
      outcome.err += text;
    },
    readInput: async () => input,
    onInterrupt: (listener) => interrupt?.(listener),
  };
  outcome.code = await run(args, io);
  return outcome;
}

const OPTIONS = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No = never' },
];
const CHOICES = ['--choice', 'yes=Yes', '--choice', 'no=No = never'];

describe('a verb', () => {
  it.each<[string[], string, object, string?]>([
    [['notify', 'Hi'], 'notice.show', { text: 'Hi' }],
    [
      ['notify', 'Hi', '--title', 'T', '--tone=warning', '--duration', '3s'],
      'notice.show',
      { text: 'Hi', title: 'T', tone: 'warning', durationMs: 3_000 },
    ],
    [['notify', '--', '--json'], 'notice.show', { text: '--json' }],
    [['ask', 'Go?', ...CHOICES, '--no-wait'], 'interaction.choose', { title: 'Go?', options: OPTIONS }],
    [
      ['ask', 'Go?', '--choice', 'yes', '--choice=no', '--suggest', 'no', '--allow-decline', '--no-wait'],
      'interaction.choose',
      {
        title: 'Go?',
        options: [
          { id: 'yes', label: 'yes' },
          { id: 'no', label: 'no' },
        ],
        suggestedId: 'no',
        allowDecline: true,
      },
    ],
    [
      ['ask', 'Commit?', ...CHOICES, '--details-file', '-', '--tone', 'error', '--no-wait'],
      'interaction.choose',
      { title: 'Commit?', options: OPTIONS, details: '+ one line', tone: 'error' },
      '+ one line',
    ],
    [
      ['ask', 'Which?', ...CHOICES, '--several', '--min', '1', '--max', '2', '--details', 'D', '--no-wait'],
      'vendor.internal.companion.choices',
      { title: 'Which?', options: OPTIONS, min: 1, max: 2, details: 'D' },
    ],
    [['ask', 'Name?', '--text', '--no-wait'], 'interaction.ask', { title: 'Name?' }],
    [
      ['ask', 'Name?', '--text', '--multiline', '--placeholder', 'P', '--max-length', '9', '--no-wait'],
      'interaction.ask',
      { title: 'Name?', multiline: true, placeholder: 'P', maxLength: 9 },
    ],
    [['ask', 'Word?', '--text', '--masked', '--no-wait'], 'interaction.ask', { title: 'Word?', masked: true }],
    [['progress', 'start', 'Copy'], 'progress.show', { title: 'Copy', percent: null }],
    [
      ['progress', 'start', 'Copy', '--percent', '0', '--message', 'M', '--phase', 'P', '--control', 'pause'],
      'progress.show',
      { title: 'Copy', percent: 0, message: 'M', phase: 'P', controls: ['pause'] },
    ],
    [['play', 'celebrate'], 'animation.celebrate', {}],
    [['play', 'work', '--loops', '3'], 'animation.work', { loops: 3 }],
    [['play', 'vendor.org.example.dance'], 'vendor.org.example.dance', {}],
  ])('%j creates %s', async (args, capability, params, input) => {
    const host = await open(() => ({ result: snapshot() }));
    const outcome = await companion(host, args, { input: input ?? '' });
    expect(outcome).toMatchObject({ code: 0, err: '' });
    const [{ method, params: sent }] = host.calls as [FakeHost['calls'][number]];
    expect([method, sent.capability, sent.params]).toEqual(['requests.create', capability, params]);
    const known = CAPABILITIES.find(({ id }) => id === capability);
    if (known !== undefined) expect(faultsOf(known.input, sent.params)).toEqual([]);
  });

  it('passes on what every request may say about itself', async () => {
    const host = await open(() => ({ result: snapshot() }));
    const about = ['--timeout', '2m', '--idempotency-key', 'k', '--task-id', 't', '--style', 's', '--character', 'c'];
    await companion(host, ['play', 'wait', ...about, '--allow-substitute']);
    expect(host.calls[0]?.params).toEqual({
      capability: 'animation.wait',
      params: {},
      timeoutMs: 120_000,
      idempotencyKey: 'k',
      taskId: 't',
      style: 's',
      character: 'c',
      allowSubstitute: true,
    });
  });

  it.each([
    ['update', ['--percent', '40', '--paused'], { percent: 40, paused: true }],
    ['update', ['--resumed', '--message', 'M'], { paused: false, message: 'M' }],
    ['done', [], { done: true }],
    ['done', ['--percent', '100', '--tone', 'success'], { done: true, percent: 100, tone: 'success' }],
    ['fail', ['disk full'], { failed: 'disk full' }],
  ])('progress %s %j updates the newest revision', async (verb, args, params) => {
    const host = await open(() => ({ result: snapshot({ revision: 5 }) }));
    expect(await companion(host, ['progress', verb, 'r1', ...args])).toEqual({ code: 0, out: '', err: '' });
    expect(host.calls.map((call) => [call.method, call.params])).toEqual([
      ['requests.get', { requestId: 'r1' }],
      ['requests.update', { requestId: 'r1', expectedRevision: 5, params }],
    ]);
  });

  it.each<[string[], string]>([
    [['notify', 'Hi'], ''],
    [['play', 'greet'], ''],
    [['progress', 'start', 'Copy'], 'r1\n'],
    [['ask', 'Go?', ...CHOICES, '--no-wait'], 'r1\n'],
    [['notify', 'Hi', '--json'], `${JSON.stringify(snapshot())}\n`],
  ])('%j without waiting prints %j', async (args, out) => {
    const host = await open(() => ({ result: snapshot() }));
    expect(await companion(host, args)).toEqual({ code: 0, out, err: '' });
  });

  it('progress update prints what the user last pressed', async () => {
    const control = { action: 'cancel', seq: 1, at: '2026-01-01T00:00:00.000Z' } as const;
    const host = await open(() => ({ result: snapshot({ control }) }));
    expect((await companion(host, ['progress', 'update', 'r1', '--percent', '1'])).out).toBe('cancel\n');
  });
});

describe('ask', () => {
  it.each<[string[], object, string]>([
    [CHOICES, { selectedId: 'yes' }, 'yes\n'],
    [['--text'], { text: 'blau 蓝\nzwei' }, 'blau 蓝\nzwei\n'],
    [[...CHOICES, '--several'], { selectedIds: ['yes', 'no'] }, 'yes\nno\n'],
    [[...CHOICES, '--several', '--min', '0'], { selectedIds: [] }, ''],
  ])('with %j prints the answer alone', async (args, result, out) => {
    const host = await open(endingAs({ status: 'completed', reason: 'user_answered', result: result as never }));
    expect(await companion(host, ['ask', 'Q', ...args])).toEqual({ code: 0, out, err: '' });
  });

  it('with --json prints the snapshot', async () => {
    const end = { status: 'completed', reason: 'user_answered', result: { selectedId: 'yes' } } as const;
    const host = await open(endingAs(end));
    const { code, out } = await companion(host, ['ask', 'Q', ...CHOICES, '--json']);
    expect([code, JSON.parse(out)]).toEqual([0, snapshot({ revision: 4, ...end })]);
  });

  it.each<[string, Partial<Snapshot>, string[], number]>([
    ['yes', { status: 'completed', reason: 'user_answered', result: { selectedId: 'yes' } }, [], 0],
    ['no', { status: 'completed', reason: 'user_answered', result: { selectedId: 'no' } }, [], 1],
    ['an answer of no known kind', { status: 'completed', reason: 'user_answered', result: { text: 'yes' } }, [], 1],
    ['an end without an answer', { status: 'completed', reason: 'user_answered', result: null }, [], 1],
    ['a closed card', { status: 'cancelled', reason: 'user_dismissed' }, [], 6],
    ['a declined one', { status: 'cancelled', reason: 'user_declined' }, ['--allow-decline'], 6],
    ['no answer in time', { status: 'expired', reason: 'deadline' }, [], 6],
    ['a restarted host', { status: 'failed', reason: 'runtime_restarted' }, [], 5],
    ['a wait that is over', { status: 'awaiting_user' }, ['--wait=0ms'], 7],
  ])('--confirm is true for a yes alone: %s', async (_what, end, args, code) => {
    const host = await open(endingAs(end));
    expect(await companion(host, ['ask', 'Deploy?', '--confirm', ...args])).toMatchObject({ code, out: '' });
    expect(host.calls[0]?.params).toMatchObject({
      capability: 'interaction.choose',
      params: {
        title: 'Deploy?',
        options: [
          { id: 'yes', label: 'Yes' },
          { id: 'no', label: 'No' },
        ],
      },
    });
    const told = await companion(host, ['ask', 'Deploy?', '--confirm', '--json', ...args]);
    expect([told.code, JSON.parse(told.out)]).toEqual([code, snapshot({ revision: 4, ...end })]);
  });

  it.each([
    ['no host', []],
    ['a refusal', ['p']],
  ])('--confirm is not true with %s', async (_what, paired) => {
    const host = await open(() => ({ error: 'RUNTIME_UNAVAILABLE', details: { reason: 'hidden' } }), paired);
    expect((await companion(host, ['ask', 'Deploy?', '--confirm'])).code).toBeGreaterThan(1);
  });

  it.each([
    ['without a key cancels the question', [], ['requests.create', 'requests.wait', 'requests.cancel']],
    ['with a key leaves it open', ['--idempotency-key', 'k'], ['requests.create', 'requests.wait']],
  ])('interrupted %s', async (_what, args, methods) => {
    let press = () => {};
    const host = await open(({ method }) => {
      if (method !== 'requests.wait') return { result: snapshot() };
      press();
      return 'silence';
    });
    const outcome = await companion(host, ['ask', 'Q', ...CHOICES, ...args], {
      interrupt: (listener) => {
        press = listener;
      },
    });
    expect(outcome).toMatchObject({ code: 130, out: '' });
    expect(host.calls.map(({ method }) => method)).toEqual(methods);
  });

  it.each([
    [[], 'Either --choice'],
    [['--text', '--choice', 'a'], 'Either --choice'],
    [['--confirm', '--text'], 'Either --choice'],
    [['--confirm', ...CHOICES], 'Either --choice'],
    [['--confirm', '--several'], '--several goes with --choice'],
    [['--confirm', '--no-wait'], '--confirm and --no-wait'],
    [[...CHOICES, '--masked'], '--masked goes with --text'],
    [['--text', '--several'], '--several goes with --choice'],
    [[...CHOICES, '--min', '1'], '--min goes with --several'],
    [[...CHOICES, '--several', '--suggest', 'yes'], '--suggest does not go'],
    [[...CHOICES, '--details', 'a', '--details-file', '-'], '--details and --details-file'],
    [[...CHOICES, '--wait', '--no-wait'], '--wait and --no-wait'],
  ])('refuses %j before anything is asked', async (args, message) => {
    const host = await open(() => ({ result: snapshot() }));
    const outcome = await companion(host, ['ask', 'Q', ...args]);
    expect(outcome).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) });
    expect(outcome.err).toMatch(/^companion: INVALID_PARAMS: /);
    expect(host.calls).toEqual([]);
  });
});

describe('waiting', () => {
  const ENDS = [
    [{ status: 'completed', reason: 'displayed' }, 0, null],
    [{ status: 'failed', reason: 'display_failed' }, 5, 'REQUEST_FAILED'],
    [{ status: 'cancelled', reason: 'user_dismissed' }, 6, 'REQUEST_CANCELLED'],
    [{ status: 'expired', reason: 'deadline' }, 6, 'REQUEST_EXPIRED'],
    [{ status: 'running' }, 7, 'WAIT_TIMEOUT'],
  ] as const;
  const LINES = [
    ['requests', 'wait', 'r1', '--wait-ms', '0'],
    ['notify', 'Hi', '--wait=0s', '--json'],
    ['ask', 'Q', ...CHOICES, '--wait=0s', '--json'],
    ['progress', 'start', 'Copy', '--wait=0s', '--json'],
    ['requests', 'create', '--file', '-', '--wait=0s'],
  ];
  it.each(LINES.flatMap((line) => ENDS.map((end) => [line, ...end] as const)))(
    '%j on %j exits %i, the snapshot on stdout and %s on stderr',
    async (line, end, code, error) => {
      const host = await open(endingAs(end));
      const outcome = await companion(host, line, { input: '{"capability":"notice.show","params":{}}' });
      expect(outcome.code).toBe(code);
      expect(JSON.parse(outcome.out)).toEqual(snapshot({ revision: 4, ...end }));
      const told = outcome.err === '' ? null : JSON.parse(outcome.err).error;
      expect(told?.code ?? null).toBe(error);
      if (told) expect(told.details).toMatchObject({ requestId: 'r1', status: end.status });
    },
  );

  it('in words says nothing on stdout and names the code on stderr', async () => {
    const host = await open(endingAs({ status: 'cancelled', reason: 'user_dismissed' }));
    const outcome = await companion(host, ['ask', 'Q', ...CHOICES]);
    expect(outcome).toMatchObject({ code: 6, out: '' });
    expect(outcome.err).toMatch(/^companion: REQUEST_CANCELLED: .*user_dismissed.*\n$/);
  });

  it('for a change succeeds with the change, and times out without one', async () => {
    let unchanged = false;
    const host = await open(() => ({ result: { ...snapshot({ status: 'running', revision: 4 }), unchanged } }));
    const line = ['requests', 'wait', 'r1', '--after-revision', '3', '--wait-ms', '0'];
    expect(await companion(host, line)).toMatchObject({ code: 0, err: '' });
    expect(host.calls[0]?.params).toEqual({ requestId: 'r1', afterRevision: 3, waitMs: 0 });
    unchanged = true;
    const outcome = await companion(host, line);
    expect([outcome.code, JSON.parse(outcome.out).unchanged]).toEqual([7, true]);
  });

  it('names the request when the companion goes away, so that it can be found again', async () => {
    const host = await open(({ method }) =>
      method === 'requests.wait' ? { error: 'UNAUTHENTICATED' } : { result: snapshot() },
    );
    const { code, out } = await companion(host, ['ask', 'Q', ...CHOICES, '--json']);
    expect([code, JSON.parse(out).error]).toEqual([
      3,
      expect.objectContaining({ code: 'UNAUTHENTICATED', details: { requestId: 'r1' } }),
    ]);
  });
});

describe('a command of the protocol', () => {
  it.each<[string[], string, object, string?]>([
    [['runtime', 'describe'], 'runtime.describe', {}],
    [['characters', 'list', '--json'], 'characters.list', {}],
    [['capabilities', 'list'], 'capabilities.list', {}],
    [['capabilities', 'describe', 'notice.show'], 'capabilities.describe', { id: 'notice.show' }],
    [['styles', 'list'], 'styles.list', {}],
    [['requests', 'get', 'r1'], 'requests.get', { requestId: 'r1' }],
    [['requests', 'cancel', 'r1'], 'requests.cancel', { requestId: 'r1' }],
    [
      ['requests', 'cancel', 'r1', '--reason', 'superseded'],
      'requests.cancel',
      { requestId: 'r1', reason: 'superseded' },
    ],
    [
      ['requests', 'update', 'r1', '--file', '-'],
      'requests.update',
      { requestId: 'r1', expectedRevision: 2, params: { percent: 5 } },
      '{"expectedRevision":2,"params":{"percent":5}}',
    ],
    [
      ['requests', 'update', 'r1', '--file', '-', '--expected-revision', '3'],
      'requests.update',
      { requestId: 'r1', expectedRevision: 3, params: { done: true } },
      '{"params":{"done":true}}',
    ],
    [
      ['requests', 'create', '--file', '-'],
      'requests.create',
      { capability: 'notice.show', params: { text: 'Hi' }, idempotencyKey: 'k' },
      '\ufeff{"capability":"notice.show","params":{"text":"Hi"},"idempotencyKey":"k"}',
    ],
  ])('%j calls %s and prints one JSON value', async (args, method, params, input) => {
    const result = { some: 'result', text: 'é' };
    const host = await open(() => ({ result }));
    const outcome = await companion(host, args, { input: input ?? '' });
    expect(outcome).toEqual({ code: 0, out: `${JSON.stringify(result)}\n`, err: '' });
    expect(host.calls.map((call) => [call.method, call.params])).toEqual([[method, params]]);
    expect(host.calls[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(faultsOf(METHODS[method as keyof typeof METHODS].params, params)).toEqual([]);
  });

  it('get succeeds whatever the status', async () => {
    const host = await open(() => ({ result: snapshot({ status: 'failed', reason: 'runtime_restarted' }) }));
    expect((await companion(host, ['requests', 'get', 'r1'])).code).toBe(0);
  });

  it('rpc discover sends no key', async () => {
    const host = await open(() => ({ result: { openrpc: '1' } }));
    expect((await companion(host, ['rpc', 'discover'])).code).toBe(0);
    expect(host.calls[0]?.headers.authorization).toBeUndefined();
  });

  it('runtime describe works before any pairing', async () => {
    const host = await open(() => ({ result: {} }), []);
    expect((await companion(host, ['runtime', 'describe'])).code).toBe(0);
    expect(host.calls[0]?.headers.authorization).toBeUndefined();
  });

  it.each([
    ['NOT_FOUND', 5],
    ['UNAUTHENTICATED', 3],
    ['FORBIDDEN', 3],
    ['UNSUPPORTED_PROTOCOL_VERSION', 4],
    ['INVALID_PARAMS', 2],
    ['QUEUE_FULL', 5],
  ] as const)('prints %s on stdout as JSON and exits %i', async (code, exitCode) => {
    const host = await open(() => ({ error: code, details: { value: 1 } }));
    const outcome = await companion(host, ['requests', 'get', 'r1']);
    expect(outcome).toMatchObject({ code: exitCode, err: '' });
    expect(JSON.parse(outcome.out)).toEqual({
      error: { code, message: expect.any(String), retryable: code === 'QUEUE_FULL', details: { value: 1 } },
    });
  });

  it.each([
    ['requests', 'create'],
    ['requests', 'update', 'r1'],
  ])('%s %s refuses input that is no JSON object, without repeating it', async (...line) => {
    const host = await open(() => ({ result: {} }));
    for (const input of ['', '{', '[]', 'null', '"cmp_secret"', '{"a":NaN}', '{"a":Infinity}']) {
      const outcome = await companion(host, [...line, '--file', '-'], { input });
      expect([outcome.code, JSON.parse(outcome.out).error.code]).toEqual([2, 'INVALID_PARAMS']);
      expect(outcome.out).not.toContain(KEY);
    }
    expect((await companion(host, line)).code).toBe(2);
    expect(host.calls).toEqual([]);
  });
});

describe('the credential profile', () => {
  it('is asked for when there are several, and taken from the option before the environment', async () => {
    const host = await open(() => ({ result: snapshot() }), ['a', 'b']);
    const ambiguous = await companion(host, ['requests', 'get', 'r1']);
    expect([ambiguous.code, JSON.parse(ambiguous.out).error.code]).toEqual([2, 'PROFILE_AMBIGUOUS']);
    expect(host.calls).toEqual([]);
    expect((await companion(host, ['notify', 'Hi'], { env: { COMPANION_PROFILE: 'a' } })).code).toBe(0);
    const env = { COMPANION_PROFILE: 'none' };
    expect((await companion(host, ['notify', 'Hi', '--credential-profile', 'b'], { env })).code).toBe(0);
    expect(await companion(host, ['notify', 'Hi'], { env })).toMatchObject({ code: 3, out: '' });
  });

  it('is needed', async () => {
    const host = await open(() => ({ result: snapshot() }), []);
    const outcome = await companion(host, ['notify', 'Hi']);
    expect(outcome).toMatchObject({ code: 3, out: '', err: expect.stringContaining('CREDENTIAL_MISSING') });
  });
});

describe('pair', () => {
  const PAIRING = {
    pairingId: 'p1',
    pairingSecret: 'hush',
    code: '123456',
    expiresAt: '2026-01-01T00:05:00.000Z',
  };
  const approved = { status: 'approved', key: KEY, clientId: 'c9', name: 'Build Bot', scopes: ['notify'] };
  const approving: FakeHandler = ({ method }, calls) => {
    if (method === 'pairing.request') return { result: PAIRING };
    if (method === 'auth.revokeSelf') return { result: { revoked: true } };
    const waits = calls.filter((call) => call.method === 'pairing.wait').length;
    return { result: waits === 1 ? { status: 'pending' } : approved };
  };
  const LINE = ['pair', '--name', 'Build Bot!', '--scopes', 'discover, notify', '--about', 'Tells about builds.'];

  it('shows the code, waits for the word, keeps the key and prints everything but the key', async () => {
    const host = await open(approving, []);
    const outcome = await companion(host, LINE);
    expect(outcome.code).toBe(0);
    expect(JSON.parse(outcome.out)).toEqual({
      profile: 'build-bot',
      clientId: 'c9',
      name: 'Build Bot',
      scopes: ['notify'],
    });
    expect(outcome.err).toContain('123456');
    expect(outcome.out + outcome.err).not.toMatch(/cmp_secret|hush/);
    const file = join(folderOf(host), 'build-bot.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      key: KEY,
      clientId: 'c9',
      name: 'Build Bot',
      scopes: ['notify'],
      socketPath: host.socketPath,
    });
    expect(host.calls.map((call) => [call.method, call.headers.authorization])).toEqual([
      ['pairing.request', undefined],
      ['pairing.wait', undefined],
      ['pairing.wait', undefined],
    ]);
    expect(host.calls[0]?.params).toEqual({
      name: 'Build Bot!',
      scopes: ['discover', 'notify'],
      about: 'Tells about builds.',
    });
    expect((await companion(host, ['unpair'])).code).toBe(0);
  });

  it('does not touch a profile that exists, unless told to replace it, and then gives the old key back', async () => {
    const host = await open(approving, ['build-bot']);
    expect((await companion(host, LINE)).code).toBe(2);
    expect(host.calls).toEqual([]);
    expect((await companion(host, [...LINE, '--replace'])).code).toBe(0);
    expect(host.calls[0]).toMatchObject({ method: 'auth.revokeSelf', params: {} });
  });

  it.each([
    ['PAIRING_DENIED', 3],
    ['PAIRING_EXPIRED', 3],
    ['NOT_FOUND', 5],
  ] as const)('ends with %s and keeps nothing', async (error, code) => {
    const host = await open(({ method }) => (method === 'pairing.request' ? { result: PAIRING } : { error }), []);
    const outcome = await companion(host, LINE);
    expect([outcome.code, JSON.parse(outcome.out).error.code]).toEqual([code, error]);
    expect(existsSync(join(folderOf(host), 'build-bot.json'))).toBe(false);
  });

  it.each([
    [['pair', '--scopes', 'notify']],
    [['pair', '--name', 'n']],
    [['pair', '--name', 'control', '--scopes', 'notify']],
    [['pair', '--name', 'n', '--scopes', 'notify', '--store', 'cloud']],
    [['pair', '--name', 'n', '--scopes', 'notify', '--credential-profile', '../n']],
  ])('refuses %j before the user is asked', async (line) => {
    const host = await open(approving, []);
    expect((await companion(host, line)).code).toBe(2);
    expect(host.calls).toEqual([]);
  });

  it('keeps the socket it paired through, so that a shell without XDG_RUNTIME_DIR finds it', async () => {
    const host = await open(approving, []);
    const { home } = host;
    mkdirSync(join(home, 'companion'), { mode: 0o700 });
    symlinkSync(host.socketPath, join(home, 'companion', 'companion.sock'));
    const socketPath = join(home, 'companion', 'companion.sock');
    const desktop = { COMPANION_SOCKET: undefined, XDG_RUNTIME_DIR: home };
    expect((await companion(host, LINE, { env: desktop })).code).toBe(0);
    expect(JSON.parse(readFileSync(join(folderOf(host), 'build-bot.json'), 'utf8')).socketPath).toBe(socketPath);
    expect((await companion(host, ['unpair'], { env: { COMPANION_SOCKET: undefined } })).code).toBe(0);
  });

  it('names a profile after its number when the name has no Latin letters', async () => {
    const host = await open(approving, ['program-1']);
    const outcome = await companion(host, ['pair', '--name', '我的脚本', '--scopes', 'notify']);
    expect([outcome.code, JSON.parse(outcome.out).profile]).toEqual([0, 'program-2']);
  });

  it('says what went wrong to the person who waits, too', async () => {
    const host = await open(() => ({ error: 'RUNTIME_UNAVAILABLE', details: { reason: 'access_off' } }), []);
    const { code, out, err } = await companion(host, LINE);
    expect([code, JSON.parse(out).error.code]).toEqual([5, 'RUNTIME_UNAVAILABLE']);
    expect(err).toMatch(/^companion: RUNTIME_UNAVAILABLE: .*\nOutside access is off; /);
  });

  it('tells in its help that --credential-profile is the profile to write', async () => {
    const host = await open(approving, []);
    expect((await companion(host, ['pair', '--help'])).out).toMatch(/--credential-profile NAME +the profile to write/);
  });

  it('keeps the control key under its own profile', async () => {
    const host = await open(approving, []);
    await companion(host, ['pair', '--name', 'Panel', '--scopes', 'vendor.internal.companion.control']);
    expect(existsSync(join(folderOf(host), 'control.json'))).toBe(true);
  });
});

describe('unpair', () => {
  it.each([{ result: { revoked: true } }, { error: 'UNAUTHENTICATED' } as const])(
    'forgets the key once the host does not know it any more: %j',
    async (reply) => {
      const host = await open(() => reply);
      expect(await companion(host, ['unpair'])).toEqual({ code: 0, out: '{"profile":"p","revoked":true}\n', err: '' });
      expect(existsSync(join(folderOf(host), 'p.json'))).toBe(false);
    },
  );

  it('keeps the file when nobody answers, and says so', async () => {
    const host = await open(() => 'cut');
    const outcome = await companion(host, ['unpair']);
    const file = join(folderOf(host), 'p.json');
    expect([outcome.code, JSON.parse(outcome.out).error]).toEqual([
      4,
      expect.objectContaining({ code: 'UNREACHABLE', details: expect.objectContaining({ kept: file }) }),
    ]);
    expect(existsSync(file)).toBe(true);
    expect(outcome.out).not.toContain(KEY);
  });
});

describe('in words, an error', () => {
  it.each([
    ['access_off', "Outside access is off; switch it on in the figure's menu (right click, Access)."],
    ['hidden', 'companion show'],
    ['paused', 'Allow outside requests again'],
    ['overlay_down', 'try again in a moment'],
    ['storage', 'make room'],
  ])('of an unavailable runtime, %s, says what to do', async (reason, advice) => {
    const host = await open(() => ({ error: 'RUNTIME_UNAVAILABLE', details: { reason } }));
    const { code, out, err } = await companion(host, ['notify', 'Hi']);
    expect([code, out]).toEqual([5, '']);
    expect(err).toMatch(/^companion: RUNTIME_UNAVAILABLE: /);
    expect(err.split('\n')[1]).toContain(advice);
    expect((await companion(host, ['notify', 'Hi', '--json'])).err).toBe('');
  });

  it('of nobody listening says how to start a companion', async () => {
    const host = await open(() => 'silence');
    const { code, err } = await companion(host, ['notify', 'Hi'], { env: { COMPANION_SOCKET: '/nowhere/c.sock' } });
    expect(code).toBe(4);
    expect(err).toMatch(/^companion: UNREACHABLE: .*\nStart it with npm start .* companion serve\.\n$/);
  });

  it('of a missing profile shows a pair command with every scope', async () => {
    const host = await open(() => ({ result: {} }), []);
    const { code, err } = await companion(host, ['notify', 'Hi']);
    expect(code).toBe(3);
    expect(err).toContain('companion pair --name NAME --scopes discover,animate,notify,interact');
    expect(err).not.toContain('No companion runs');
  });

  it('of a missing profile where no companion runs says that as well', async () => {
    const host = await open(() => ({ result: {} }), []);
    const { code, err } = await companion(host, ['ask', 'Q', ...CHOICES], { env: { COMPANION_SOCKET: '/nowhere/c' } });
    expect(code).toBe(3);
    expect(err).toMatch(/^companion: CREDENTIAL_MISSING: .*\nNo companion runs here, and no program is paired yet: /);
  });
});

describe('a wrong command line', () => {
  it.each([
    [['frobnicate'], 'companion --help'],
    [['requests'], 'companion requests --help'],
    [['requests', 'eat'], 'companion requests --help'],
    [['notify'], 'companion notify --help'],
    [['notify', 'a', 'b'], 'companion notify --help'],
    [['notify', 'a', '--loud'], 'companion notify --help'],
    [['requests', 'get'], 'companion requests get --help'],
  ])('%j exits 2 and points to help', async (line, help) => {
    const host = await open(() => ({ result: {} }));
    const outcome = await companion(host, [...line, '--json']);
    expect([outcome.code, JSON.parse(outcome.out).error]).toEqual([
      2,
      expect.objectContaining({ code: 'INVALID_PARAMS', details: { help } }),
    ]);
    expect(host.calls).toEqual([]);
  });

  it('never repeats what it was given', async () => {
    const host = await open(() => ({ result: {} }));
    const lines = [[KEY], ['notify', 'a', KEY], ['notify', 'a', `--key=${KEY}`], ['play', KEY]];
    for (const line of lines) {
      const { code, out, err } = await companion(host, line);
      expect([code, out]).toEqual([2, '']);
      expect(err).not.toContain(KEY);
    }
  });

  it('names the animations there are', async () => {
    const host = await open(() => ({ result: {} }));
    expect((await companion(host, ['play', 'dance'])).err).toContain('celebrate');
  });
});

describe('help', () => {
  it('lists every command, and under a noun its own', async () => {
    const host = await open(() => ({ result: {} }));
    const { out } = await companion(host, ['--help']);
    for (const name of COMMAND_NAMES) expect(out).toContain(`companion ${name}`);
    expect((await companion(host, [])).out).toBe(out);
    const { out: under } = await companion(host, ['requests', '--help']);
    expect(under).toContain('companion requests wait');
    expect(under).not.toContain('companion notify');
    expect(out).toContain('--after-revision');
    expect(out).not.toContain('afterRevision');
  });

  it.each(COMMANDS.map((command) => [command.name, command] as const))(
    'of %s names its options and tells what the registry says',
    async (_name, command) => {
      const host = await open(() => ({ result: {} }));
      const { code, out, err } = await companion(host, [...command.name.split(' '), '--help']);
      expect([code, err]).toEqual([0, '']);
      for (const option of Object.keys(command.options)) expect(out).toContain(`--${option}`);
      const { about } = command;
      const said =
        about === null
          ? []
          : 'method' in about
            ? [METHODS[about.method].description]
            : CAPABILITIES.filter(({ id }) => about.capabilities.includes(id)).map(({ description }) => description);
      const flat = out.replaceAll('\n', ' ');
      for (const text of said) expect(flat).toContain(text);
    },
  );

  it('of the version is one line', async () => {
    const host = await open(() => ({ result: {} }));
    expect((await companion(host, ['--version'])).out).toMatch(/^companion \d+\.\d+\.\d+\n$/);
  });
});
