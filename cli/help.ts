/** Help texts. What a method or capability does is said once, in the registry; only a reader of help pays for loading it. */
import { CAPABILITIES, findMethod } from '../server/registry/catalog.ts';
import type { About, Command, NamedCommand } from './command.ts';
import { EXIT_LIST } from './exit-codes.ts';

const WIDTH = 100;

/** What the program is. */
export const ABOUT = 'a figure on your desktop through which programs speak, with your permission';

/** `text` in lines of at most WIDTH, each after `indent` spaces. */
function wrap(text: string, indent: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`);
}

/** What the registry says of a command's method or capabilities. */
export function descriptions(about: About): readonly string[] {
  if (about === null) return [];
  if ('method' in about) return [findMethod(about.method)!.description];
  return CAPABILITIES.filter(({ id }) => about.capabilities.includes(id)).map(
    ({ id, description }) => `${id}: ${description}`,
  );
}

/** What a command does, in a sentence. */
export const summaryOf = ({ summary, about }: Command): string =>
  summary ?? descriptions(about)[0]!.replace(/(\w[.!?]) .*$/, '$1');

/** Two columns; `rows` as they stand. */
function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${wrap(right, width + 4)}`).join('\n');
}

/** A command with the words it takes. */
export const nameOf = ({ name, takes, output }: NamedCommand): string =>
  [name, ...(output === 'program' ? ['--'] : []), ...takes].join(' ');

/** Where its options stand: before the program, if it runs one. */
const usageOf = (command: NamedCommand): string =>
  command.output === 'program' ? nameOf(command).replace(' -- ', ' [OPTION…] -- ') : `${nameOf(command)} [OPTION…]`;

/** All of `commands`, a line each. */
export function listHelp(commands: readonly NamedCommand[]): string {
  return (
    `companion: ${ABOUT}.\n\nUsage:\n` +
    `${columns(commands.map((command) => [`companion ${nameOf(command)}`, summaryOf(command)]))}\n\n` +
    `Each command has --help, --json and --credential-profile PROFILE.\n` +
    `${wrap(`Exit codes: ${EXIT_LIST.map((row) => row.join(' ')).join(' · ')}`, 12)}\n`
  );
}

/** An option as it is typed. */
export function optionName(name: string, { kind, value, short }: Command['options'][string]): string {
  const names = short === undefined ? `--${name}` : `-${short}, --${name}`;
  if (kind === 'maybeDuration') return `${names}[=${value}]`;
  return value === '' ? names : `${names} ${value}`;
}

/** One command: what it does, its options, and lines to copy. */
export function commandHelp(command: NamedCommand): string {
  const options = Object.entries(command.options).map(
    ([name, option]) => [optionName(name, option), option.help] as const,
  );
  const texts = [...(command.summary === null ? [] : [command.summary]), ...descriptions(command.about)];
  return (
    `Usage: companion ${usageOf(command)}\n\n` +
    `${texts.map((text) => wrap(text, 0)).join('\n')}\n\n` +
    `Options:\n${columns(options)}\n\nExamples:\n${command.examples.map((line) => `  ${line}`).join('\n')}\n`
  );
}
