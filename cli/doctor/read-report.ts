/** Reads what the running companion has told about its desktop, believing only what has the right form. */
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DesktopReport } from '../../server/protocol/window.ts';

const BACKENDS = ['x11', 'xwayland', 'window', 'headless'] as const;
const MAX_TEXT = 200;

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

/** One line without control characters: names of window managers and words of X servers are anybody's. */
export const printable = (value: unknown): string | null =>
  typeof value === 'string'
    ? value
        .replace(/[\x00-\x1f\x7f-\x9f]+/g, ' ')
        .trim()
        .slice(0, MAX_TEXT)
    : null;

function hotkeysOf(value: unknown): DesktopReport['hotkeys'] {
  if (!Array.isArray(value)) return [];
  return value.map(fieldsOf).flatMap(({ action, keys, grabbed }) => {
    const isKnown = (action === 'focus' || action === 'show') && typeof grabbed === 'boolean';
    return isKnown && typeof keys === 'string' ? [{ action, keys: printable(keys) ?? '', grabbed }] : [];
  });
}

/** `text` as a report; null when it is none. What is missing or malformed in it is as if not seen. */
export function parseReport(text: string): DesktopReport | null {
  let fields: Fields;
  try {
    fields = fieldsOf(JSON.parse(text));
  } catch {
    return null;
  }
  const { pid, at, compositor, hotkeys } = fields;
  if (!Number.isSafeInteger(pid) || (pid as number) <= 0) return null;
  const overlay = fieldsOf(fields.overlay);
  const chromium = fieldsOf(fields.chromium);
  return {
    pid: pid as number,
    at: typeof at === 'number' ? at : 0,
    overlay: {
      backend: BACKENDS.find((backend) => backend === overlay.backend) ?? 'headless',
      transparent: overlay.transparent === true,
      alwaysOnTop: overlay.alwaysOnTop === true,
      clickThrough: overlay.clickThrough === true,
      positioned: overlay.positioned === true,
    },
    compositor: typeof compositor === 'boolean' ? compositor : null,
    windowManager: printable(fields.windowManager),
    chromium: { path: printable(chromium.path) ?? '', sandbox: chromium.sandbox === true },
    hotkeys: hotkeysOf(hotkeys),
    trouble: printable(fields.trouble),
  };
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The report in `stateFolder`; null when there is none, or the companion that wrote it is gone. */
export function readReport(stateFolder: string): DesktopReport | null {
  const path = join(stateFolder, 'desktop.json');
  try {
    // A pipe in its place would be waited for.
    if (!lstatSync(path).isFile()) return null;
    const report = parseReport(readFileSync(path, 'utf8'));
    return report !== null && isAlive(report.pid) ? report : null;
  } catch {
    return null;
  }
}
