import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HANG_MS, restartDelay, startWatchdog } from './watchdog.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

interface Asked {
  readonly promise: Promise<void>;
  answer(): Promise<void>;
}

function asked(): Asked {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  const answer = async (): Promise<void> => {
    resolve();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { promise, answer };
}

describe('the watchdog', () => {
  it('calls out once when an answer is late', async () => {
    const onHang = vi.fn();
    startWatchdog(async () => {}, onHang).expect(asked().promise);
    await vi.advanceTimersByTimeAsync(HANG_MS - 1);
    expect(onHang).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1 + 2 * HANG_MS);
    expect(onHang).toHaveBeenCalledTimes(1);
  });

  it('is content with answers in time, refused ones too, and then has one timer, of a minute', async () => {
    const onHang = vi.fn();
    const watchdog = startWatchdog(async () => {}, onHang);
    watchdog.expect(Promise.resolve());
    watchdog.expect(Promise.reject(new Error('gone')));
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(onHang).not.toHaveBeenCalled();
    watchdog.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('gives each of several answers its time', async () => {
    const onHang = vi.fn();
    const watchdog = startWatchdog(async () => {}, onHang);
    const first = asked();
    const second = asked();
    watchdog.expect(first.promise);
    watchdog.expect(second.promise);
    await vi.advanceTimersByTimeAsync(HANG_MS - 10);
    await first.answer();
    await vi.advanceTimersByTimeAsync(HANG_MS - 10);
    expect(onHang).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(10);
    expect(onHang).toHaveBeenCalledTimes(1);
  });

  it('asks by itself once a minute', async () => {
    const onHang = vi.fn();
    const probe = vi.fn(() => new Promise(() => {}));
    startWatchdog(probe, onHang);
    await vi.advanceTimersByTimeAsync(59_999);
    expect(probe).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1 + HANG_MS);
    expect(onHang).toHaveBeenCalledTimes(1);
  });

  it('is silent once stopped, whatever answers come', async () => {
    const onHang = vi.fn();
    const watchdog = startWatchdog(async () => {}, onHang);
    const late = asked();
    watchdog.expect(late.promise);
    watchdog.expect(new Promise(() => {}));
    watchdog.stop();
    await late.answer();
    await vi.advanceTimersByTimeAsync(200_000);
    expect(onHang).not.toHaveBeenCalled();
  });
});

describe('the delay before a restart', () => {
  it.each([
    [[0], 250],
    [[0, 10_000], 1_000],
    [[0, 10_000, 59_999], null],
    [[0, 10_000, 60_000], 1_000],
    [[0, 100_000, 200_000, 300_000], 250],
  ])('after crashes at %j is %j', (crashesAt, delayMs) => {
    expect(restartDelay(crashesAt)).toBe(delayMs);
  });
});
