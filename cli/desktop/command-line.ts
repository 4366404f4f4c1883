/** A command line as a systemd unit and a desktop entry write it, and back: each has quoting of its own (systemd.service, Desktop Entry). */

/** Nothing in these means anything to either format. */
const PLAIN = /^[A-Za-z0-9_/.:@+,-]+$/;

/** Reports whether both formats can carry these words: no control characters, and no `=` in the program's own path. */
export const isWritable = (words: readonly string[]): boolean =>
  words.every((word) => !/[\x00-\x1f\x7f]/.test(word)) && !words[0]!.includes('=');

/** systemd takes no program whose path has quotes in it, and GLib finds none with a `%`; as an argument of this one both do. */
const STARTER = '/usr/bin/env';
const withStarter = (words: readonly string[]): readonly string[] =>
  PLAIN.test(words[0]!) ? words : [STARTER, ...words];
const withoutStarter = (words: readonly string[]): readonly string[] => (words[0] === STARTER ? words.slice(1) : words);

/** The value of `ExecStart=`. */
export const toUnitExec = (words: readonly string[]): string =>
  withStarter(words)
    .map((word) =>
      PLAIN.test(word) ? word : `"${word.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`,
    )
    .join(' ');

/** The words of an `ExecStart=` that quotes as `toUnitExec` does; null for any other. */
export function fromUnitExec(text: string): readonly string[] | null {
  const words = splitQuoted(text)?.map((word) => word.replace(/%%|\$\$/g, (pair) => pair[0]!));
  return words === undefined ? null : withoutStarter(words);
}

/** The value of a string key: a backslash would begin an escape. */
export const toEntryString = (text: string): string => text.replaceAll('\\', '\\\\');
const fromEntryString = (text: string): string => text.replaceAll('\\\\', '\\');

/** The value of `Exec=`: quoted first, then escaped as any string is. */
export function toEntryExec(words: readonly string[]): string {
  const quoted = withStarter(words).map((word) =>
    PLAIN.test(word) ? word : `"${word.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`,
  );
  return toEntryString(quoted.join(' '));
}

/** The words of an `Exec=` that quotes as `toEntryExec` does; null for any other. */
export function fromEntryExec(text: string): readonly string[] | null {
  const words = splitQuoted(fromEntryString(text))?.map((word) => word.replaceAll('%%', '%'));
  return words === undefined ? null : withoutStarter(words);
}

/** Words between spaces, bare or in double quotes in which a backslash takes the next character as it is. */
function splitQuoted(text: string): readonly string[] | undefined {
  const words: string[] = [];
  const word = / *(?:"((?:[^"\\]|\\.)*)"|([^ "\\]+))(?= |$)/y;
  while (word.lastIndex < text.length) {
    const found = word.exec(text);
    if (found === null) return undefined;
    words.push(found[2] ?? found[1]!.replace(/\\(.)/g, '$1'));
  }
  return words.length === 0 ? undefined : words;
}
