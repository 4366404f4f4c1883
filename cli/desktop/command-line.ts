/** A command line as a systemd unit and a desktop entry write it, and back: each has quoting of its own (systemd.service, Desktop Entry). */

/** Nothing in these means anything to either format. */
const PLAIN = /^[A-Za-z0-9_/.:@+,-]+$/;

/** Reports whether both formats can carry these words: no control characters, and no `=` in the program's own path. */
export const isWritable = (words: readonly string[]): boolean =>
  words.every((word) => !/[\x00-\x1f\x7f]/.test(word)) && !words[0]!.includes('=');

/**
 * The value of `ExecStart=`. `$` is doubled in all words but the first, which systemd takes as the program's path before it
 * looks for variables.
 */
export function toUnitExec(words: readonly string[]): string {
  return words
    .map((word, index) => {
      if (PLAIN.test(word)) return word;
      const text = word.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%');
      return `"${index === 0 ? text : text.replaceAll('$', '$$$$')}"`;
    })
    .join(' ');
}

/** The words of an `ExecStart=` that quotes as `toUnitExec` does; null for any other. */
export function fromUnitExec(text: string): readonly string[] | null {
  const words = splitQuoted(text);
  return words?.map((word, index) => word.replace(index === 0 ? /%%/g : /%%|\$\$/g, (pair) => pair[0]!)) ?? null;
}

/** The value of a string key: a backslash would begin an escape. */
export const toEntryString = (text: string): string => text.replaceAll('\\', '\\\\');
const fromEntryString = (text: string): string => text.replaceAll('\\\\', '\\');

/** The value of `Exec=`: quoted first, then escaped as any string is. */
export function toEntryExec(words: readonly string[]): string {
  const quoted = words.map((word) =>
    PLAIN.test(word) ? word : `"${word.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`,
  );
  return toEntryString(quoted.join(' '));
}

/** The words of an `Exec=` that quotes as `toEntryExec` does; null for any other. */
export function fromEntryExec(text: string): readonly string[] | null {
  return splitQuoted(fromEntryString(text))?.map((word) => word.replaceAll('%%', '%')) ?? null;
}

/** Words between spaces, bare or in double quotes in which a backslash takes the next character as it is. */
function splitQuoted(text: string): readonly string[] | null {
  const words: string[] = [];
  const word = / *(?:"((?:[^"\\]|\\.)*)"|([^ "\\]+))(?= |$)/y;
  while (word.lastIndex < text.length) {
    const found = word.exec(text);
    if (found === null) return null;
    words.push(found[2] ?? found[1]!.replace(/\\(.)/g, '$1'));
  }
  return words.length === 0 ? null : words;
}
