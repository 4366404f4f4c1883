/** `companion hooks install AGENT`. */
import { AGENTS } from '../../../server/protocol/hooks.ts';
import { hookCommand, hooksIn, wantedGroups } from '../../agents/hook-entries.ts';
import { PRINT_OPTION, SCOPE_OPTION } from '../../agents/options.ts';
import { hasProfile } from '../../agents/pairing.ts';
import { defineCommand } from '../../command.ts';
import { putOurs } from '../../settings/change.ts';
import { loadSettings } from '../../settings/load.ts';
import { HOOK_PROFILE } from '../hook.ts';
import { recordsOf } from '../mcp/place.ts';
import { obstaclesOf } from './obstacles.ts';
import { assertLasting, hooksPlace } from './place.ts';

export const hooksInstall = defineCommand({
  takes: ['AGENT'],
  summary: `Have an agent tell the companion how its sessions are going and ask for permission on the figure: ${AGENTS.join(' or ')}. Adds entries to its hooks, keeps a backup, and leaves everything else as it is; a file that cannot be read is not touched. Without a companion the agent asks in the terminal as ever.`,
  about: null,
  output: 'plain',
  options: { ...SCOPE_OPTION, ...PRINT_OPTION },
  examples: ['companion hooks install claude-code', 'companion hooks install codex --print'],
  run: async (context) => {
    const { io, words, values } = context;
    const place = hooksPlace(io, words[0], values.scope);
    const { name, agent, file, program } = place;
    assertLasting(io, place);
    const needs = [
      ...(hasProfile(context, HOOK_PROFILE) ? [] : [`Pair it, and approve on the figure: ${place.pair}`]),
      ...obstaclesOf(io, place),
    ];
    if (values.print) {
      const groups = Object.entries(wantedGroups(agent, hookCommand(program, name)));
      const entries = { hooks: Object.fromEntries(groups.map(([event, group]) => [event, [group]])) };
      const text = JSON.stringify(entries, null, 2);
      return { json: { agent: name, file, entries, needs }, plain: `${file}\n\n${text}`, error: null };
    }
    const { changed, backup } = putOurs(file, hooksIn(name, agent, program, loadSettings()), recordsOf(io));
    const lines = [
      changed ? `Put into ${file}.` : `They are in ${file} already.`,
      ...(backup === null ? [] : [`The file as it was: ${backup}`]),
      ...needs,
      ...(changed ? [agent.afterwards] : []),
    ];
    return { json: { agent: name, file, changed, backup, needs }, plain: lines.join('\n'), error: null };
  },
});
