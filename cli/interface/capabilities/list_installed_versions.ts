/** Lists the installed versions of one character pack. */
import { toCoordinate } from '../../../server/packs/types.ts';
import { defineNdjson, done } from '../define.ts';
import { row } from '../packs/panel.ts';
import { exactly, flag, listOf, record, TARGET, text } from '../packs/schemas.ts';
import { versionsInstalled } from '../packs/targets.ts';

export const listInstalledVersions = defineNdjson({
  name: 'list_installed_versions',
  description: 'List the installed versions of one character pack (package); the active wardrobe’s is highlighted.',
  destructive: false,
  pausable: false,
  droppable: true,
  inputSchema: record({ target: TARGET }, ['target']),
  outputSchema: exactly({ name: text, versions: listOf(exactly({ version: text, folder: text, active: flag })) }),
  run: async ({ target }, conversation, { library }) => {
    const packs = versionsInstalled(target, library());
    const name = toCoordinate(packs[0]!.id);
    const versions = packs.map(({ id, version, folder }) => ({
      version,
      folder,
      active: library().active().packs[id] === version,
    }));
    conversation.data('info_panel', {
      title: `${name} versions`,
      fields: versions.map(({ version, folder, active }) => ({ ...row(version, folder, active) })),
    });
    return done({ name, versions });
  },
});
