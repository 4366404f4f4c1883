import { beforeEach, expect, test } from 'vitest';
import type { Now } from '../protocol/clock.ts';
import { LIMITS } from '../protocol/limits.ts';
import { CONTROL_SCOPE, type Scope } from '../protocol/words.ts';
import { createPairings, type Pairings, type PairingTicket } from './pairings.ts';

const WALL = Date.UTC(2030, 0, 1);
const at = (monoMs: number): Now => ({ monoMs, wallMs: WALL + monoMs });
const NOW = at(0);
const LIFE = LIMITS.pairingLifetimeMs;

let paired: string[];
let pairings: Pairings;
beforeEach(() => {
  paired = [];
  pairings = createPairings(LIMITS, () => paired);
});

const ask = (name = 'it', now = NOW, scopes: Scope[] = ['notify', 'interact']): PairingTicket =>
  pairings.request({ name, scopes, about: null }, now);
const peek = ({ pairingId, pairingSecret }: PairingTicket, now = NOW) => pairings.peek(pairingId, pairingSecret, now);
const take = ({ pairingId, pairingSecret }: PairingTicket, now = NOW) => pairings.take(pairingId, pairingSecret, now);
const approve = ({ pairingId }: PairingTicket, now = NOW, name = 'it', scopes: Scope[] = ['notify']) =>
  pairings.approve(pairingId, { name, scopes }, now);
const code = (name: string) => expect.objectContaining({ code: name });

test('a request gives an ID, a secret, six digits and its end in wall time', () => {
  const ticket = ask();
  expect(ticket.pairingSecret).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(ticket.code).toMatch(/^[0-9]{6}$/);
  expect(ticket.expiresAt).toBe(WALL + LIFE);
  expect(peek(ticket)).toEqual({ status: 'pending' });
});

test('the card shows what was asked for and never the secret', () => {
  const {
    pairingId,
    code: digits,
    expiresAt,
  } = pairings.request({ name: 'it', scopes: ['notify'], about: 'why' }, NOW);
  expect(pairings.open(NOW)).toEqual([
    { pairingId, code: digits, expiresAt, name: 'it', scopes: ['notify'], about: 'why' },
  ]);
});

test('open pairings are listed oldest first and have codes that differ', () => {
  const tickets = [ask('a'), ask('b'), ask('c')];
  expect(pairings.open(NOW).map(({ pairingId }) => pairingId)).toEqual(tickets.map(({ pairingId }) => pairingId));
  expect(new Set(tickets.map((ticket) => ticket.code)).size).toBe(3);
});

test('the waiter learns the name and the scopes that the user approved', () => {
  const ticket = ask();
  approve(ticket, NOW, 'renamed', ['interact']);
  expect(peek(ticket)).toEqual({ status: 'approved', name: 'renamed', scopes: ['interact'] });
  expect(pairings.open(NOW)).toEqual([]);
});

test('an approval is taken once; finished, it is gone', () => {
  const ticket = ask();
  approve(ticket);
  expect(take(ticket)).toEqual({ name: 'it', scopes: ['notify'] });
  expect(() => take(ticket)).toThrow(code('NOT_FOUND'));
  expect(() => peek(ticket)).toThrow(code('NOT_FOUND'));
  pairings.finish(ticket.pairingId);
  expect(() => peek(ticket)).toThrow(code('NOT_FOUND'));
});

test('an approval whose commit failed can be taken again', () => {
  const ticket = ask();
  approve(ticket);
  take(ticket);
  pairings.release(ticket.pairingId);
  expect(peek(ticket)).toMatchObject({ status: 'approved' });
  expect(take(ticket)).toMatchObject({ name: 'it' });
});

test('nothing can be taken before the user has spoken', () => {
  const ticket = ask();
  expect(() => take(ticket)).toThrow(code('NOT_FOUND'));
  expect(peek(ticket)).toEqual({ status: 'pending' });
});

test('an unknown ID and a wrong secret look alike', () => {
  const ticket = ask();
  approve(ticket);
  for (const secret of ['', 'x', 'A'.repeat(43), `${ticket.pairingSecret}x`, 'é'.repeat(21)]) {
    expect(() => pairings.peek(ticket.pairingId, secret, NOW)).toThrow(code('NOT_FOUND'));
    expect(() => pairings.take(ticket.pairingId, secret, NOW)).toThrow(code('NOT_FOUND'));
  }
  expect(() => pairings.peek('unknown', ticket.pairingSecret, NOW)).toThrow(code('NOT_FOUND'));
});

test('a denied pairing says so until it is forgotten, and only to its waiter', () => {
  const ticket = ask();
  pairings.deny(ticket.pairingId, NOW);
  expect(() => peek(ticket, at(LIFE))).toThrow(code('PAIRING_DENIED'));
  expect(() => pairings.peek(ticket.pairingId, 'x', NOW)).toThrow(code('NOT_FOUND'));
  expect(() => peek(ticket, at(2 * LIFE))).toThrow(code('NOT_FOUND'));
});

test('pending and approved pairings run out after their life, then are forgotten', () => {
  const waiting = ask('a');
  const approved = ask('b');
  approve(approved, NOW, 'b');
  expect(peek(waiting, at(LIFE - 1))).toEqual({ status: 'pending' });
  for (const ticket of [waiting, approved]) {
    expect(() => peek(ticket, at(LIFE))).toThrow(code('PAIRING_EXPIRED'));
    expect(() => take(ticket, at(LIFE))).toThrow(code('PAIRING_EXPIRED'));
  }
  expect(pairings.open(at(LIFE))).toEqual([]);
  for (const ticket of [waiting, approved]) expect(() => peek(ticket, at(2 * LIFE))).toThrow(code('NOT_FOUND'));
});

