import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../server/protocol/errors.ts';
import type { Snapshot } from '../../../server/protocol/snapshot.ts';
import { connect } from '../../client/client.ts';
import { type FakeHandler, type FakeHost, snapshot, startFakeHost } from '../../client/fake-host.ts';
import { findNdjson } from '../catalog.ts';
import { type FakeSession, startSession } from '../testing.ts';

const hosts: FakeHost[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Runs `interaction.choose` against a host that does as `handler` says. */
async function ask(handler: FakeHandler): Promise<{ host: FakeHost; session: FakeSession }> {
  const host = await startFakeHost(handler);
  hosts.push(host);
  const session = await startSession(findNdjson('interaction.choose')!, {
    params: { title: 'Go?' },
    connect: () => connect({ socketPath: host.socketPath, key: 'cmp_secret' }),
    env: host.env,
  });
  return { host, session };
}

/** A host that accepts and then says each of `states`. */
const saying = (...states: Partial<Snapshot>[]): FakeHandler => {
  let revision = 1;
  return ({ method }) => {
    if (method !== 'requests.wait') return { result: snapshot() };
    revision += 1;
    return { result: { ...snapshot({ revision, ...(states.shift() ?? {}) }), unchanged: false } };
  };
};

describe('a capability of the protocol', () => {
  it('sends its parameters, tells how it goes, and gives the answer as its data', async () => {
    const { host, session } = await ask(
      saying(
        { status: 'running' },
        { status: 'awaiting_user' },
        { status: 'completed', reason: 'user_answered', result: { selectedId: 'yes' } },
      ),
    );
    expect(await session.exitCode).toBe(0);
    expect(host.calls[0]).toMatchObject({
      method: 'requests.create',
      params: { capability: 'interaction.choose', params: { title: 'Go?' } },
      headers: { authorization: 'Bearer cmp_secret' },
    });
    expect(session.of('data')).toMatchObject([{ dataKind: 'request', payload: { requestId: 'r1' } }]);
    expect(session.of('progress').map(({ phase, percent }) => [phase, percent])).toEqual([
      ['queued', -1],
      ['running', -1],
      ['awaiting_user', -1],
    ]);
    expect(session.of('result')).toEqual([{ kind: 'result', exitCode: 0, data: { selectedId: 'yes' } }]);
  });

  it('has no data when it has no answer', async () => {
    const { session } = await ask(saying({ status: 'completed', reason: 'clip_ended' }));
    expect(await session.exitCode).toBe(0);
    expect(session.of('result')).toEqual([{ kind: 'result', exitCode: 0 }]);
  });

  it('tells what the user pressed, once for each press', async () => {
    const at = '2026-01-01T00:00:00.000Z';
    const pause = { action: 'pause', seq: 1, at } as const;
    const { session } = await ask(
      saying(
        { status: 'running', control: pause },
        { status: 'running', control: pause },
        { status: 'running', control: { ...pause, action: 'resume', seq: 2 } },
        { status: 'cancelled', reason: 'user_dismissed' },
      ),
    );
    expect(await session.exitCode).toBe(130);
    expect(session.of('data').slice(1)).toEqual([
      { kind: 'data', dataKind: 'control', payload: pause },
      { kind: 'data', dataKind: 'control', payload: { action: 'resume', seq: 2, at } },
    ]);
  });

  it.each([
    ['cancelled', 'user_dismissed', 'E_CANCELLED', 130],
    ['cancelled', 'user_declined', 'E_CANCELLED', 130],
    ['expired', 'deadline', 'E_CANCELLED', 130],
    ['failed', 'display_failed', 'E_INTERNAL', 1],
  ] as const)('%s by %s is %s', async (status, reason, code, exitCode) => {
    const { session } = await ask(saying({ status, reason }));
    expect(await session.exitCode).toBe(exitCode);
    expect(session.of('error')).toMatchObject([{ code, recoverable: false }]);
    expect(session.of('result')).toEqual([{ kind: 'result', exitCode, data: { reason } }]);
  });

  it.each<[ErrorCode, string, number]>([
    ['INVALID_PARAMS', 'E_INVALID_INPUT', 1],
    ['UNSUPPORTED_CAPABILITY', 'E_INVALID_INPUT', 1],
    ['UNSUPPORTED_STYLE', 'E_INVALID_INPUT', 1],
    ['UNAUTHENTICATED', 'E_PERMISSION', 1],
    ['FORBIDDEN', 'E_PERMISSION', 1],
    ['RUNTIME_UNAVAILABLE', 'E_PERMISSION', 2],
    ['QUEUE_FULL', 'E_PERMISSION', 2],
    ['RATE_LIMITED', 'E_PERMISSION', 2],
    ['INTERNAL_ERROR', 'E_INTERNAL', 1],
  ])('refused with %s is %s and %i', async (refusal, code, exitCode) => {
    const { session } = await ask(() => ({ error: refusal }));
    expect(await session.exitCode).toBe(exitCode);
    expect(session.of('error')).toMatchObject([{ code, message: expect.stringContaining(refusal) }]);
  });

  it('without a host is E_NETWORK, with and without a profile', async () => {
    const home = mkdtempSync(join(tmpdir(), 'companion-alone-'));
    folders.push(home);
    const env = { HOME: home, COMPANION_SOCKET: join(home, 'none.sock') };
    for (const key of ['cmp_secret', undefined]) {
      const session = await startSession(findNdjson('notice.show')!, {
        params: { text: 'Hi' },
        connect: () => connect({ env, ...(key !== undefined && { key }) }),
        env,
      });
      expect(await session.exitCode).toBe(1);
      expect(session.of('error')).toMatchObject([{ code: 'E_NETWORK' }]);
    }
  });

  it('is taken back by a cancel, and ends when the host says so', async () => {
    let endIt = (): void => {};
    const ended = new Promise<void>((resolve) => {
      endIt = resolve;
    });
    let reach = (): void => {};
    const reached = new Promise<void>((resolve) => {
      reach = resolve;
    });
    const { host, session } = await ask(async ({ method }) => {
      if (method === 'requests.create') return { result: snapshot({ status: 'awaiting_user' }) };
      if (method === 'requests.cancel') {
        endIt();
        return { result: snapshot({ status: 'cancelled', reason: 'client_cancelled', revision: 2 }) };
      }
      reach();
      await ended;
      return {
        result: { ...snapshot({ status: 'cancelled', reason: 'client_cancelled', revision: 2 }), unchanged: false },
      };
    });
    await reached;
    await session.send({ action: 'pause' });
    expect(session.of('log')).toMatchObject([{ level: 'warn' }]);
    await session.send({ action: 'cancel' });
    expect(await session.exitCode).toBe(130);
    expect(host.calls.map(({ method }) => method)).toContain('requests.cancel');
    expect(session.of('result')).toEqual([{ kind: 'result', exitCode: 130, data: { reason: 'client_cancelled' } }]);
  });

  it('that was answered before the cancel came has its answer', async () => {
    let endIt = (): void => {};
    const ended = new Promise<void>((resolve) => {
      endIt = resolve;
    });
    const answered = { status: 'completed', reason: 'user_answered', result: { selectedId: 'no' } } as const;
    const { session } = await ask(async ({ method }) => {
      if (method === 'requests.create') return { result: snapshot({ status: 'awaiting_user' }) };
      if (method === 'requests.cancel') {
        endIt();
        return { result: snapshot({ ...answered, revision: 2 }) };
      }
      await ended;
      return { result: { ...snapshot({ ...answered, revision: 2 }), unchanged: false } };
    });
    await session.send({ action: 'cancel' });
    expect(await session.exitCode).toBe(0);
    expect(session.of('result')).toMatchObject([{ data: { selectedId: 'no' } }]);
  });
});
