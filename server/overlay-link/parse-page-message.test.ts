import { describe, expect, it } from 'vitest';
import type { PageMessage } from '../protocol/link.ts';
import { parsePageMessage } from './parse-page-message.ts';

const GOOD: readonly PageMessage[] = [
  { type: 'ready', systemReducedMotion: true },
  { type: 'systemReducedMotion', on: false },
  { type: 'painted', seq: 3, requestIds: ['a', 'b'] },
  { type: 'answer', requestId: 'a', result: { selectedId: 'yes' } },
  { type: 'decline', requestId: 'a' },
  { type: 'dismiss', requestId: 'a' },
  { type: 'control', requestId: 'a', action: 'pause' },
  { type: 'clipEnded', requestId: 'a' },
  { type: 'hold', requestId: null },
  { type: 'hold', requestId: 'a' },
  { type: 'leaf' },
  { type: 'approve', pairingId: 'p', name: 'n', scopes: ['notify'] },
  { type: 'deny', pairingId: 'p' },
  { type: 'settings', patch: { access: true, sizePercent: 150, language: 'zh-CN', reduceMotion: null } },
  { type: 'settings', patch: { fullScreen: 'notices-only', sounds: true } },
  { type: 'settings', patch: {} },
  { type: 'open', page: 'answers' },
  { type: 'rename', clientId: 'c', name: 'n' },
  { type: 'revoke', clientId: 'c' },
  { type: 'erase', clientId: null },
  { type: 'trouble', where: 'main.tsx:3' },
  { type: 'pong', n: 0 },
];

describe('a message of the page', () => {
  it.each(GOOD)('$type is read as it was written', (message) => {
    expect(parsePageMessage(JSON.stringify(message))).toEqual(message);
  });

  it.each(GOOD)('$type with a surplus field is none', (message) => {
    expect(parsePageMessage(JSON.stringify({ ...message, surplus: 1 }))).toBeNull();
  });

  it.each(GOOD.filter((message) => Object.keys(message).length > 1))('$type without its fields is none', ({ type }) => {
    expect(parsePageMessage(JSON.stringify({ type }))).toBeNull();
  });
});

describe('anything else is none', () => {
  it.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['null', 'null'],
    ['an unknown type', '{"type":"eval"}'],
    ['a type of the prototype', '{"type":"constructor"}'],
    ['an ID that is too long', JSON.stringify({ type: 'dismiss', requestId: 'x'.repeat(65) })],
    ['an empty ID', '{"type":"dismiss","requestId":""}'],
    ['an answer that is a list', '{"type":"answer","requestId":"a","result":[]}'],
    [
      'an answer that is too long',
      JSON.stringify({ type: 'answer', requestId: 'a', result: { t: 'x'.repeat(33_000) } }),
    ],
    ['an unknown control', '{"type":"control","requestId":"a","action":"kill"}'],
    ['an unknown scope', '{"type":"approve","pairingId":"p","name":"n","scopes":["all"]}'],
    ['an unknown setting', '{"type":"settings","patch":{"armMs":0}}'],
    ['a setting of the prototype', '{"type":"settings","patch":{"__proto__":1}}'],
    ['a setting out of bounds', '{"type":"settings","patch":{"sizePercent":5000}}'],
    ['an unknown full-screen policy', '{"type":"settings","patch":{"fullScreen":"minimise"}}'],
    ['sounds that are no yes or no', '{"type":"settings","patch":{"sounds":1}}'],
    ['a broken sequence number', '{"type":"pong","n":1.5}'],
  ])('(%s)', (_what, json) => {
    expect(parsePageMessage(json)).toBeNull();
  });
});
