/** Row 28: from a call of a tool over MCP until its card is painted, beside the same through the client library. */
import { Client as McpClient } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Client } from '../../cli/client/client.ts';
import type { Bench, Section } from './bench.ts';
import { keepKey } from './companion.ts';
import { type Figure, judge } from './figure.ts';
import { CLI } from './programs.ts';
import { interleave } from './stats.ts';

const ROW = 28;
const PROFILE = 'bench-mcp';
const NOTICE = { text: 'The build is done and the bench goes on.', durationMs: 60_000 };

/** Resolves when the card of the request stands on the screen. */
async function painted(client: Client, requestId: string): Promise<void> {
  let snapshot = await client.get(requestId);
  while (snapshot.displayedAt === null) snapshot = await client.wait(requestId, { afterRevision: snapshot.revision });
}

/** A client of the product's MCP server, the official one, with the key of `key`. */
async function openMcp(env: Readonly<Record<string, string>>, key: string, clientId: string): Promise<McpClient> {
  keepKey(env, PROFILE, { key, clientId, scopes: ['notify'] });
  const mcp = new McpClient({ name: 'bench', version: '1' });
  await mcp.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [CLI, 'mcp', '--credential-profile', PROFILE],
      env: { PATH: process.env.PATH ?? '', ...env },
    }),
  );
  return mcp;
}

async function measure(bench: Bench): Promise<Figure[]> {
  const companion = await bench.companion();
  const { client, key, clientId } = await companion.pair();
  const mcp = await openMcp(companion.env, key, clientId);
  const timed = async (make: () => Promise<string>): Promise<number> => {
    const startedAt = performance.now();
    const requestId = await make();
    await painted(client, requestId);
    const tookMs = performance.now() - startedAt;
    await client.cancel(requestId);
    return tookMs;
  };
  const taken = await interleave(bench.quick ? 10 : 60, {
    floor: () => timed(async () => (await client.create({ capability: 'notice.show', params: NOTICE })).requestId),
    product: () =>
      timed(async () => {
        const { structuredContent } = await mcp.callTool({ name: 'notice_show', arguments: NOTICE });
        return (structuredContent as { requestId: string }).requestId;
      }),
  });
  await mcp.close();
  client.close();
  await companion.ask('clear');
  const name = 'MCP tool call to painted card';
  return [judge({ row: ROW, name, unit: 'ms', floorName: 'companion/client', ...taken, goal: { atMost: 80 } })];
}

export const mcpCalls: Section = { rows: [ROW], measure };
