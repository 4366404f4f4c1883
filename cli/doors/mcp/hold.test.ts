import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Snapshot } from '../../../server/protocol/snapshot.ts';
import type { Client } from '../../client/client.ts';
import { snapshot } from '../../client/fake-host.ts';
import { BEAT_MS, holdQuestion } from './hold.ts';

const OPEN = snapshot({ capability: 'interaction.choose', status: 'awaiting_user' });
const WITHIN_MS = 45_000;

/** A host with one question, which ends as it is told to. */
function makeHost() {
  let end: (last: Snapshot) => void = () => {};
  const ended = new Promise<Snapshot>((resolve) => {
    end = resolve;
  });
  const cancels: string[] = [];
  const client = {
    cancel: async (requestId: string) => {
      cancels.push(requestId);
      end({ ...OPEN, status: 'cancelled', reason: 'client_cancelled' });
    },
    waitUntilEnd: (_: string, { timeoutMs = 0, signal }: { timeoutMs?: number; signal?: AbortSignal }) =>
      Promise.race([
        ended,
        new Promise<Snapshot>((resolve) => setTimeout(() => resolve(OPEN), timeoutMs)),
        new Promise<never>((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
      ]),
  } as unknown as Client;
  return { client, cancels, end };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a held call', () => {
  it('tells every 15 s that it goes on, and stops with the answer', async () => {
    const { client, end } = makeHost();
    const beats: number[] = [];
    const { signal } = new AbortController();
    const held = holdQuestion(client, 'r1', { withinMs: 240_000, signal, beat: (ms) => beats.push(ms) }, false);
    await vi.advanceTimersByTimeAsync(40_000);
    expect(beats).toEqual([0, BEAT_MS, 2 * BEAT_MS]);
    end({ ...OPEN, status: 'completed', reason: 'user_answered' });
    expect((await held).status).toBe('completed');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(beats.length).toBe(3);
  });

  it('lets go in time, and takes nothing back', async () => {
    const { client, cancels } = makeHost();
    const giveUp = new AbortController();
    const held = holdQuestion(client, 'r1', { withinMs: WITHIN_MS, signal: giveUp.signal, beat: null }, false);
    await vi.advanceTimersByTimeAsync(WITHIN_MS);
    expect((await held).status).toBe('awaiting_user');
    giveUp.abort();
    expect(cancels).toEqual([]);
  });

  it.each([
    ['before', true],
    ['while', false],
  ])('is taken back once when its caller gives up %s it waits', async (_, early) => {
    const { client, cancels } = makeHost();
    const giveUp = new AbortController();
    if (early) giveUp.abort();
    const held = holdQuestion(client, 'r1', { withinMs: WITHIN_MS, signal: giveUp.signal, beat: null }, false);
    giveUp.abort();
    expect((await held).reason).toBe('client_cancelled');
    expect(cancels).toEqual(['r1']);
  });

  it('with a key is only let go of', async () => {
    const { client, cancels } = makeHost();
    const giveUp = new AbortController();
    const held = holdQuestion(client, 'r1', { withinMs: WITHIN_MS, signal: giveUp.signal, beat: null }, true);
    giveUp.abort(new Error('gone'));
    await expect(held).rejects.toThrow('gone');
    expect(cancels).toEqual([]);
  });
});
