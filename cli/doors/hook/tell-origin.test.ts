import { expect, it } from 'vitest';
import { tellOrigin } from './tell-origin.ts';

const stat = (tty: number, name = 'node'): string => `4711 (${name}) S 1 4711 4711 ${tty} 4711 4194304 1 2`;

it('tells terminal, pane, server and window', () => {
  const env = { TMUX_PANE: '%7', TMUX: '/tmp/tmux-1000/work,1234,0', WINDOWID: '29360131', TERM_PROGRAM: 'tmux' };
  expect(tellOrigin(env, stat(34_819))).toEqual({
    tty: 'pts/3',
    tmuxPane: '%7',
    tmuxServer: 'work',
    windowId: '29360131',
    terminal: 'tmux',
  });
});

it.each([
  ['no terminal', {}, stat(0)],
  ['a terminal of another kind', {}, stat(1_025)],
  ['a system that does not tell', {}, ''],
  ['a name with brackets', {}, stat(0, 'a) S 1 1 1 34819')],
  ['values that are none', { TMUX_PANE: '$(id)', WINDOWID: 'x', TERM_PROGRAM: '\u001b[2J', TMUX: '/tmp/a,1,0' }, ''],
  ['a server without a pane', { TMUX: '/tmp/tmux-0/default,1,0' }, ''],
])('tells nothing by %s', (_what, env, line) => {
  expect(tellOrigin(env, line)).toEqual({});
});
