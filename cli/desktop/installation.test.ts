import { describe, expect, it } from 'vitest';
import type { Io } from '../io.ts';
import { lastingCommand } from './installation.ts';

const COMMAND = (node: string, cli: string) => [node, cli, 'serve'];
const io = (node: string, cli: string, env: Io['env'] = {}): Io => ({
  env,
  program: () => [node, cli],
  out: () => {},
  err: () => {},
  readInput: async () => '',
  onInterrupt: () => {},
});

describe('lastingCommand', () => {
  it('is what it was given, when that will still be there', () => {
    const command = COMMAND('/usr/bin/node', '/opt/tmp/cli.cjs');
    expect(lastingCommand(io('/usr/bin/node', '/opt/tmp/cli.cjs'), command)).toBe(command);
  });

  it.each([
    ['/tmp/.mount_compXYZ/usr/bin/node', '/opt/cli.cjs', {}],
    ['/run/.mount_compXYZ/usr/bin/node', '/opt/cli.cjs', {}],
    ['/usr/bin/node', '/tmp/companion/cli.cjs', {}],
    ['/usr/bin/node', '/var/tmp/cli.cjs', {}],
    ['/usr/bin/node', '/home/u/scratch/cli.cjs', { TMPDIR: '/home/u/scratch/' }],
  ])('refuses what lies in a temporary place: %s %s %j', (node, cli, env) => {
    expect(() => lastingCommand(io(node, cli, env), COMMAND(node, cli))).toThrow(
      expect.objectContaining({ code: 'REFUSED' }),
    );
  });

  it('refuses a path that cannot be written down', () => {
    expect(() =>
      lastingCommand(io('/usr/bin/node', '/opt/a\nb/cli.cjs'), COMMAND('/usr/bin/node', '/opt/a\nb/cli.cjs')),
    ).toThrow('characters');
  });
});
