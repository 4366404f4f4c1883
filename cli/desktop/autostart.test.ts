import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { disableAutostart, enableAutostart, readAutostart } from './autostart.ts';
import type { Place } from './autostart-status.ts';
import type { Systemctl } from './systemctl.ts';

let base: string;
let place: Place;
let command: readonly string[];
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'autostart-'));
  place = { configHome: join(base, 'config'), hasDisplay: true };
  for (const name of ['node', 'cli.cjs']) writeFileSync(join(base, name), '');
  chmodSync(join(base, 'node'), 0o755);
  command = [join(base, 'node'), join(base, 'cli.cjs'), 'serve'];
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const unit = () => join(place.configHome, 'systemd', 'user', 'companion.service');
const link = () => join(place.configHome, 'systemd', 'user', 'graphical-session.target.wants', 'companion.service');
const entry = () => join(place.configHome, 'autostart', 'companion.desktop');
const everything = () => readdirSync(base, { recursive: true, encoding: 'utf8' }).sort();

interface Manager {
  readonly systemctl: Systemctl;
  readonly calls: string[];
}

/** A service manager that answers as told; without `state` there is no systemctl. */
function manager(state: string | null, { target = 'active', reloads = true } = {}): Manager {
  const calls: string[] = [];
  const systemctl: Systemctl = (...args) => {
    calls.push(args.join(' '));
    if (state === null) return { ok: false, out: '' };
    if (args[0] === 'is-system-running') return { ok: state === 'running', out: state };
    if (args[0] === 'is-active') return { ok: target === 'active', out: target };
    return { ok: reloads, out: '' };
  };
  return { systemctl, calls };
}

const systemd = () => manager('running').systemctl;
const xdg = () => manager(null).systemctl;

describe('enable', () => {
  it.each(['running', 'degraded', 'starting'])('makes a user service where the manager says %s', (state) => {
    const { systemctl, calls } = manager(state);
    const status = { enabled: true, by: 'systemd', file: unit(), exec: command, repair: null };
    expect(enableAutostart(place, command, systemctl)).toEqual(status);
    expect(readlinkSync(link())).toBe('../companion.service');
    expect(existsSync(entry())).toBe(false);
    expect(calls).toContain('daemon-reload');
    const text = readFileSync(unit(), 'utf8');
    for (const line of ['PartOf', 'After', 'WantedBy']) expect(text).toContain(`\n${line}=graphical-session.target\n`);
    expect(text).toContain(`\nExecStart=${command.join(' ')}\n`);
  });

  it.each([null, 'offline', ''])('makes an autostart entry where systemctl says %j', (state) => {
    const { systemctl, calls } = manager(state);
    const status = { enabled: true, by: 'xdg', file: entry(), exec: command, repair: null };
    expect(enableAutostart(place, command, systemctl)).toEqual(status);
    expect(existsSync(unit())).toBe(false);
    expect(calls).toEqual(['is-system-running']);
  });

  it('makes an autostart entry on a desktop that never reaches the target, and a service when there is no desktop to ask', () => {
    const { systemctl } = manager('running', { target: 'inactive' });
    expect(enableAutostart(place, command, systemctl).by).toBe('xdg');
    expect(enableAutostart({ ...place, hasDisplay: false }, command, systemctl).by).toBe('systemd');
    expect(existsSync(entry())).toBe(false);
  });

  it('run again changes nothing, and mends what points elsewhere', () => {
    for (const systemctl of [systemd(), xdg()]) {
      const first = enableAutostart(place, command, systemctl);
      const before = everything();
      expect(enableAutostart(place, command, systemctl)).toEqual(first);
      expect(everything()).toEqual(before);
      enableAutostart(place, [join(base, 'old'), 'cli.cjs', 'serve'], systemctl);
      expect(readAutostart(place, command).repair).toContain('is gone');
      expect(enableAutostart(place, command, systemctl)).toEqual(first);
    }
  });

  it('takes the one way in place of the other', () => {
    enableAutostart(place, command, xdg());
    enableAutostart(place, command, systemd());
    expect([existsSync(unit()), existsSync(entry())]).toEqual([true, false]);
    enableAutostart(place, command, xdg());
    expect([existsSync(unit()), existsSync(link()), existsSync(entry())]).toEqual([false, false, true]);
  });

  it.each([
    ['unit', unit, systemd],
    ['link', link, systemd],
    ['entry', entry, xdg],
  ])('refuses to put its %s over a file that is not ours', (_what, path, way) => {
    mkdirSync(dirname(path()), { recursive: true });
    writeFileSync(path(), 'mine\n');
    const before = everything();
    expect(() => enableAutostart(place, command, way())).toThrow(expect.objectContaining({ code: 'REFUSED' }));
    expect(readFileSync(path(), 'utf8')).toBe('mine\n');
    expect(everything()).toEqual(before);
    expect(readAutostart(place, command).enabled).toBe(false);
    expect(disableAutostart(place, way())).toEqual([]);
    expect(everything()).toEqual(before);
  });

  it('refuses a unit that somebody has masked or keeps elsewhere', () => {
    mkdirSync(dirname(unit()), { recursive: true });
    symlinkSync('/dev/null', unit());
    expect(() => enableAutostart(place, command, systemd())).toThrow(expect.objectContaining({ code: 'REFUSED' }));
    expect(readlinkSync(unit())).toBe('/dev/null');
    expect(readAutostart(place, command)).toMatchObject({
      enabled: false,
      repair: `${unit()} was not made by companion`,
    });
  });

  it('says so when systemd does not read its files again', () => {
    const { systemctl } = manager('running', { reloads: false });
    expect(() => enableAutostart(place, command, systemctl)).toThrow('daemon-reload');
  });
});

