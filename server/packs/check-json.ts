/** Says what of a piece of foreign JSON is dangerous whatever it means: too deep, or with names that touch what every object inherits. */
import { PACK_LIMITS } from './limits.ts';
import type { Reason } from './shape.ts';

const INHERITED = ['__proto__', 'constructor', 'prototype'];

/** Never goes deeper than the limit, so no nesting can exhaust the stack. Each reason comes once. */
export function checkJson(value: unknown): readonly Reason[] {
  const reasons = new Set<Reason>();
  const walk = (each: unknown, depth: number): void => {
    if (typeof each !== 'object' || each === null) return;
    if (depth > PACK_LIMITS.maxManifestDepth) {
      reasons.add(`/: is nested deeper than ${PACK_LIMITS.maxManifestDepth}`);
      return;
    }
    for (const [name, child] of Object.entries(each)) {
      if (INHERITED.includes(name)) reasons.add(`/: has a field named ${name}, which is never allowed`);
      walk(child, depth + 1);
    }
  };
  walk(value, 1);
  return [...reasons];
}
