/** Where package managers put a Chromium that is not on `PATH`, and which of them wall it in. Reads names and first lines only. */
import { closeSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Names under which distributions install it, the free one first. */
export const CHROMIUM_NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge',
] as const;

/** Folders that a session started by the desktop may lack in its `PATH`; the user's own ones begin with `~`. */
const PROGRAM_FOLDERS = [
  '/usr/local/bin',
  '/usr/bin',
  '~/.nix-profile/bin',
  '/run/current-system/sw/bin',
  '/nix/var/nix/profiles/default/bin',
  '~/.guix-home/profile/bin',
  '~/.guix-profile/bin',
  '/run/current-system/profile/bin',
];

/** Programs with a folder of their own; `*` stands for any part of one name. */
const PROGRAMS = [
  '/opt/google/chrome/chrome',
  '/opt/chromium*/chrome',
  '/opt/microsoft/msedge/msedge',
  '/usr/lib*/chromium*/chromium',
  '/usr/lib*/chromium*/chromium-browser',
  '/usr/lib*/chromium*/chrome',
];

const PUPPETEER_PROGRAM = 'chrome/*/chrome-linux*/chrome';

const FLATPAKS = ['org.chromium.Chromium', 'com.google.Chrome', 'io.github.ungoogled_software.ungoogled_chromium'];
const FLATPAK_FOLDERS = ['/var/lib/flatpak/exports/bin', '~/.local/share/flatpak/exports/bin'];

export interface Roots {
  /** '/' but for tests. */
  readonly system: string;
  /** null: nobody's. */
  readonly home: string | null;
  /** Puppeteer's cache, where that is said to be elsewhere. */
  readonly puppeteer: string | null;
}

/** `pattern` as it stands below the roots; null when it needs a home and there is none. */
function place(pattern: string, { system, home }: Roots): string | null {
  if (!pattern.startsWith('~')) return join(system, pattern);
  return home === null ? null : join(home, pattern.slice(1));
}

/** Newer versions before older ones: `136.0.1` before `99.0`. */
const newestFirst = (one: string, other: string): number => other.localeCompare(one, 'en', { numeric: true });

/** The paths there are for a pattern whose names may hold `*`. */
function expand(pattern: string): readonly string[] {
  let found: readonly string[] = ['/'];
  for (const name of pattern.split('/').filter(Boolean)) {
    found = name.includes('*') ? found.flatMap((folder) => matching(folder, name)) : found.map((at) => join(at, name));
  }
  return found;
}

function matching(folder: string, name: string): readonly string[] {
  const [before = '', after = ''] = name.split('*');
  try {
    return readdirSync(folder)
      .filter((entry) => entry.length >= name.length - 1 && entry.startsWith(before) && entry.endsWith(after))
      .sort(newestFirst)
      .map((entry) => join(folder, entry));
  } catch {
    return [];
  }
}

const known = (path: string | null): path is string => path !== null;

/** Candidates of which none may exist, the best first: those that may use any folder of the user before those that may not. */
export function chromiumPlaces(roots: Roots): readonly string[] {
  const folders = PROGRAM_FOLDERS.map((folder) => place(folder, roots)).filter(known);
  const cache = roots.puppeteer ?? place('~/.cache/puppeteer', roots);
  return [
    ...CHROMIUM_NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...PROGRAMS.map((pattern) => join(roots.system, pattern)).flatMap(expand),
    ...(cache === null ? [] : expand(join(cache, PUPPETEER_PROGRAM))),
    join(roots.system, '/snap/bin/chromium'),
    ...FLATPAKS.flatMap((name) => FLATPAK_FOLDERS.map((folder) => place(`${folder}/${name}`, roots)).filter(known)),
  ];
}

const HEAD_BYTES = 4_096;

/** The beginning of a script; '' for anything else. */
function scriptHead(path: string): string {
  let file: number | null = null;
  try {
    file = openSync(path, 'r');
    const head = Buffer.alloc(HEAD_BYTES);
    const text = head.toString('latin1', 0, readSync(file, head, 0, HEAD_BYTES, 0));
    return text.startsWith('#!') ? text : '';
  } catch {
    return '';
  } finally {
    if (file !== null) closeSync(file);
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** What keeps the program at `path` from most of the user's folders, also behind a wrapper script; null: nothing does. */
export function wallOf(path: string): 'snap' | 'flatpak' | null {
  if (/\/snap\/bin\//.test(path) || basename(realOf(path)) === 'snap') return 'snap';
  if (path.includes('/flatpak/exports/')) return 'flatpak';
  const head = scriptHead(path);
  if (/\/snap\/bin\//.test(head)) return 'snap';
  return /\bflatpak run\b/.test(head) ? 'flatpak' : null;
}
