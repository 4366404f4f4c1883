/** The completion script for bash: one function and the surface as its tables. Needs no bash-completion. */
import { type Candidates, firstWords, type SurfaceCommand } from './surface.ts';

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** One word for what may stand in a place; the function below reads it. */
function toToken(candidates: Candidates): string {
  if (candidates.kind === 'words') return `=${candidates.words.join('|')}`;
  return candidates.kind === 'asked' ? `?${candidates.what}` : candidates.kind;
}

/** The line of one command: its options, those whose value is the next word with what it may be, and its own words. */
function toCase({ words, options, takes }: SurfaceCommand): string {
  const names = options.flatMap((option) => option.names);
  const values = options
    .filter(({ value }) => value === 'next')
    .flatMap((option) => option.names.map((name) => `${name} ${toToken(option.candidates)}`));
  const places = takes.map(({ candidates }) => toToken(candidates));
  return `    ${quote(words.join(' '))}) options=${quote(names.join(' '))} values=${quote(values.join(' '))} places=${quote(places.join(' '))} ;;`;
}

/** The case of a first word whose commands have a second one. */
function toVerbs([first, group]: readonly [string, readonly SurfaceCommand[]]): string | null {
  const verbs = group.flatMap(({ words: [, verb] }) => (verb === undefined ? [] : [verb]));
  return verbs.length === 0 ? null : `    ${quote(first)}) verbs=${quote(verbs.join(' '))} ;;`;
}

const FUNCTION = `
# Adds what may stand in a place and begins with what is typed.
_companion_offer() {
  local IFS=$'\\n'
  case $1 in
    =*) local words=\${1#=}; COMPREPLY+=($(compgen -W "\${words//|/$'\\n'}" -- "$2")) ;;
    \\?*) COMPREPLY+=($(compgen -W "$("\${COMP_WORDS[0]}" completions "\${1#\\?}" 2>/dev/null)" -- "$2")) ;;
    files) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- "$2")) ;;
    folders) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -d -- "$2")) ;;
    programs) COMPREPLY+=($(compgen -c -- "$2")) ;;
  esac
}

# What may be the value of an option; fails when it takes none.
_companion_value() {
  local pairs=($2) at
  for ((at = 0; at < \${#pairs[@]}; at += 2)); do
    [[ \${pairs[at]} == "$1" ]] && { printf %s "\${pairs[at + 1]}"; return 0; }
  done
  return 1
}

_companion() {
  local cur=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} verbs= options= values= places= depth=1 prefix=
  COMPREPLY=()
  _companion_verbs "\${COMP_WORDS[1]-}"
  _companion_command "\${COMP_WORDS[1]-} \${COMP_WORDS[2]-}" && depth=2 || _companion_command "\${COMP_WORDS[1]-}" || depth=0
  if ((COMP_CWORD == 1)); then _companion_offer "=$_companion_words" "$cur"; return; fi
  if ((COMP_CWORD == 2)) && [[ -n $verbs ]]; then
    _companion_offer "=\${verbs// /|}" "$cur"
    ((depth == 2)) && depth=0
    _companion_command "\${COMP_WORDS[1]}" && depth=1
  fi
  ((depth == 0)) && return

  # Readline cuts --option=value into three words, unless it was told not to.
  if [[ $cur == = ]]; then cur=
  elif [[ $before == = ]]; then before=\${COMP_WORDS[COMP_CWORD - 2]}
  elif [[ $cur == --*=* ]]; then before=\${cur%%=*} prefix=$before= cur=\${cur#*=}
  fi

  local at place=0 ended= foreign= word token=($places)
  for ((at = depth + 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    if [[ -z $ended && $word == -- ]]; then ended=1
    elif [[ -z $ended && $word == -?* ]]; then
      if [[ \${COMP_WORDS[at + 1]-} == = ]]; then ((at += 2))
      elif [[ $word != *=* ]] && _companion_value "$word" "$values" >/dev/null; then ((at++)); fi
    else
      [[ \${token[place]-} == programs ]] && foreign=1
      ((place++))
    fi
  done

  if [[ -z $ended ]]; then
    if token=$(_companion_value "$before" "$values"); then
      _companion_offer "$token" "$cur"
      COMPREPLY=("\${COMPREPLY[@]/#/$prefix}")
      return
    fi
    if [[ $cur == -* && -z $foreign ]]; then _companion_offer "=\${options// /|}" "$cur"; return; fi
    token=($places)
  fi
  if [[ -n $foreign ]]; then _companion_offer files "$cur"; else _companion_offer "\${token[place]-}" "$cur"; fi
}

complete -F _companion companion
`;

/** The script for `commands`; to be read by bash 4.4 or newer. */
export function bashScript(commands: readonly SurfaceCommand[]): string {
  const groups = firstWords(commands);
  const verbs = [...groups].flatMap((group) => toVerbs(group) ?? []);
  return [
    '# Completions of companion for bash, printed by: companion completions bash',
    `_companion_words=${quote([...groups.keys()].join('|'))}`,
    '',
    '_companion_verbs() {',
    '  case $1 in',
    ...verbs,
    '  esac',
    '}',
    '',
    '# Sets what a command takes; fails when there is no such command.',
    '_companion_command() {',
    '  case $1 in',
    ...commands.map(toCase),
    '    *) return 1 ;;',
    '  esac',
    '}',
    FUNCTION.trimStart().trimEnd(),
    '',
  ].join('\n');
}
