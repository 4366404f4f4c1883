/** The completion script for fish: one `complete` for each thing that can be typed. */
import {
  type Candidates,
  firstWords,
  groupSummary,
  runsProgram,
  type SurfaceCommand,
  type SurfaceOption,
} from './surface.ts';

const quote = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

/** Its arguments to `complete`, after what says where; a program's are made where its command is known. */
function toArguments(candidates: Candidates): string {
  switch (candidates.kind) {
    case 'words':
      return `-a ${quote(candidates.words.join(' '))}`;
    case 'asked':
      return `-a ${quote(`(__companion_ask ${candidates.what})`)}`;
    case 'files':
      return '-F';
    case 'folders':
      return `-a '(__fish_complete_directories)'`;
    case 'programs':
    case 'anything':
      return '';
  }
}

/** Options whose value is the next word. */
const valued = ({ options }: SurfaceCommand): readonly string[] =>
  options.filter(({ value }) => value === 'next').flatMap(({ names }) => names);

function toOption(where: string, { names, help, value, candidates }: SurfaceOption): string {
  // A bare ? is a wildcard to fish before 4, which then takes nothing of the line.
  const spelled = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${quote(name.slice(1))}`));
  // What is only ever attached is typed like a flag.
  const needs = candidates.kind === 'files' ? '-r' : '-x';
  const argument = value === 'next' ? ` ${needs} ${toArguments(candidates)}` : '';
  return `complete -c companion ${where} ${spelled.join(' ')}${argument} -d ${quote(help)}`.replace(/ +/g, ' ');
}

function toLines(command: SurfaceCommand): readonly string[] {
  const path = quote(command.words.join(' '));
  const isProgram = runsProgram(command);
  const program = command.takes.length - 1;
  const places = command.takes.flatMap(({ candidates }, index) => {
    const options = valued(command).join(' ');
    const given =
      candidates.kind === 'programs' ? `-a "(__companion_program ${path} ${options})"` : toArguments(candidates);
    const place = isProgram && index === program ? `${index}+` : index;
    const at = `"__companion_place ${path} ${place} ${options}"`;
    return given === '' ? [] : [`complete -c companion -n ${at} ${given}`];
  });
  // Once a program has begun, options are that one's.
  const where = isProgram
    ? `__companion_place ${path} ${program} ${valued(command).join(' ')}`
    : `__companion_at ${path}`;
  return [...command.options.map((option) => toOption(`-n "${where}"`, option)), ...places];
}

function toVerbs([first, group]: readonly [string, readonly SurfaceCommand[]]): readonly string[] {
  return group.flatMap(({ words: [, verb], summary }) =>
    verb === undefined
      ? []
      : [`complete -c companion -n "__companion_place ${quote(first)} 0" -a ${verb} -d ${quote(summary)}`],
  );
}

const FUNCTIONS = `
function __companion_ask
    companion completions $argv 2>/dev/null
end

# Whether what stands before the cursor begins with these words.
function __companion_at
    set -l count (count (string split ' ' -- $argv[1]))
    set -l typed (commandline -opc)
    set -e typed[1]
    test (count $typed) -ge $count; and test (string join ' ' -- $typed[1..$count]) = $argv[1]
end

# The same, with so many words of its own after them, or with a + at least so many; the rest are the options that take the next word.
function __companion_place
    __companion_at $argv[1]; or return 1
    set -l typed (commandline -opc)
    set -e typed[1..(math 1 + (count (string split ' ' -- $argv[1])))]
    set -l count 0
    set -l skip 0
    set -l ended 0
    for word in $typed
        if test $skip = 1
            set skip 0
        else if test $ended = 0; and test "$word" = --
            set ended 1
        else if test $ended = 0; and string match -q -- '-*' $word
            contains -- $word $argv[3..]; and set skip 1
        else
            set count (math $count + 1)
        end
    end
    if string match -q '*+' -- $argv[2]
        test $count -ge (string trim -c + -- $argv[2])
    else
        test $count -eq $argv[2]
    end
end

# What fits in a program's own command line, which begins after these words and their options.
function __companion_program
    set -l typed (commandline -opc)
    set -e typed[1..(math 1 + (count (string split ' ' -- $argv[1])))]
    set -l line
    set -l skip 0
    set -l ended 0
    for word in $typed
        if set -q line[1]
            set -a line $word
        else if test $skip = 1
            set skip 0
        else if test $ended = 0; and test "$word" = --
            set ended 1
        else if test $ended = 0; and string match -q -- '-*' $word
            contains -- $word $argv[2..]; and set skip 1
        else
            set -a line $word
        end
    end
    complete -C (string join ' ' -- (string escape -- $line) (commandline -ct))
end
`.trim();

/** The script for `commands`; to be read by fish 3 or newer. */
export function fishScript(commands: readonly SurfaceCommand[]): string {
  const groups = firstWords(commands);
  const firsts = [...groups].map(
    ([first, group]) =>
      `complete -c companion -n __fish_use_subcommand -a ${first} -d ${quote(groupSummary(first, group))}`,
  );
  return [
    '# Completions of companion for fish, printed by: companion completions fish',
    FUNCTIONS,
    '',
    'complete -c companion -f',
    ...firsts,
    ...[...groups].flatMap(toVerbs),
    ...commands.flatMap(toLines),
    '',
  ].join('\n');
}
