/** Reads the words after `companion interface`. Loads nothing: `--version` is answered by it alone. */

export interface Argv {
  readonly version: boolean;
  readonly list: boolean;
  readonly help: boolean;
  readonly capability: string | null;
  readonly args: string | null;
  readonly argsFile: string | null;
  readonly profile: string | null;
  /** What is wrong with the words, by option name only; null when nothing is. */
  readonly fault: string | null;
}

const FLAGS: ReadonlySet<string> = new Set(['version', 'list', 'help', 'json']);
const VALUES: ReadonlySet<string> = new Set(['args', 'args-file', 'credential-profile']);

/**
 * Options stand anywhere; a value follows as the next word, whatever it looks like, or after `=`; of a repeated option the last
 * value wins; `--` ends the options. Never throws.
 */
export function readArgv(words: readonly string[]): Argv {
  const flags = new Set<string>();
  const values = new Map<string, string>();
  const plain: string[] = [];
  let fault: string | null = null;
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === '--') {
      plain.push(...left);
      break;
    }
    if (!/^-./.test(word)) {
      plain.push(word);
      continue;
    }
    const [, name = '', given] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(word === '-h' ? '--help' : word) ?? [];
    if (FLAGS.has(name)) {
      if (given === undefined) flags.add(name);
      else fault ??= `option --${name} takes no value`;
    } else if (VALUES.has(name)) {
      const value = given ?? left.shift();
      if (value === undefined) fault ??= `option --${name} requires a value`;
      else values.set(name, value);
    } else fault ??= `unknown option: ${name === '' ? word.slice(0, 2) : `--${name}`}`;
  }
  if (plain.length > 1) fault ??= 'one capability at a time; its parameters go into --args';
  return {
    version: flags.has('version'),
    list: flags.has('list'),
    help: flags.has('help'),
    capability: plain[0] ?? null,
    args: values.get('args') ?? null,
    argsFile: values.get('args-file') ?? null,
    profile: values.get('credential-profile') ?? null,
    fault,
  };
}
