import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { CONTROL_SCOPE } from '../../server/protocol/words.ts';
import { METHODS } from '../../server/registry/catalog.ts';
import { faultsOf } from '../../server/registry/validate.ts';
import { type FakeHost, type FakeReply, startFakeHost } from '../client/fake-host.ts';
import { writeCredential } from '../profiles.ts';
import { run } from '../run.ts';

const SWITCHES = { hidden: false, paused: false, doNotDisturb: false };

let host: FakeHost;
afterEach(() => host.stop());

/** A host that answers with `reply`; each of `paired` is a profile with those scopes. */
async function open(reply: FakeReply, paired: Readonly<Record<string, readonly string[]>>): Promise<void> {
  host = await startFakeHost(() => reply);
  const folder = join(host.home, '.config', 'companion', 'credentials');
  for (const [profile, scopes] of Object.entries(paired))
    writeCredential(folder, profile, { key: `cmp_${profile}`, clientId: 'c', name: profile, scopes });
}

async function companion(
  args: readonly string[],
  env: object = {},
): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' };
  const code = await run(args, {
    env: { ...host.env, ...env },
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    readInput: async () => '',
    program: () => ['/nowhere/node', '/nowhere/cli.cjs'],
    onInterrupt: () => {},
  });
  return { code, ...said };
}

const PAIRED = { control: [CONTROL_SCOPE], program: ['notify'] };

it.each([
  ['show', { action: 'show' }, {}, 'The figure is shown.'],
  ['hide', { action: 'hide' }, { hidden: true }, 'The figure is hidden.'],
  ['pause', { action: 'pause' }, { paused: true }, 'Requests of programs are paused.'],
  ['resume', { action: 'resume' }, {}, 'Requests of programs are allowed.'],
  ['dnd on', { action: 'dnd', on: true }, { doNotDisturb: true }, 'Do not disturb is on.'],
  ['dnd off', { action: 'dnd', on: false }, {}, 'Do not disturb is off.'],
])('%s uses the control profile and says in one line how things stand', async (line, params, changed, said) => {
  const result = { ...SWITCHES, ...changed };
  await open({ result }, PAIRED);
  const args = line.split(' ');
  expect(await companion(args)).toEqual({ code: 0, out: `${said}\n`, err: '' });
  expect(await companion([...args, '--json'])).toEqual({ code: 0, out: `${JSON.stringify(result)}\n`, err: '' });
  expect(host.calls.map((call) => [call.method, call.params])).toEqual([
    [CONTROL_SCOPE, params],
    [CONTROL_SCOPE, params],
  ]);
  expect(host.calls[0]?.headers.authorization).toBe('Bearer cmp_control');
  expect(faultsOf(METHODS[CONTROL_SCOPE].params, params)).toEqual([]);
});

it('takes another profile only from its option, never a program’s from the environment', async () => {
  await open({ result: SWITCHES }, { ...PAIRED, panel: [CONTROL_SCOPE] });
  expect((await companion(['show'], { COMPANION_PROFILE: 'program' })).code).toBe(0);
  expect((await companion(['show', '--credential-profile', 'panel'])).code).toBe(0);
  expect(host.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer cmp_control', 'Bearer cmp_panel']);
});

it.each([
  ['control', ['hide']],
  ['panel', ['dnd', 'on', '--credential-profile', 'panel']],
])('without the profile %s tells how to pair it, and uses no other', async (profile, args) => {
  await open({ result: SWITCHES }, { program: ['notify'] });
  const line = `companion pair --name "My control" --scopes ${CONTROL_SCOPE} --credential-profile ${profile}`;
  const plain = await companion(args);
  expect([plain.code, plain.out]).toEqual([3, '']);
  expect(plain.err).toContain('companion: CREDENTIAL_MISSING: ');
  expect(plain.err).toContain(line);
  const { error } = JSON.parse((await companion([...args, '--json'])).out);
  expect(error).toMatchObject({ code: 'CREDENTIAL_MISSING', details: { profile } });
  expect(error.message).toContain(line);
  expect(host.calls).toEqual([]);
});

it('says what the host says when the key may not', async () => {
  await open({ error: 'FORBIDDEN', details: { requiredScopes: [CONTROL_SCOPE] } }, PAIRED);
  const { code, err } = await companion(['show', '--credential-profile', 'program']);
  expect(code).toBe(3);
  expect(err).toContain('companion: FORBIDDEN: ');
});

it.each([['dnd'], ['dnd', 'maybe'], ['dnd', 'on', 'off'], ['show', 'me'], ['show', '--on']].map((args) => [args]))(
  '%j is a wrong call and reaches nobody',
  async (args) => {
    await open({ result: SWITCHES }, PAIRED);
    expect((await companion(args)).code).toBe(2);
    expect(host.calls).toEqual([]);
  },
);

const keys = () => host.calls.map(({ headers }) => headers.authorization);

it('of other commands, none takes a control key because there is no other', async () => {
  await open({ result: {} }, { control: [CONTROL_SCOPE], panel: [CONTROL_SCOPE] });
  expect((await companion(['notify', 'Hi'])).code).toBe(3);
  expect((await companion(['unpair'])).code).toBe(3);
  expect((await companion(['runtime', 'describe'])).code).toBe(0);
  expect(new Set(keys())).toEqual(new Set([undefined]));
});

it('of other commands, none finds a control key in the way of the only other', async () => {
  await open({ result: {} }, PAIRED);
  expect((await companion(['styles', 'list'])).code).toBe(0);
  expect((await companion(['runtime', 'describe'])).code).toBe(0);
  expect(keys()).toEqual(['Bearer cmp_program', 'Bearer cmp_program']);
});
