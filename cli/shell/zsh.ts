/** The completion script for zsh, in the words of its own `_arguments` and `_describe`. */
import { type Candidates, firstWords, groupSummary, type SurfaceCommand, type SurfaceOption } from './surface.ts';

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
/** What has a meaning in the middle of a description. */
const bare = (text: string): string => text.replace(/[\\[\]:]/g, '\\$&');

/** What zsh does in a place; a blank: nothing. */
function toAction(candidates: Candidates): string {
  switch (candidates.kind) {
    case 'words':
      return `(${candidates.words.join(' ')})`;
    case 'asked':
      return `{_companion_ask ${candidates.what}}`;
    case 'files':
      return '_files';
    case 'folders':
      return '_files -/';
    case 'programs':
      return '_command_names -e';
    case 'anything':
      return ' ';
  }
}

function toOption({ names, help, value, isRepeatable, placeholder, candidates }: SurfaceOption): readonly string[] {
  const others = names.length > 1 && !isRepeatable ? `(${names.join(' ')})` : '';
  const how = { none: '', next: '=', attached: '=-' }[value];
  const argument =
    value === 'none' ? '' : `${value === 'attached' ? '::' : ':'}${bare(placeholder)}:${toAction(candidates)}`;
  return names.map((name) => {
    // A single letter has its value in the same word or the next.
    const shape = name.startsWith('--') ? how : { none: '', next: '+', attached: '-' }[value];
    return quote(`${isRepeatable ? '*' : others}${name}${shape}[${bare(help)}]${argument}`);
  });
}

function toCase({ words, options, takes }: SurfaceCommand): string {
  const places = takes.flatMap(({ placeholder, candidates }, index) => {
    const place = `${index + 1}:${bare(placeholder)}:${toAction(candidates)}`;
    // Once a program has begun, options and words are that one's.
    return candidates.kind === 'programs' ? [quote(`(-)${place}`), quote('*::argument:_normal')] : [quote(place)];
  });
  const specs = [...options.flatMap(toOption), ...places].map((spec) => `        ${spec}`).join(' \\\n');
  const shift = words.length === 1 ? '' : ' shift words; ((CURRENT--));';
  return `    ${quote(words.join(' '))})\n      shift words; ((CURRENT--));${shift}\n      _arguments -s -S \\\n${specs}\n      ;;`;
}

const describe = (rows: readonly (readonly [string, string])[]): string =>
  rows.map(([word, summary]) => quote(`${bare(word)}:${summary}`)).join(' ');

function toVerbs([first, group]: readonly [string, readonly SurfaceCommand[]]): readonly string[] {
  const verbs = group.flatMap(({ words: [, verb], summary }) => (verb === undefined ? [] : [[verb, summary] as const]));
  return verbs.length === 0 ? [] : [`    ${quote(first)}) verbs=(${describe(verbs)}) ;;`];
}

/** The script for `commands`; a file of that text in `fpath` may be called `_companion`. */
export function zshScript(commands: readonly SurfaceCommand[]): string {
  const groups = firstWords(commands);
  const firsts = [...groups].map(([first, group]) => [first, groupSummary(first, group)] as const);
  return `#compdef companion
# Completions of companion for zsh, printed by: companion completions zsh

_companion_ask() {
  local -a found
  found=(\${(f)"$(_call_program companion companion completions $1 2>/dev/null)"})
  compadd -a found
}

_companion_command() {
  case $1 in
${commands.map(toCase).join('\n')}
    *) return 1 ;;
  esac
}

_companion() {
  local -a firsts verbs
  local first=$words[2]
  if ((CURRENT == 2)); then
    firsts=(${describe(firsts)})
    _describe command firsts
    return
  fi
  case $first in
${[...groups].flatMap(toVerbs).join('\n')}
  esac
  if ((CURRENT == 3 && $#verbs)); then _describe command verbs; fi
  if ((CURRENT > 3)); then _companion_command "$first $words[3]" && return; fi
  _companion_command $first
}

if [[ $funcstack[1] == _companion ]]; then _companion; else compdef _companion companion; fi
`;
}
