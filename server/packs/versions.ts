/** Versions of packs: three numbers, ordered by them; a wanted one may be cut short. */

/** Below 0 when `a` comes before `b`, above 0 when after, 0 when they are the same. Both are whole versions. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a.split('.'), b.split('.')];
  for (const [index, part] of left.entries()) {
    const difference = Number(part) - Number(right[index]);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** True when `version` is the wanted one or begins with it: `1`, `1.2`; undefined and `latest` want nothing in particular. */
export const fitsVersion = (version: string, wanted: string | undefined): boolean =>
  wanted === undefined || wanted === 'latest' || version === wanted || version.startsWith(`${wanted}.`);

/** The newest of those that fit; undefined: none does. */
export const newestOf = <Item extends { readonly version: string }>(
  items: readonly Item[],
  wanted: string | undefined,
): Item | undefined =>
  items
    .filter(({ version }) => fitsVersion(version, wanted))
    .reduce<Item | undefined>(
      (best, each) => (best === undefined || compareVersions(each.version, best.version) > 0 ? each : best),
      undefined,
    );

/** Takes `name@1.2` apart; `wanted` undefined: no version was named. */
export function splitVersion(target: string): { readonly name: string; readonly wanted: string | undefined } {
  const at = target.lastIndexOf('@');
  return at < 0 ? { name: target, wanted: undefined } : { name: target.slice(0, at), wanted: target.slice(at + 1) };
}
