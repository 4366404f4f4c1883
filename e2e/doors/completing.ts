/** What three shells really offer for a line that is half typed, with the script that the program prints. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CLI = join(import.meta.dirname, '..', '..', 'dist', 'cli.cjs');

export type Shell = 'bash' | 'zsh' | 'fish';

export interface Completing {
  /** A folder of its own, HOME of the shells; `a-program` is on their PATH. */
  readonly home: string;
  /** What `companion` prints with these arguments, by the program itself. */
  companion(...args: readonly string[]): Promise<string>;
  /** What that shell offers at the end of each line, sorted. */
  offers(shell: Shell, lines: readonly string[]): Promise<readonly (readonly string[])[]>;
  close(): void;
}

/** Each program below tells what is offered for each of its arguments, a line each, with a line END after each. */
const END = '\u0004';

const BASH = `
source "$SCRIPT"
for line; do
  read -r -a COMP_WORDS <<< "\${line//=/ = }"
  [[ $line == *' ' ]] && COMP_WORDS+=('')
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
  _companion
  printf '%s\\n' "\${COMPREPLY[@]}" "$END"
done
`;

const FISH = `
source $SCRIPT
for line in $argv
  complete -C $line
  echo $END
end
`;

/** An interactive zsh on a terminal of its own, whose matches go to a file instead of the screen. */
const ZSH = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "source $SETUP"
integer count=0 tries
for line; do
  ((count++, tries = 0))
  zpty -w -n shell $'\\x15'"$line"$'\\t'
  while [[ ! -e $FOUND.$count ]] && ((tries++ < 1200)); do
    zpty -r -t shell seen
    sleep 0.05
  done
done
zpty -d shell
cat $FOUND
`;
const ZSH_SETUP = `
PS1= PS2=
autoload -U compinit && compinit -D -u
source $SCRIPT
integer told_count=0
compadd() {
  local -a _matches
  if ((\${@[(I)-[OAD]*]})); then builtin compadd "$@"; return; fi
  builtin compadd -A _matches "$@"
  print -rl -- $_matches >> $FOUND
}
told() { print -r -- $END >> $FOUND; : > $FOUND.$((++told_count)) }
bindkey '^U' kill-whole-line
zle -C capture complete-word capture_all
capture_all() { _main_complete; told }
bindkey '^I' capture
`;

const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');
/** Prepares a home with the program on its PATH and a script for each shell. */
export async function openCompleting(): Promise<Completing> {
  const home = mkdtempSync(join(tmpdir(), 'completing-'));
  const bin = join(home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'companion'), `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`);
  chmodSync(join(bin, 'companion'), 0o755);
  writeFileSync(join(bin, 'a-program'), '#!/bin/sh\n', { mode: 0o755 });
  const env = { HOME: home, PATH: `${bin}${delimiter}${process.env.PATH}`, TERM: 'dumb', LC_ALL: 'C.UTF-8' };
  const companion = async (...args: readonly string[]): Promise<string> =>
    (await run(join(bin, 'companion'), args, { env, cwd: home })).stdout;
  for (const shell of ['bash', 'zsh', 'fish']) writeFileSync(join(home, shell), await companion('completions', shell));
  const programs: Record<Shell, readonly string[]> = {
    bash: ['bash', '-c', BASH, 'bash'],
    fish: ['fish', '-N', '-c', FISH],
    zsh: ['zsh', '-f', '-c', ZSH, 'zsh'],
  };
  writeFileSync(join(home, 'setup.zsh'), ZSH_SETUP);
  let runs = 0;
  const offers = async (shell: Shell, typed: readonly string[]): Promise<readonly (readonly string[])[]> => {
    runs += 1;
    const own = { SCRIPT: join(home, shell), SETUP: join(home, 'setup.zsh'), FOUND: join(home, `found-${runs}`), END };
    const [program, ...args] = programs[shell];
    const { stdout, stderr } = await run(program!, [...args, ...typed], { cwd: home, env: { ...env, ...own } });
    if (stderr !== '') throw new Error(`${shell} complains: ${stderr}`);
    const answers = stdout.split(`${END}\n`).slice(0, -1);
    if (answers.length !== typed.length) throw new Error(`${shell} has told of ${answers.length} lines`);
    return answers.map((text) => [...new Set(lines(text.replace(/\t.*$/gm, '')))].toSorted());
  };
  return {
    home,
    companion,
    offers,
    close: () => rmSync(home, { recursive: true, force: true }),
  };
}