test('a wall clock that jumps does not end a pairing', () => {
  const ticket = ask();
  expect(peek(ticket, { monoMs: 1, wallMs: WALL + 1e12 })).toEqual({ status: 'pending' });
});

test('the user cannot approve or deny what is not pending', () => {
  const denied = ask('a');
  pairings.deny(denied.pairingId, NOW);
  const expired = ask('b');
  const approved = ask('c');
  approve(approved, NOW, 'c');
  for (const [ticket, now] of [
    [denied, NOW],
    [expired, at(LIFE)],
    [approved, NOW],
  ] as const) {
    expect(() => approve(ticket, now)).toThrow(code('NOT_FOUND'));
    expect(() => pairings.deny(ticket.pairingId, now)).toThrow(code('NOT_FOUND'));
  }
});

test.each([
  [['discover'], 'askedFor'],
  [['notify', 'discover'], 'askedFor'],
  [[], 'minItems'],
] as [Scope[], string][])('approving %j is refused and leaves the pairing pending', (scopes, rule) => {
  const ticket = ask();
  expect(() => approve(ticket, NOW, 'it', scopes)).toThrow(
    expect.objectContaining({ code: 'INVALID_PARAMS', details: { faults: [{ path: '/scopes', rule }] } }),
  );
  expect(peek(ticket)).toEqual({ status: 'pending' });
});

test('the control scope is asked for alone', () => {
  expect(() => ask('it', NOW, ['notify', CONTROL_SCOPE])).toThrow(code('INVALID_PARAMS'));
  expect(ask('it', NOW, [CONTROL_SCOPE]).code).toBeDefined();
});

test('name rules hold for the name asked for and for the one the user types', () => {
  paired = ['Builder'];
  const taken = expect.objectContaining({
    code: 'INVALID_PARAMS',
    details: { faults: [{ path: '/name', rule: 'taken' }] },
  });
  expect(() => ask('builder')).toThrow(taken);
  const ticket = ask();
  expect(() => approve(ticket, NOW, 'BUILDER')).toThrow(taken);
  expect(() => approve(ticket, NOW, 'a\u202eb')).toThrow(code('INVALID_PARAMS'));
  expect(peek(ticket)).toEqual({ status: 'pending' });
});

test('a name approved but not yet handed out is taken, until that approval runs out', () => {
  const first = ask('a');
  const second = ask('b', at(1000));
  approve(first, at(1000), 'same');
  expect(() => approve(second, at(1000), 'same')).toThrow(code('INVALID_PARAMS'));
  approve(second, at(LIFE), 'same');
});

test('at most three are open; the fourth is told when there is room', () => {
  ask('a', at(0));
  ask('b', at(1000));
  const third = ask('c', at(2000));
  expect(() => ask('d', at(3000))).toThrow(
    expect.objectContaining({
      code: 'RATE_LIMITED',
      details: { limit: 'maxOpenPairings', retryAfterMs: LIFE - 3000 },
    }),
  );
  approve(third, at(3000));
  ask('d', at(3000));
});

test('a burst is allowed, then one for each interval; refusals cost nothing', () => {
  const askAndApprove = (name: string, now: Now) => {
    const ticket = ask(name, now);
    approve(ticket, now, name);
    take(ticket, now);
    pairings.finish(ticket.pairingId);
  };
  for (let index = 0; index < LIMITS.pairingBurst; index += 1) askAndApprove(`n${index}`, NOW);
  const limited = (retryAfterMs: number) =>
    expect.objectContaining({ code: 'RATE_LIMITED', details: { limit: 'pairingIntervalMs', retryAfterMs } });
  expect(() => ask('x', NOW)).toThrow(limited(2000));
  expect(() => ask('x', at(500))).toThrow(limited(1500));
  askAndApprove('x', at(2000));
  expect(() => ask('y', at(2000))).toThrow(limited(2000));
});

test('after three denials pairing rests, and the rest ends', () => {
  for (const name of ['a', 'b', 'c']) pairings.deny(ask(name).pairingId, NOW);
  expect(() => ask('d', at(1000))).toThrow(
    expect.objectContaining({
      code: 'RATE_LIMITED',
      details: { limit: 'pairingRestMs', retryAfterMs: LIMITS.pairingRestMs - 1000 },
    }),
  );
  pairings.deny(ask('d', at(LIMITS.pairingRestMs)).pairingId, at(LIMITS.pairingRestMs));
  ask('e', at(LIMITS.pairingRestMs));
});

test('an approval in between starts the count of denials anew', () => {
  for (const name of ['a', 'b']) pairings.deny(ask(name).pairingId, NOW);
  approve(ask('c'), NOW, 'c');
  pairings.deny(ask('d').pairingId, NOW);
  ask('e');
});

test('the next deadline is the end of the oldest open pairing', () => {
  expect(pairings.nextDeadline(NOW)).toBeNull();
  const first = ask('a', at(0));
  ask('b', at(1000));
  expect(pairings.nextDeadline(at(1000))).toBe(LIFE);
  pairings.deny(first.pairingId, at(1000));
  expect(pairings.nextDeadline(at(1000))).toBe(LIFE + 1000);
  expect(pairings.nextDeadline(at(LIFE + 1000))).toBeNull();
});

test('switching access off denies what is open, and is no denial by the user', () => {
  const tickets = ['a', 'b', 'c'].map((name) => ask(name));
  approve(tickets[0]!, NOW, 'a');
  pairings.clear();
  for (const ticket of tickets) expect(() => peek(ticket)).toThrow(code('PAIRING_DENIED'));
  expect(pairings.nextDeadline(NOW)).toBeNull();
  ask('d');
});
