/** `companion characters show ID`: all there is to know of a character, from its files alone (R9). */
import { MAPPED_IDS } from '../../../server/registry/catalog.ts';
import { type Answer, defineCommand } from '../../command.ts';
import { findLocal, readLocalCharacters } from '../../packs/local-characters.ts';
import type { LocalCharacter } from '../../packs/worn.ts';

interface Facts {
  readonly id: string;
  readonly version: string;
  readonly displayName: string;
  readonly description: string;
  readonly authors: readonly string[];
  readonly license: string;
  readonly builtIn: boolean;
  /** Shown from where it lies in a followed folder; not installed here. */
  readonly inPlace: boolean;
  readonly current: boolean;
  readonly folder: string;
  readonly importedBy: string | null;
  /** Animations it has a clip for; `guessed` ones are not offered to programs. */
  readonly capabilities: readonly { readonly id: string; readonly clip: string; readonly basis: string }[];
  readonly substitutes: readonly { readonly capability: string; readonly uses: string; readonly reason: string }[];
  readonly missing: readonly string[];
  readonly styles: readonly string[] | 'all';
  readonly clips: readonly string[];
}

function factsOf({ manifest, folder, builtIn, inPlace }: LocalCharacter, current: string): Facts {
  const { id, version, capabilities, substitutes, clips } = manifest;
  return {
    id,
    version,
    displayName: manifest.displayName.default,
    description: manifest.description.default,
    authors: manifest.authors.map(({ name }) => name),
    license: manifest.license,
    builtIn,
    inPlace,
    current: id === current,
    folder,
    importedBy: manifest.origin?.importer ?? null,
    capabilities: Object.entries(capabilities).map(([capability, { clip, basis }]) => ({
      id: capability,
      clip,
      basis,
    })),
    substitutes: Object.entries(substitutes).map(([capability, { capability: uses, reason }]) => ({
      capability,
      uses,
      reason,
    })),
    missing: MAPPED_IDS.filter((each) => !Object.hasOwn(capabilities, each) && !Object.hasOwn(substitutes, each)),
    styles: manifest.styles ?? 'all',
    clips: Object.keys(clips),
  };
}

const BASIS: Readonly<Record<string, string>> = { guessed: ' (guessed: not offered to programs)', named: ' (by name)' };

const linesOf = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];

function tell(facts: Facts): string {
  return [
    `${facts.displayName} (${facts.id}@${facts.version})${facts.current ? ', on the screen' : ''}`,
    facts.description,
    `By ${facts.authors.join(', ')}; licence ${facts.license}${facts.importedBy === null ? '' : `; ${facts.inPlace ? 'read as' : 'imported by'} ${facts.importedBy}`}`,
    ...linesOf(
      'Can do',
      facts.capabilities.map(({ id, clip, basis }) => `${id} with the clip ${clip}${BASIS[basis] ?? ''}`),
    ),
    ...linesOf(
      'Instead, where a program allows it',
      facts.substitutes.map(({ capability, uses, reason }) => `${capability} by ${uses}: ${reason}`),
    ),
    ...linesOf('Cannot do', facts.missing),
    `Styles: ${facts.styles === 'all' ? 'all' : facts.styles.join(', ')}`,
    `Files: ${facts.folder}${facts.inPlace ? ' (shown from there, in a followed folder; nothing of it is installed)' : ''}`,
  ].join('\n');
}

export const charactersShow = defineCommand({
  takes: ['CHARACTER'],
  summary: 'Say what this character can do, who made it and where it lies. Needs no key and asks no host.',
  about: null,
  output: 'plain',
  options: {},
  examples: ['companion characters show builtin.nib', 'companion characters show org.example.ghost --json'],
  run: async ({ io, words: [id = ''] }): Promise<Answer> => {
    const local = await readLocalCharacters(io);
    const facts = factsOf(findLocal(local, id), local.current);
    return { json: facts, plain: tell(facts), error: null };
  },
});
