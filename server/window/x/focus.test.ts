import { expect, it } from 'vitest';
import type { Container } from './container.ts';
import { createFocus, type Focus } from './focus.ts';
import type { Screen } from './screen.ts';

const OTHER = 7;
const CHILD = 3;

/** A server on which OTHER has the keyboard, and what it was asked to give it to; `answer` lets it say so. */
function server(): { readonly focus: Focus; readonly given: number[]; answer(): Promise<void> } {
  const given: number[] = [];
  const open: (() => void)[] = [];
  const screen = {
    X: { SetInputFocus: (window: number) => void given.push(window) },
    ask: () => new Promise((resolve) => open.push(() => resolve({ focus: OTHER }))),
    flush: () => {},
  };
  const container = { child: CHILD, isMapped: () => true };
  const focus = createFocus(screen as unknown as Screen, container as unknown as Container, () => {});
  const answer = async (): Promise<void> => {
    for (const say of open.splice(0)) say();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { focus, given, answer };
}

const focusIn = { name: 'FocusIn', wid: CHILD, mode: 0, detail: 3 } as unknown as Parameters<Focus['hear']>[0];

it('a keyboard that is given back before it was taken is not taken', async () => {
  const { focus, given, answer } = server();
  await answer();
  const taking = focus.take(false);
  focus.giveBack();
  await answer();
  await taking;
  expect(given).toEqual([]);
});

it('a keyboard that is given back before it is here goes back when it comes', async () => {
  const { focus, given, answer } = server();
  await answer();
  const taking = focus.take(false);
  await answer();
  await taking;
  focus.giveBack();
  expect(given).toEqual([CHILD]);
  focus.hear(focusIn);
  expect(given).toEqual([CHILD, OTHER]);
});

it('a keyboard that was asked for stays', async () => {
  const { focus, given, answer } = server();
  await answer();
  const taking = focus.take(false);
  await answer();
  await taking;
  focus.hear(focusIn);
  expect(given).toEqual([CHILD]);
  expect(focus.isHere()).toBe(true);
});
