/** The man page as roff: every command with its options, from the table of commands, the registry and the exit codes. */
import { IMPLEMENTATION } from '../../server/protocol/version.ts';
import type { NamedCommand } from '../command.ts';
import { EXIT_LIST } from '../exit-codes.ts';
import { ABOUT, descriptions, nameOf, optionName } from '../help.ts';

/** Text as roff takes it literally, in one line: no escape of its own, no request at the beginning, real hyphens where one may be copied. */
function literal(text: string): string {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll("'", '\\(aq').replaceAll('"', '\\(dq');
  return escaped.replace(/\s*\n\s*/g, ' ').replace(/^\./, '\\&.');
}
/** An argument of a request. */
const argument = (text: string): string => `"${literal(text)}"`;
const paragraph = (text: string): string => `.PP\n${literal(text)}`;
/** A term in bold, and what it means. */
const entry = (term: string, meaning: string): string => `.TP\n.B ${argument(term)}\n${literal(meaning)}`;
const section = (title: string, ...body: readonly string[]): string => [`.SH ${argument(title)}`, ...body].join('\n');
/** Lines to copy. */
const example = (line: string): string => `.PP\n.RS 4\n.nf\n${literal(line)}\n.fi\n.RE`;

function commandPart(command: NamedCommand, common: ReadonlySet<string>): string {
  const texts = [...(command.summary === null ? [] : [command.summary]), ...descriptions(command.about)];
  const options = Object.entries(command.options).filter(([name]) => !common.has(name));
  return [
    `.SS ${argument(`companion ${nameOf(command)}`)}`,
    texts.map(literal).join('\n.PP\n'),
    ...options.map(([name, option]) => entry(optionName(name, option), option.help)),
    ...command.examples.map(example),
  ].join('\n');
}

const VARIABLES: readonly (readonly [name: string, meaning: string])[] = [
  ['COMPANION_PROFILE', 'the credential profile to use where none is named'],
  ['COMPANION_SOCKET', 'where the companion listens, when that is not its usual place'],
];

/** The whole page. `common`: options that every command has, told once. */
export function manPage(commands: readonly NamedCommand[], common: NamedCommand['options']): string {
  // An option that says something of its own in one command is told there, too.
  const told = (command: NamedCommand): ReadonlySet<string> =>
    new Set(Object.keys(common).filter((name) => command.options[name]?.help === common[name]?.help));
  return [
    `.TH COMPANION 1 "" ${argument(`${IMPLEMENTATION.name} ${IMPLEMENTATION.version}`)} "User Commands"`,
    '.nh',
    '.ad l',
    section('NAME', `companion \\- ${literal(ABOUT)}`),
    section('SYNOPSIS', '.B companion\n.I command\n.RI [ option ...]\n.RI [ word ...]'),
    section('DESCRIPTION', paragraph('What a command prints is meant for a script; --json makes it one JSON value.')),
    section('OPTIONS', ...Object.entries(common).map(([name, option]) => entry(optionName(name, option), option.help))),
    section('COMMANDS', ...commands.map((command) => commandPart(command, told(command)))),
    section('EXIT STATUS', ...EXIT_LIST.map(([code, meaning]) => entry(String(code), meaning))),
    section('ENVIRONMENT', ...VARIABLES.map(([name, meaning]) => entry(name, meaning))),
    '',
  ].join('\n');
}
