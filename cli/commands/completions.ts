/** `companion completions bash|zsh|fish`: a script for the shell; the other words are what such a script asks for while somebody types. */
import { resolvePaths } from '../../server/protocol/paths.ts';
import { type Context, defineCommand } from '../command.ts';
import { usageError } from '../companion-error.ts';
import { loadWatch } from '../doors/load.ts';
import type { Io } from '../io.ts';
import { readLocalCharacters } from '../packs/local-characters.ts';
import { listProfiles } from '../profiles.ts';
import { bashScript } from '../shell/bash.ts';
import { fishScript } from '../shell/fish.ts';
import { ASKED, type Asked, SHELLS, type SurfaceCommand, toSurface } from '../shell/surface.ts';
import { zshScript } from '../shell/zsh.ts';

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], (commands: readonly SurfaceCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
const WORDS: readonly string[] = [...SHELLS, ...ASKED];

const LISTS: Readonly<Record<Asked, (io: Io) => Promise<readonly string[]>>> = {
  characters: async (io) => (await readLocalCharacters(io)).characters.map(({ manifest }) => manifest.id),
  formats: async () => ['auto', ...(await loadWatch()).ADAPTER_NAMES],
  profiles: async (io) => listProfiles(resolvePaths(io.env).credentialsFolder),
};

async function textFor(word: string, { io, commands }: Context): Promise<string> {
  if (Object.hasOwn(LISTS, word)) return (await LISTS[word as Asked](io)).map((line) => `${line}\n`).join('');
  return SCRIPTS[word as (typeof SHELLS)[number]](toSurface(await commands()));
}

export const completions = defineCommand({
  takes: ['SHELL'],
  summary:
    'Print the script that completes what you type in bash, zsh or fish. (Given characters, formats or profiles: those, one a line; the scripts ask.)',
  about: null,
  output: 'plain',
  options: {},
  examples: [
    'source <(companion completions bash)',
    'companion completions fish > ~/.config/fish/completions/companion.fish',
  ],
  run: async (context) => {
    const [word = ''] = context.words;
    if (!WORDS.includes(word)) throw usageError(`It is one of: ${WORDS.join(', ')}.`);
    const text = await textFor(word, context);
    return { json: { text }, plain: text === '' ? null : text.replace(/\n$/, ''), error: null };
  },
});
