/** The MCP server: what it lists, how it runs a tool, and what it takes back when the client goes. Knows streams, no process. */
import type { Readable, Writable } from 'node:stream';
import { ProtocolError, ProtocolErrorCode, Server, type ServerContext, type Tool } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { IMPLEMENTATION } from '../../../server/protocol/version.ts';
import type { JsonObject } from '../../../server/protocol/words.ts';
import type { McpTool } from '../../../server/registry/emit/mcp-tools.ts';
import type { Client } from '../../client/client.ts';
import type { Io } from '../../io.ts';
import { callTool } from './call.ts';
import { toFailure } from './failure.ts';
import { HostLink } from './host-link.ts';
import { makeLineGate } from './line-gate.ts';
import { SHORT_ANSWER_MS } from './report.ts';

/** With progress a client waits longer; this is below the five minutes that the least patient of those allow. */
const LONG_ANSWER_MS = 240_000;
/** How long what is taken back at the end may take. */
const LAST_WORDS_MS = 3_000;

const INSTRUCTIONS =
  "The companion is a figure on the user's desktop through which you can show notices and progress and ask questions; the user answers " +
  'there, wherever they are working. Ask when you need a decision, and keep titles short. Only `action: accept` is an answer: decline, ' +
  'cancel and still_open are not consent. A question that is still open stays on the screen: wait on, do not ask it twice.';

export interface McpDoor {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly env: Io['env'];
  connect(): Promise<Client>;
  /** All there are, and those that the key in use allows; asked for each time, for the user may pair meanwhile. */
  tools(): { readonly all: readonly McpTool[]; readonly allowed: readonly McpTool[] };
  /** How long a question's call may last; null: as long as such a client usually waits. */
  readonly answerWithinMs: number | null;
  /** Ends the server from outside. */
  readonly signal: AbortSignal;
}

const toListed = ({ name, title, description, inputSchema, outputSchema, annotations }: McpTool): Tool =>
  ({ name, title, description, inputSchema, outputSchema, annotations }) as unknown as Tool;

/** What tells the caller of `context` that its call goes on; null when it did not ask to hear. */
function beatOf({ mcpReq }: ServerContext): ((elapsedMs: number) => void) | null {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return null;
  return (elapsedMs) => {
    const progress = elapsedMs / 1_000;
    const message = `Waiting for the user (${progress} s)`;
    void mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
      .catch(() => {});
  };
}

/** What one connection has under way, and how it ends. */
class Doings {
  readonly #link: HostLink;
  readonly #calls = new Set<Promise<unknown>>();
  readonly #owned = new Set<string>();

  constructor(link: HostLink) {
    this.#link = link;
  }

  track<T>(call: Promise<T>): Promise<T> {
    this.#calls.add(call);
    const forget = (): void => void this.#calls.delete(call);
    call.then(forget, forget);
    return call;
  }

  /** A progress card without a key has nobody left to end it when the client goes. */
  own(requestId: string): void {
    this.#owned.add(requestId);
  }

  /** Takes back what only this client could have ended, and waits for its calls to end; never throws. */
  async end(): Promise<void> {
    const cancels = [...this.#owned].map((requestId) => this.#link.use((client) => client.cancel(requestId)));
    const limit = new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS).unref());
    await Promise.race([Promise.allSettled([...this.#calls, ...cancels]), limit]);
  }
}

function makeServer(door: McpDoor, link: HostLink, doings: Doings): Server {
  const { answerWithinMs, env } = door;
  const server = new Server(IMPLEMENTATION, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  server.setRequestHandler('tools/list', async () => ({ tools: door.tools().allowed.map(toListed) }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = door.tools().all.find(({ name }) => name === params.name);
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.');
    const beat = beatOf(context);
    const withinMs = answerWithinMs ?? (beat === null ? SHORT_ANSWER_MS : LONG_ANSWER_MS);
    const { signal } = context.mcpReq;
    const onOwned = (requestId: string): void => doings.own(requestId);
    const call = callTool(tool, (params.arguments ?? {}) as JsonObject, { link, withinMs, signal, beat, onOwned });
    const result = await doings.track(call).catch((error) => toFailure(error, env));
    return server.projectCallToolResult(result, tool.outputSchema);
  });
  return server;
}

/** Resolves when the client has closed its end, reads no more, or `signal` says so. */
const whenGone = ({ stdin, stdout, signal }: McpDoor): Promise<void> =>
  new Promise((resolve) => {
    const gone = (): void => resolve();
    for (const name of ['end', 'close', 'error']) stdin.once(name, gone);
    for (const name of ['close', 'error']) stdout.once(name, gone);
    if (signal.aborted) gone();
    else signal.addEventListener('abort', gone, { once: true });
  });

/** Serves one client until it goes; then takes back what only that client could have ended. Never throws. */
export async function serveMcp(door: McpDoor): Promise<void> {
  const { stdin, stdout } = door;
  const link = new HostLink(door.connect);
  const doings = new Doings(link);
  const gate = makeLineGate((refusal) => void stdout.write(`${JSON.stringify(refusal)}\n`));
  const gone = whenGone(door);
  const handle = serveStdio(() => makeServer(door, link, doings), {
    transport: new StdioServerTransport(stdin.pipe(gate), stdout),
  });
  await gone;
  await handle.close();
  await doings.end();
  link.close();
}
