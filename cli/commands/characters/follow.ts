/** `companion characters follow SOURCE`: pets of another program, shown from where they lie. */
import { statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { prefixOf } from '../../../server/packs/followed.ts';
import type { Followed } from '../../../server/packs/types.ts';
import { homesOf } from '../../agents/homes.ts';
import { type Answer, type Context, defineCommand } from '../../command.ts';
import { usageError } from '../../companion-error.ts';
import type { Io } from '../../io.ts';
import { readLocalCharacters } from '../../packs/local-characters.ts';
import { toRefusal } from '../../packs/refusal.ts';
import type { LocalCharacters } from '../../packs/worn.ts';

/** Stands for the folder where Codex keeps its pets. */
const CODEX = 'codex';

const codexFolder = (io: Io): string => join(homesOf(io, process.cwd()).codex, 'pets');

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Small letters, digits and dashes of a folder's name. */
const nameFrom = (folder: string): string =>
  basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 32)
    .replace(/^-+|-+$/g, '');

/** What the user means. Errors: INVALID_PARAMS. */
function toFollowed(source: string, name: string | undefined, io: Io): Followed {
  if (source === CODEX) return { name: name ?? CODEX, folder: codexFolder(io) };
  const folder = resolve(source);
  if (!isFolder(folder)) throw usageError(`${folder} is not a folder.`);
  if (['pet.json', 'avatar.json'].some((file) => statSync(join(folder, file), { throwIfNoEntry: false })))
    throw usageError(
      `${folder} is one pet. To follow it and those beside it, name the folder they lie in; to take this one alone: companion characters import ${source}`,
    );
  const found = name ?? nameFrom(folder);
  if (found === '') throw usageError('The name of that folder has no letter or digit to make IDs of; pass --as NAME.');
  return { name: found, folder };
}

function toAnswer({ name, folder }: Followed, { characters, unavailable }: LocalCharacters): Answer {
  const isIts = ({ id }: { readonly id: string }): boolean =>
    id === prefixOf(name) || id.startsWith(`${prefixOf(name)}.`);
  const pets = characters
    .map(({ manifest }) => ({ id: manifest.id, displayName: manifest.displayName.default }))
    .filter(isIts);
  const broken = unavailable.filter(isIts);
  const lines = [
    `The pets in ${folder} are shown from where they lie: nothing is copied, and nothing is ever written there.`,
    'Those that come, change or go are noticed.',
    ...pets.map(({ id, displayName }) => `  ${displayName}: companion characters use ${id}`),
    ...broken.map(({ id, reason }) => `  ${id} cannot be used: ${reason}`),
    ...(pets.length + broken.length === 0 ? ['There is none yet.'] : []),
    `To have it end: companion characters unfollow ${name}`,
  ];
  return { json: { name, folder, pets, unavailable: broken }, plain: lines.join('\n'), error: null };
}

const OPTIONS = {
  as: { kind: 'text', value: 'NAME', help: 'what the folder is called in the IDs of its pets: pets.NAME.…' },
} as const;

async function runFollow({ io, values, words: [source = ''] }: Context<typeof OPTIONS>): Promise<Answer> {
  const followed = toFollowed(source, values.as, io);
  const { library } = await readLocalCharacters(io);
  try {
    await library.follow(followed);
  } catch (error) {
    throw toRefusal(error);
  }
  return toAnswer(followed, await readLocalCharacters(io));
}

export const charactersFollow = defineCommand({
  takes: ['SOURCE'],
  summary:
    'Show the pets of another program from where they lie, without copying them: codex for those of Codex ($CODEX_HOME/pets or ~/.codex/pets), or a folder of such pets. A companion that runs notices what comes, changes and goes there. Nothing is ever written there, and nothing in it is run. Needs no key.',
  about: null,
  output: 'plain',
  options: OPTIONS,
  examples: ['companion characters follow codex', 'companion characters follow ~/pets --as mine'],
  run: runFollow,
});
