/** Where a hook was called from: plain data that names a terminal, never a command, a path or an address to open. */

/** What each part may look like; anything else is left out. The shell client checks by the same words. */
export const ORIGIN_PATTERNS = {
  /** The controlling terminal, below /dev. */
  tty: '^(pts/|tty)[0-9]{1,6}$',
  /** tmux's own name of a pane. */
  tmuxPane: '^%[0-9]{1,9}$',
  /** File name of the socket of the tmux server that has the pane. */
  tmuxServer: '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$',
  /** X window ID, decimal. */
  windowId: '^[1-9][0-9]{0,9}$',
  /** What the terminal program calls itself. */
  terminal: '^[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}$',
} as const;

export type Origin = { readonly [Part in keyof typeof ORIGIN_PATTERNS]?: string };

/** Lower-case name of the HTTP header in which the parts travel, as `name=value` with `;` between them. */
export const ORIGIN_HEADER = 'companion-origin';

const PARTS = Object.entries(ORIGIN_PATTERNS).map(([name, pattern]) => [name, new RegExp(pattern)] as const);

/** The parts of `values` that look as they must; whatever else stands there is dropped, and a server without a pane of it. */
export function readOrigin(values: Readonly<Record<string, unknown>>): Origin {
  const kept = PARTS.flatMap(([name, pattern]) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return typeof value === 'string' && pattern.test(value) ? [[name, value] as const] : [];
  });
  const { tmuxServer, ...origin } = Object.fromEntries(kept) as Origin;
  return origin.tmuxPane === undefined || tmuxServer === undefined ? origin : { ...origin, tmuxServer };
}

/** The origin in a header; nothing in it is an error. */
export function parseOrigin(header: string | readonly string[] | undefined): Origin {
  if (typeof header !== 'string') return {};
  const pairs = header.split(';').map((part): [string, string] => {
    const at = part.indexOf('=');
    return at < 0 ? ['', ''] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
  });
  return readOrigin(Object.fromEntries(pairs));
}
