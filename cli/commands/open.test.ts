import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type FakeHandler, type FakeHost, startFakeHost } from '../client/fake-host.ts';
import { writeCredential } from '../profiles.ts';
import { run } from '../run.ts';

const hosts: FakeHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop();
});

/** Runs `companion open` beside a host that is in this state; `paired`: with the user's own switches. */
async function open(reason: string | null, paired: boolean, control: FakeHandler = () => ({ result: {} })) {
  const host = await startFakeHost((call, calls) =>
    call.method === 'runtime.describe' ? { result: { accepting: { reason } } } : control(call, calls),
  );
  hosts.push(host);
  const folder = join(host.home, '.config', 'companion', 'credentials');
  const scopes = ['vendor.internal.companion.control'];
  if (paired) writeCredential(folder, 'control', { key: 'cmp_secret', clientId: 'c', name: 'Launcher', scopes });
  const said = { out: '', err: '' };
  const code = await run(['open', '--json'], {
    env: host.env,
    program: () => ['/nowhere/node', '/nowhere/cli.cjs'],
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    readInput: async () => '',
    onInterrupt: () => {},
  });
  return { code, json: JSON.parse(said.out), calls: host.calls.filter(({ method }) => method !== 'runtime.describe') };
}

describe('open, with a companion running', () => {
  it.each([null, 'hidden', 'access_off'])('shows the figure with the key for that (%s)', async (reason) => {
    const { code, json, calls } = await open(reason, true);
    expect([code, json]).toEqual([0, { started: false, shown: true }]);
    expect(calls.map(({ method, params }) => [method, params])).toEqual([
      ['vendor.internal.companion.control', { action: 'show' }],
    ]);
    expect(calls[0]?.headers.authorization).toBe('Bearer cmp_secret');
  });

  it('without such a key leaves a hidden figure alone and says how to get one', async () => {
    const { code, json, calls } = await open('hidden', false);
    expect([code, json.error.code]).toEqual([3, 'CREDENTIAL_MISSING']);
    expect(json.error.message).toContain(
      'companion pair --name "My control" --scopes vendor.internal.companion.control',
    );
    expect(calls).toEqual([]);
  });

  it.each([null, 'paused', 'access_off'])(
    'has nothing to do where the figure is not known to be hidden (%s)',
    async (reason) => {
      expect(await open(reason, false)).toEqual({ code: 0, json: { started: false, shown: false }, calls: [] });
    },
  );

  it('passes on what is said against its key', async () => {
    const { code, json } = await open(null, true, () => ({ error: 'UNAUTHENTICATED' }));
    expect([code, json.error.code]).toEqual([3, 'UNAUTHENTICATED']);
  });
});
