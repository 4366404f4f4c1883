/** Says what the library of packs holds and where it lies. */
import { defineNdjson, done } from '../define.ts';
import { row } from '../packs/panel.ts';
import { exactly, NOTHING, text, whole } from '../packs/schemas.ts';

export const systemStatus = defineNdjson({
  name: 'system_status',
  description:
    'Tell where the library of character packs lies and what it holds: packs, active wardrobe (sub-OS), chosen character, indexes (repos).',
  destructive: false,
  pausable: false,
  droppable: true,
  inputSchema: NOTHING,
  outputSchema: exactly({
    dataFolder: text,
    wardrobe: text,
    character: { ...text, description: 'ID of the character the user chose; empty: the built-in default' },
    packages: { ...whole, description: 'Installed packs, all versions counted' },
    broken: { ...whole, description: 'Of these, the ones that cannot be used' },
    wardrobes: whole,
    indexes: whole,
  }),
  run: async (_params, conversation, { library, dataFolder }) => {
    const [active, installed] = [library().active(), library().installed()];
    const data = {
      dataFolder,
      wardrobe: active.name,
      character: active.current ?? '',
      packages: installed.length,
      broken: installed.filter(({ manifest }) => manifest === null).length,
      wardrobes: library().wardrobes().length,
      indexes: library().indexes().length,
    };
    conversation.data('system_info', {
      title: 'companion status',
      fields: [
        row('data folder', dataFolder),
        row('active wardrobe', active.name, true),
        row('wardrobe folder', active.folder),
        row('character', active.current ?? 'built-in default'),
        row('packs', `${data.packages}, ${data.broken} of them broken`),
        row('wardrobes', String(data.wardrobes)),
        row('indexes', String(data.indexes)),
      ].map((each) => ({ ...each })),
    });
    return done(data);
  },
});
