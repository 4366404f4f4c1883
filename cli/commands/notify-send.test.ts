import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../server/protocol/snapshot.ts';
import { type FakeHandler, type FakeHost, snapshot, startFakeHost } from '../client/fake-host.ts';
import type { Io } from '../io.ts';
import { writeCredential } from '../profiles.ts';
import { run } from '../run.ts';

const hosts: FakeHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop();
});

async function open(handler: FakeHandler): Promise<FakeHost> {
  const host = await startFakeHost(handler);
  hosts.push(host);
  const credential = { key: 'cmp_secret', clientId: 'c', name: 'p', scopes: ['notify'] };
  writeCredential(join(host.home, '.config', 'companion', 'credentials'), 'p', credential);
  return host;
}

/** Each create gets a request of its own; waiting for it tells `end`. */
const ending = (end: Partial<Snapshot> = { status: 'completed', reason: 'displayed' }): FakeHandler => {
  let created = 0;
  return ({ method, params }) => {
    if (method === 'requests.create') {
      created += 1;
      return { result: snapshot({ requestId: `r${created}` }) };
    }
    const requestId = String(params.requestId);
    return { result: { ...snapshot({ requestId, revision: 4, ...end }), unchanged: false } };
  };
};

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function notifySend(
  host: FakeHost,
  args: readonly string[],
  { env = {}, interrupt }: { env?: object; interrupt?: (press: () => void) => void } = {},
): Promise<Outcome> {
  const said = { out: '', err: '' };
  const io: Io = {
    env: { ...host.env, ...env },
    program: () => ['/opt/node/bin/node', '/opt/companion/dist/cli.cjs'],
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    readInput: async () => '',
    onInterrupt: (listener) => interrupt?.(listener),
  };
  const code = await run(['notify-send', ...args], io);
  return { code, ...said };
}

const methods = (host: FakeHost) => host.calls.map(({ method }) => method);

describe('notify-send', () => {
  it('shows a notice, prints nothing and waits for nothing', async () => {
    const host = await open(ending());
    expect(await notifySend(host, ['-a', 'Mail', 'Sum', '<b>Body</b>'])).toEqual({ code: 0, out: '', err: '' });
    expect(methods(host)).toEqual(['requests.create']);
    expect(host.calls[0]?.params).toMatchObject({ params: { title: 'Mail: Sum', text: 'Body' } });
  });

  it('prints numbers that replace what has them, also one that the script has chosen', async () => {
    const host = await open(ending());
    expect((await notifySend(host, ['-p', 'a'])).out).toBe('1\n');
    expect((await notifySend(host, ['-p', 'b'])).out).toBe('2\n');
    expect((await notifySend(host, ['-p', '-r', '1', 'c'])).out).toBe('1\n');
    expect((await notifySend(host, ['-r', '9999', 'd'])).out).toBe('');
    expect((await notifySend(host, ['-r', '9999', 'e'])).out).toBe('');
    const cancelled = host.calls.filter(({ method }) => method === 'requests.cancel').map(({ params }) => params);
    expect(cancelled).toEqual([
      { requestId: 'r1', reason: 'superseded' },
      { requestId: 'r4', reason: 'superseded' },
    ]);
  });

  it.each<[Partial<Snapshot>, string]>([
    [{ status: 'completed', reason: 'user_answered', result: { selectedId: 'action-0' } }, 'yes\n'],
    [{ status: 'completed', reason: 'user_answered', result: { selectedId: 'action-1' } }, '1\n'],
    [{ status: 'cancelled', reason: 'user_dismissed' }, ''],
    [{ status: 'expired', reason: 'deadline' }, ''],
    [{ status: 'cancelled', reason: 'hidden' }, ''],
  ])('with actions waits and prints the name of the one picked: %j', async (end, out) => {
    const host = await open(ending(end));
    expect(await notifySend(host, ['-A', 'yes=Yes', '-A', 'No', 's'])).toEqual({ code: 0, out, err: '' });
  });

  it('prints the number before it waits', async () => {
    const host = await open(ending({ status: 'completed', result: { selectedId: 'action-0' } as never }));
    expect((await notifySend(host, ['-p', '-A', 'yes=Yes', 's'])).out).toBe('1\nyes\n');
  });

  it('waits for the end of a notice when it is told to', async () => {
    const host = await open(ending());
    expect(await notifySend(host, ['-w', 's'])).toEqual({ code: 0, out: '', err: '' });
    expect(methods(host)).toEqual(['requests.create', 'requests.wait']);
  });

  it('interrupted while it waits takes the notification away', async () => {
    let press = () => {};
    const host = await open(({ method }) => {
      if (method !== 'requests.wait') return { result: snapshot() };
      press();
      return 'silence';
    });
    const interrupt = (listener: () => void): void => {
      press = listener;
    };
    expect(await notifySend(host, ['-A', 'yes=Yes', 's'], { interrupt })).toMatchObject({ code: 130, out: '' });
    expect(methods(host)).toEqual(['requests.create', 'requests.wait', 'requests.cancel']);
  });

  it.each<[string, FakeHandler, object, string]>([
    ['nobody listens', ending(), { COMPANION_SOCKET: '/nowhere/c.sock' }, 'UNREACHABLE'],
    ['the companion refuses', () => ({ error: 'RUNTIME_UNAVAILABLE', details: { reason: 'hidden' } }), {}, 'hotkey'],
    ['there is no key', ending(), { COMPANION_PROFILE: 'q' }, 'CREDENTIAL_MISSING'],
    ['the host broke off', ending({ status: 'failed', reason: 'runtime_restarted' }), {}, 'REQUEST_FAILED'],
  ])('says so and ends with 1 when %s', async (_what, handler, env, said) => {
    const host = await open(handler);
    const outcome = await notifySend(host, ['-w', 'secret text'], { env });
    expect(outcome).toMatchObject({ code: 1, out: '', err: expect.stringContaining(said) });
    expect(outcome.err).not.toContain('secret');
  });

  it('refuses a wrong line with 1, and repeats nothing of it', async () => {
    const host = await open(ending());
    const outcome = await notifySend(host, ['--bogus=secret', 's']);
    expect(outcome).toMatchObject({ code: 1, out: '', err: expect.stringContaining('no such option') });
    expect(outcome.err).not.toContain('secret');
    expect(host.calls).toEqual([]);
  });

  it('tells the version it follows, and its help', async () => {
    const host = await open(ending());
    expect((await notifySend(host, ['--version'])).out).toMatch(/^notify-send \d+\.\d+\.\d+ \(companion /);
    expect((await notifySend(host, ['-?'])).out).toContain('-u, --urgency low|normal|critical');
  });
});
