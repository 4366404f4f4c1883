/** How deeply a parsed JSON value is nested, found without recursion so that no input can exhaust the stack. */

/** Reports whether `value` nests arrays and objects more than `max` levels; a flat object or array is one level. */
export function isDeeperThan(value: unknown, max: number): boolean {
  let level: object[] = isNested(value) ? [value] : [];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= max) return true;
    const next: object[] = [];
    for (const parent of level) {
      for (const child of Array.isArray(parent) ? parent : Object.values(parent)) if (isNested(child)) next.push(child);
    }
    level = next;
  }
  return false;
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;
