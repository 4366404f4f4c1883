/** What stands in the documents between fences, to be run as it stands. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');

/** The text of a document. */
export const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The code blocks of `language` in `file`, without the indentation they have in lists. */
export function blocksOf(file: string, language: string): readonly string[] {
  const blocks = read(file).matchAll(/^( *)```(\w+)\n([\s\S]*?)^ *```$/gm);
  return [...blocks]
    .filter(([, , found]) => found === language)
    .map(([, indent, , text]) => text!.replace(new RegExp(`^${indent}`, 'gm'), ''));
}

/** The lines of a block that say something. */
export const linesOf = (block: string): readonly string[] => block.split('\n').filter((line) => line.trim() !== '');
