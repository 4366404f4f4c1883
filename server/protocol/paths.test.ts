import { describe, expect, it } from 'vitest';
import { resolvePaths } from './paths.ts';

describe('resolvePaths', () => {
  it('follows the XDG defaults below HOME and keeps the socket with the state when there is no runtime folder', () => {
    expect(resolvePaths({ HOME: '/home/ann' })).toEqual({
      socketPath: '/home/ann/.local/state/companion/run/companion.sock',
      runtimeFolder: '/home/ann/.local/state/companion/run',
      stateFolder: '/home/ann/.local/state/companion',
      configFolder: '/home/ann/.config/companion',
      credentialsFolder: '/home/ann/.config/companion/credentials',
      dataFolder: '/home/ann/.local/share/companion',
    });
  });

  it('takes each XDG variable that is set', () => {
    expect(
      resolvePaths({
        HOME: '/home/ann',
        XDG_RUNTIME_DIR: '/run/user/1000',
        XDG_STATE_HOME: '/s',
        XDG_CONFIG_HOME: '/c',
        XDG_DATA_HOME: '/d',
      }),
    ).toEqual({
      socketPath: '/run/user/1000/companion/companion.sock',
      runtimeFolder: '/run/user/1000/companion',
      stateFolder: '/s/companion',
      configFolder: '/c/companion',
      credentialsFolder: '/c/companion/credentials',
      dataFolder: '/d/companion',
    });
  });

  it.each(['', 'relative/state'])('ignores an XDG variable that is no absolute path: "%s"', (value) => {
    expect(resolvePaths({ HOME: '/home/ann', XDG_STATE_HOME: value }).stateFolder).toBe(
      '/home/ann/.local/state/companion',
    );
  });

  it('lets COMPANION_SOCKET move the socket and its folder', () => {
    const paths = resolvePaths({ HOME: '/home/ann', XDG_RUNTIME_DIR: '/run/user/1000', COMPANION_SOCKET: '/x/y.sock' });
    expect([paths.socketPath, paths.runtimeFolder]).toEqual(['/x/y.sock', '/x']);
  });
});
