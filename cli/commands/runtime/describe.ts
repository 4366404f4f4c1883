/** `companion runtime describe`: works before any pairing, and tells what the key allows when there is one. */
import { resolvePaths } from '../../../server/protocol/paths.ts';
import { defineCommand, jsonAnswer } from '../../command.ts';
import { unnamedProfiles } from '../../profiles.ts';

export const runtimeDescribe = defineCommand({
  takes: [],
  summary: null,
  about: { method: 'runtime.describe' },
  output: 'json',
  options: {},
  examples: ['companion runtime describe --json'],
  run: async ({ io, values, connect }) => {
    const named = values['credential-profile'] ?? io.env.COMPANION_PROFILE;
    const unpaired = !named && unnamedProfiles(resolvePaths(io.env).credentialsFolder).length === 0;
    const client = await connect(unpaired ? { key: null } : {});
    return jsonAnswer(await client.describe());
  },
});
