import { describe, expect, it } from 'vitest';
import { LINK_BINDING, LINK_RECEIVE } from '../server/protocol/link.ts';
import { WINDOW_BINDING } from '../server/protocol/window.ts';
import { openLink } from './link.ts';

describe('the link', () => {
  it('keeps what is sent before the binding is there, in order', () => {
    const door: Record<string, unknown> = {};
    const out: string[] = [];
    const { send } = openLink(door, () => undefined);
    send({ type: 'leaf' });
    send({ type: 'pong', n: 1 });
    door[LINK_BINDING] = (text: string) => out.push(text);
    send({ type: 'leaf' });
    expect(out.map((text) => JSON.parse(text).type)).toEqual(['leaf', 'pong', 'leaf']);
  });

  it('lets waiting messages go when the host speaks first', () => {
    const door: Record<string, unknown> = {};
    const out: string[] = [];
    const heard: string[] = [];
    openLink(door, ({ type }) => heard.push(type)).send({ type: 'leaf' });
    door[LINK_BINDING] = (text: string) => out.push(text);
    (door[LINK_RECEIVE] as (message: object) => void)({ type: 'ping', n: 1 });
    expect(out).toHaveLength(1);
    expect(heard).toEqual(['ping']);
  });

  it('takes what is for the window another way', () => {
    const door: Record<string, unknown> = {};
    const out: string[] = [];
    const { toWindow } = openLink(door, () => undefined);
    toWindow({ type: 'drag', phase: 'start', x: 1, y: 1 });
    door[LINK_BINDING] = () => out.push('host');
    door[WINDOW_BINDING] = (text: string) => out.push(text);
    toWindow({ type: 'drag', phase: 'end', x: 1, y: 1 });
    expect(out.map((text) => JSON.parse(text).phase)).toEqual(['start', 'end']);
  });
});
