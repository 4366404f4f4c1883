import { expect, it } from 'vitest';
import { FULL_SCREEN_POLICIES } from '../../protocol/window.ts';
import { sightOf } from './sight.ts';

const free = { policy: 'hide', isCovered: false, isLocked: false, isAsleep: false } as const;

it('a full-screen program leaves what the user wants', () => {
  const seen = FULL_SCREEN_POLICIES.map((policy) => sightOf({ ...free, policy, isCovered: true }));
  expect(seen).toEqual(['none', 'clear', 'notices']);
});

it.each(FULL_SCREEN_POLICIES)('with %s everything is in sight again when the program has gone', (policy) => {
  expect(sightOf({ ...free, policy })).toBe('clear');
});

it.each(FULL_SCREEN_POLICIES)(
  'with %s nothing is in sight while the screen is locked or the machine sleeps',
  (policy) => {
    for (const isCovered of [false, true]) {
      expect(sightOf({ ...free, policy, isCovered, isLocked: true })).toBe('none');
      expect(sightOf({ ...free, policy, isCovered, isAsleep: true })).toBe('none');
    }
  },
);
