/** Adds a pack index, or gives one another place. */
import { resolve } from 'node:path';
import { PackError } from '../../../server/packs/types.ts';
import { defineNdjson, done } from '../define.ts';
import { exactly, record, text } from '../packs/schemas.ts';

const isUrl = (place: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(place);

export const addRepo = defineNdjson({
  name: 'add_repo',
  description:
    'Add a pack index (repo) under a name; the same name again replaces its place. It is not read until something is looked for.',
  destructive: true,
  pausable: false,
  droppable: false,
  inputSchema: record(
    {
      name: text,
      url: { ...text, description: 'A folder, or a file:, http: or https: URL of one, that holds index.json' },
    },
    ['name', 'url'],
  ),
  outputSchema: exactly({ name: text, url: text }),
  run: async ({ name, url }, _conversation, { library, cwd }) => {
    if (name.trim() === '' || url.trim() === '') {
      throw new PackError('E_INVALID_INPUT', 'add_repo requires non-empty name and url');
    }
    await library().addIndex({ name, url: isUrl(url) ? url : resolve(cwd, url) });
    const added = library()
      .indexes()
      .find((index) => index.name === name);
    return done({ name, url: added?.url ?? url });
  },
});
