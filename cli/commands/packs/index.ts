/** `companion packs index DIR`: makes a folder of packs a place that packs can be installed from. */
import { resolve } from 'node:path';
import { defineCommand } from '../../command.ts';
import { CompanionError } from '../../companion-error.ts';
import { loadPacks } from '../../packs/load.ts';
import { toRefusal } from '../../packs/refusal.ts';

export const packsIndex = defineCommand({
  takes: ['DIR'],
  summary:
    'Zip every pack folder in DIR and write index.json over all zips there, with size and SHA-256 of each. Add it as an index with companion interface add_repo. Exit code 5 when something in DIR is no usable pack; the others are in the index nevertheless.',
  about: null,
  output: 'json',
  options: {},
  examples: ['companion packs index ~/my-packs'],
  run: async ({ words, interruption }) => {
    const { buildIndex } = await loadPacks();
    const signal = interruption();
    const built = await buildIndex(resolve(words[0]!), signal).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : toRefusal(error);
    });
    const files = built.unusable.map(({ file }) => file);
    const told = { message: 'Not everything there is a usable pack.', details: { files } };
    const error = files.length === 0 ? null : new CompanionError('REFUSED', told);
    return { json: built, plain: JSON.stringify(built), error };
  },
});
