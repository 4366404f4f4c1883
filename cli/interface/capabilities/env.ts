/** Says where everything is, in the eight words clients of the interface know. */
import { join } from 'node:path';
import { defineNdjson, done } from '../define.ts';
import { exactly, NOTHING, text } from '../packs/schemas.ts';

/** Language of the caller's environment, as `en` or `zh`. */
function languageOf(env: Readonly<Record<string, string | undefined>>): string {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  return locale.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

export const env = defineNdjson({
  name: 'env',
  description:
    'Tell where things are: xlingsHome = data folder, dataDir and libDir = folder of installed packs, subosDir and binDir = folder of the active wardrobe (sub-OS). There are no mirrors.',
  destructive: false,
  pausable: false,
  droppable: true,
  inputSchema: NOTHING,
  outputSchema: exactly({
    activeSubos: text,
    binDir: text,
    dataDir: text,
    lang: text,
    libDir: text,
    mirror: text,
    subosDir: text,
    xlingsHome: text,
  }),
  run: async (_params, conversation, world) => {
    const { name, folder } = world.library().active();
    const packs = join(world.dataFolder, 'packs');
    const data = {
      activeSubos: name,
      binDir: folder,
      dataDir: packs,
      lang: languageOf(world.env),
      libDir: packs,
      mirror: '',
      subosDir: folder,
      xlingsHome: world.dataFolder,
    };
    conversation.data('env', data);
    return done(data);
  },
});
