import { expect, it } from 'vitest';
import { newRequestId } from './ids.ts';

it('request IDs are version 7 UUIDs in the order they were made, many in one millisecond and when the clock goes back', () => {
  const times = [...Array.from({ length: 5_000 }, () => 1_700_000_000_000), 1_600_000_000_000, 1_700_000_000_001];
  const ids = times.map(newRequestId);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
