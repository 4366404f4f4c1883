/** What a session is called on our cards and beside the figure. */
import { visible } from '../../protocol/visible.ts';

/** The last part of a path on one line, at most `max` characters; '?' for none. */
export function baseName(path: string, max: number): string {
  const last = path.split('/').filter(Boolean).at(-1) ?? (path.startsWith('/') ? '/' : '');
  const line = [
    ...visible(last)
      .replace(/[\n\t]/g, ' ')
      .trim(),
  ];
  if (line.length === 0) return '?';
  return line.length > max ? `${line.slice(0, max - 1).join('')}…` : line.join('');
}