describe('disable', () => {
  it.each([
    ['a service', systemd],
    ['an entry', xdg],
  ])('leaves nothing of %s, no folder either', (_what, way) => {
    const before = everything();
    enableAutostart(place, command, way());
    enableAutostart(place, command, way());
    const removed = disableAutostart(place, way());
    expect(removed.length).toBeGreaterThan(0);
    expect(everything()).toEqual(before);
    expect(readAutostart(place, command)).toMatchObject({ enabled: false, by: null, repair: null });
    expect(disableAutostart(place, way())).toEqual([]);
  });

  it('keeps empty folders that were there before, and full ones', () => {
    mkdirSync(join(place.configHome, 'systemd'), { recursive: true });
    enableAutostart(place, command, systemd());
    disableAutostart(place, systemd());
    expect(everything()).toContain('config/systemd');
    expect(everything()).not.toContain('config/systemd/user');
    enableAutostart(place, command, xdg());
    writeFileSync(join(dirname(entry()), 'other.desktop'), '');
    disableAutostart(place, xdg());
    expect(everything()).toContain('config/autostart/other.desktop');
  });

  it('removes both kinds, and tells systemd', () => {
    enableAutostart(place, command, xdg());
    const text = readFileSync(entry(), 'utf8');
    const { systemctl, calls } = manager('running');
    enableAutostart(place, command, systemctl);
    mkdirSync(dirname(entry()), { recursive: true });
    writeFileSync(entry(), text);
    expect(readAutostart(place, command).repair).toBe('it would be started twice');
    calls.length = 0;
    expect(disableAutostart(place, systemctl)).toEqual([unit(), link(), entry()]);
    expect(calls).toContain('daemon-reload');
  });

  it('keeps a link that leads elsewhere', () => {
    enableAutostart(place, command, systemd());
    rmSync(link());
    symlinkSync('/elsewhere', link());
    expect(disableAutostart(place, systemd())).toEqual([unit()]);
    expect(readlinkSync(link())).toBe('/elsewhere');
  });
});

describe('status', () => {
  it('tells a service that was switched off in systemd', () => {
    enableAutostart(place, command, systemd());
    rmSync(link());
    expect(readAutostart(place, command)).toMatchObject({ enabled: false, by: 'systemd', repair: expect.any(String) });
  });

  it.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false'])('tells an entry that %s switched off', (line) => {
    enableAutostart(place, command, xdg());
    writeFileSync(entry(), `${readFileSync(entry(), 'utf8')}${line}\n`);
    expect(readAutostart(place, command)).toMatchObject({ enabled: false, by: 'xdg', repair: expect.any(String) });
  });

  it.each([
    ['Node is gone', 'node', 'is gone'],
    ['the program is gone', 'cli.cjs', 'is gone'],
  ])('says to mend it when %s', (_what, name, repair) => {
    enableAutostart(place, command, systemd());
    rmSync(join(base, name));
    expect(readAutostart(place, command)).toMatchObject({ enabled: true, repair: expect.stringContaining(repair) });
  });

  it('says to mend it when it starts another installation, or nobody can read what', () => {
    enableAutostart(place, command, systemd());
    expect(readAutostart(place, [...command.slice(0, 1), '/other/cli.cjs', 'serve']).repair).toContain('another');
    writeFileSync(unit(), readFileSync(unit(), 'utf8').replace(/ExecStart=.*/, 'ExecStart="'));
    expect(readAutostart(place, command)).toMatchObject({ exec: null, repair: expect.stringContaining('read') });
  });
});
