/** Chooses which installed version of a character pack the active wardrobe uses. */
import { toCoordinate } from '../../../server/packs/types.ts';
import { defineNdjson, done } from '../define.ts';
import { exactly, filled, record, TARGET, text } from '../packs/schemas.ts';
import { versionsInstalled } from '../packs/targets.ts';

export const useVersion = defineNdjson({
  name: 'use_version',
  description:
    'Make an installed version of a character pack (package) the one the active wardrobe (sub-OS) uses. Which character stands on the screen stays as the user chose it.',
  destructive: true,
  pausable: false,
  droppable: false,
  inputSchema: record(
    { target: TARGET, version: { ...filled, description: 'A version, the beginning of one, or latest' } },
    ['target', 'version'],
  ),
  outputSchema: exactly({ name: text, version: text }),
  run: async ({ target, version }, _conversation, { library }) => {
    const { id } = versionsInstalled(target, library())[0]!;
    const used = await library().useVersion(id, version);
    return done({ name: toCoordinate(used.id), version: used.version });
  },
});
