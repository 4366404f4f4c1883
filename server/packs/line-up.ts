/** Who of many would-be characters is one: the rule that host and command line have in common (R11). */

/** One that may be a character. */
export interface Candidate<Member> {
  readonly id: string;
  /** Null reason: it is one. */
  read(): { readonly member: Member; readonly reason: null } | { readonly reason: string };
}

export interface LineUp<Member> {
  readonly members: readonly Member[];
  readonly unavailable: readonly { readonly id: string; readonly reason: string }[];
}

/**
 * Those of this program (`own`, by ID) are there already; of the others, in their order, the first with an ID has it, and what cannot
 * be used, or comes too late, is told with its reason. What comes too late is not read.
 */
export function lineUp<Member>(own: ReadonlySet<string>, candidates: readonly Candidate<Member>[]): LineUp<Member> {
  const taken = new Set<string>();
  const members: Member[] = [];
  const unavailable: { id: string; reason: string }[] = [];
  for (const { id, read } of candidates) {
    if (own.has(id)) unavailable.push({ id, reason: 'a character of this program has the same ID' });
    else if (taken.has(id)) unavailable.push({ id, reason: 'another character has the same ID' });
    else {
      taken.add(id);
      const result = read();
      if (result.reason === null) members.push(result.member);
      else unavailable.push({ id, reason: result.reason });
    }
  }
  return { members, unavailable };
}
