/** Lists the pack indexes. */
import { defineNdjson, done } from '../define.ts';
import { exactly, listOf, NOTHING, text } from '../packs/schemas.ts';

export const listRepos = defineNdjson({
  name: 'list_repos',
  description: 'List the pack indexes (a repo is a pack index: a folder or URL that packs come from).',
  destructive: false,
  pausable: false,
  droppable: true,
  inputSchema: NOTHING,
  outputSchema: exactly({ repos: listOf(exactly({ name: text, url: text, scope: text })) }),
  run: async (_params, conversation, { library }) => {
    const repos = library()
      .indexes()
      .map(({ name, url }) => ({ name, url, scope: 'global' }));
    conversation.data('repo_list', { override: 'global', repos });
    return done({ repos });
  },
});
