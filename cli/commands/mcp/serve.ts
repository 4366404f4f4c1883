/** `companion mcp`: an MCP server on standard input and output. */
import { defineCommand } from '../../command.ts';
import { loadMcp } from '../../doors/load.ts';

export const mcp = defineCommand({
  takes: [],
  summary:
    'Serve MCP (Model Context Protocol) on standard input and output, so that an agent can show notices and progress and ask you questions. Clients start it; see: companion mcp install. A question keeps its call open with progress notifications and, before the client loses patience, hands it over as still open.',
  about: null,
  output: 'plain',
  options: {
    'answer-within': {
      kind: 'duration',
      value: 'DUR',
      help: "how long a question's call may last; by default 45s, and 4m for clients that hear progress",
    },
  },
  examples: ['companion mcp --credential-profile claude-code', 'companion mcp --answer-within 9m'],
  run: async ({ io, values, interruption }) => {
    const { runMcp } = await loadMcp();
    return runMcp(
      { io, interruption },
      { profile: values['credential-profile'], answerWithinMs: values['answer-within'] ?? null },
    );
  },
});
