import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endAll } from '../faults/processes.ts';
import { failure, newFolder, only, openShell } from '../faults/shell.ts';
import { enableAccess, press } from '../faults/user.ts';
import { type LaunchedCompanion, launchCompanion, until } from '../harness.ts';

// Pairing, and which key is used: never guessed, never printed, never sent to a place that is not the user's (spec §5, §6, R7, R9).
let companion: LaunchedCompanion;
beforeAll(async () => {
  companion = await launchCompanion();
});
afterAll(async () => {
  await endAll();
  await companion?.stop();
});

describe('before access is on', () => {
  it('pairing is refused', async () => {
    const refused = await openShell(companion).pair('too early');
    expect(failure(refused)).toEqual([5, 'RUNTIME_UNAVAILABLE']);
    await enableAccess(companion.page);
  });
});

describe('pair', () => {
  it('prints who was admitted, shows the same code in both places, and keeps the key in a narrow file', async () => {
    const shell = openShell(companion);
    const pairing = shell.start(
      'pair',
      '--name',
      'Build Bot',
      '--scopes',
      'discover,notify',
      '--about',
      'Tells about builds.',
    );
    await until('the code', () => /Code: \d{6}/.test(pairing.err()));
    const shown = await companion.page.waitForSelector('[data-pairing-id] [data-role="code"]');
    const code = await shown?.evaluate((node) => node.textContent);
    expect(pairing.err()).toContain(`Code: ${code}`);
    await press(companion.page, '[data-pairing-id] [data-action="approve"]');
    expect(await pairing.ended).toBe(0);
    const printed = only(pairing.out());
    expect(printed).toMatchObject({ profile: 'build-bot', name: 'Build Bot', scopes: ['discover', 'notify'] });
    const file = join(shell.credentials, 'build-bot.json');
    const { key } = JSON.parse(readFileSync(file, 'utf8'));
    expect(key).toMatch(/^cmp_[A-Za-z0-9_-]{43}$/);
    expect(pairing.out() + pairing.err()).not.toContain(key);
    expect([statSync(file).mode & 0o777, statSync(shell.credentials).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readdirSync(shell.credentials)).toEqual(['build-bot.json']);
    expect(only((await shell.run('runtime', 'describe')).out).authorization).toMatchObject({ name: 'Build Bot' });
  });

  it('takes what the user has left of the scopes', async () => {
    const shell = openShell(companion);
    const pairing = shell.start('pair', '--name', 'Wants more', '--scopes', 'discover,notify,interact');
    await companion.page.waitForSelector('[data-pairing-id] [data-scope="interact"]');
    await companion.page.click('[data-pairing-id] [data-scope="interact"]');
    await companion.page.waitForSelector('[data-scope="interact"][aria-checked="false"]');
    await press(companion.page, '[data-pairing-id] [data-action="approve"]');
    expect(await pairing.ended).toBe(0);
    expect(only(pairing.out()).scopes).toEqual(['discover', 'notify']);
    expect(failure(await shell.run('ask', 'May I?', '--text', '--json'))).toEqual([3, 'FORBIDDEN']);
  });

  it('that is denied exits 3 and leaves no profile', async () => {
    const shell = openShell(companion);
    const pairing = shell.start('pair', '--name', 'Unwanted', '--scopes', 'notify');
    await press(companion.page, '[data-pairing-id] [data-action="deny"]');
    expect(await pairing.ended).toBe(3);
    expect(only<{ error: { code: string } }>(pairing.out()).error.code).toBe('PAIRING_DENIED');
    expect(readdirSync(shell.credentials)).toEqual([]);
  });

  it('does not replace a profile unasked; with --replace the old key is given back', async () => {
    const shell = openShell(companion);
    await shell.pair('Twice', ['notify']);
    const file = join(shell.credentials, 'twice.json');
    const old = openShell(companion);
    cpSync(join(shell.env.XDG_CONFIG_HOME ?? '', 'companion'), join(old.env.XDG_CONFIG_HOME ?? '', 'companion'), {
      recursive: true,
    });
    const before = readFileSync(file, 'utf8');
    expect(failure(await shell.pair('Twice', ['notify']))).toEqual([2, 'INVALID_PARAMS']);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect((await shell.pair('Twice', ['notify', 'discover'], '--replace')).code).toBe(0);
    expect((await shell.run('characters', 'list')).code).toBe(0);
    expect(failure(await old.run('notify', 'x', '--json'))).toEqual([3, 'UNAUTHENTICATED']);
  });

  it.each([
    ['an unknown scope', ['--name', 'x', '--scopes', 'root']],
    ['no scope', ['--name', 'x']],
    ['the name of the host', ['--name', 'companion', '--scopes', 'notify']],
    ['a profile name that is a path', ['--name', 'x', '--scopes', 'notify', '--credential-profile', '../x']],
  ])('refuses %s with 2', async (_what, args) => {
    expect(failure(await openShell(companion).run('pair', ...args))).toEqual([2, 'INVALID_PARAMS']);
  });
});

describe('unpair', () => {
  it('gives the key back and forgets it', async () => {
    const shell = openShell(companion);
    await shell.pair('Leaves', ['notify']);
    const { code, out } = await shell.run('unpair', '--credential-profile', 'leaves');
    expect([code, only(out)]).toEqual([0, { profile: 'leaves', revoked: true }]);
    expect(existsSync(join(shell.credentials, 'leaves.json'))).toBe(false);
    expect(failure(await shell.run('notify', 'x', '--json'))).toEqual([3, 'CREDENTIAL_MISSING']);
  });

  it('keeps the file while no host can take the key back', async () => {
    const shell = openShell(companion);
    await shell.pair('Stays', ['notify']);
    const away = openShell(companion, {
      XDG_CONFIG_HOME: shell.env.XDG_CONFIG_HOME ?? '',
      COMPANION_SOCKET: join(newFolder(companion, 'away', 0o700), 's'),
    });
    expect(failure(await away.run('unpair'))).toEqual([4, 'UNREACHABLE']);
    expect((await shell.run('notify', 'Still here')).code).toBe(0);
  });
});

describe('the choice of a profile', () => {
  it('is never a guess: the only one, or the named one', async () => {
    const shell = openShell(companion);
    await shell.pair('First', ['discover']);
    expect((await shell.run('styles', 'list')).code).toBe(0);
    await shell.pair('Second', ['discover', 'notify']);
    const ambiguous = await shell.run('styles', 'list');
    expect(failure(ambiguous)).toEqual([2, 'PROFILE_AMBIGUOUS']);
    expect(only<{ error: { details: unknown } }>(ambiguous.out).error.details).toEqual({
      profiles: ['first', 'second'],
    });
    const named = await shell.run('runtime', 'describe', '--credential-profile', 'second');
    expect(only(named.out).authorization).toMatchObject({ name: 'Second' });
    const env = openShell(companion, { XDG_CONFIG_HOME: shell.env.XDG_CONFIG_HOME ?? '', COMPANION_PROFILE: 'first' });
    expect(only((await env.run('runtime', 'describe')).out).authorization).toMatchObject({ name: 'First' });
    expect(failure(await shell.run('styles', 'list', '--credential-profile', 'third'))).toEqual([
      3,
      'CREDENTIAL_MISSING',
    ]);
  });

  it('never falls on the control profile', async () => {
    const shell = openShell(companion);
    const paired = await shell.pair('Switches', ['vendor.internal.companion.control']);
    expect([paired.code, only(paired.out).profile]).toEqual([0, 'control']);
    expect(failure(await shell.run('notify', 'x', '--json'))).toEqual([3, 'CREDENTIAL_MISSING']);
    await shell.pair('Ordinary', ['notify']);
    expect((await shell.run('notify', 'Not ambiguous')).code).toBe(0);
    const mixed = await openShell(companion).run(
      'pair',
      '--name',
      'mixed',
      '--scopes',
      'notify,vendor.internal.companion.control',
    );
    expect(failure(mixed)).toEqual([2, 'INVALID_PARAMS']);
  });

  it('refuses a file that others may read, and a link', async () => {
    const shell = openShell(companion);
    await shell.pair('Wide', ['notify']);
    const file = join(shell.credentials, 'wide.json');
    chmodSync(file, 0o644);
    expect(failure(await shell.run('notify', 'x', '--json'))).toEqual([3, 'CREDENTIAL_UNSAFE']);
    chmodSync(file, 0o600);
    expect((await shell.run('notify', 'Narrow again')).code).toBe(0);
    renameSync(file, join(shell.credentials, 'elsewhere'));
    symlinkSync('elsewhere', file);
    expect(failure(await shell.run('notify', 'x', '--json'))).toEqual([3, 'CREDENTIAL_UNSAFE']);
  });

  it('sends no key to a socket that others could have put there', async () => {
    const shell = openShell(companion);
    await shell.pair('Careful', ['notify']);
    const folder = newFolder(companion, 'wide', 0o700);
    let heard = '';
    const server = createServer((socket) => socket.on('data', (chunk) => (heard += chunk)).on('error', () => {}));
    await new Promise<void>((resolve) => server.listen(join(folder, 's'), resolve));
    chmodSync(folder, 0o755);
    const elsewhere = openShell(companion, {
      XDG_CONFIG_HOME: shell.env.XDG_CONFIG_HOME ?? '',
      COMPANION_SOCKET: join(folder, 's'),
    });
    expect(failure(await elsewhere.run('notify', 'x', '--json'))).toEqual([3, 'CREDENTIAL_UNSAFE']);
    expect(heard).toBe('');
    await new Promise((resolve) => server.close(resolve));
  });
});
