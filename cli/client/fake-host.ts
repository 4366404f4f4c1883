/** For tests only: something that answers on a Unix socket like the host, as the test tells it to. Keeps what it was asked. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ERRORS, type ErrorCode } from '../../server/protocol/errors.ts';
import type { Snapshot } from '../../server/protocol/snapshot.ts';

export interface FakeCall {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly headers: IncomingMessage['headers'];
}

/** What the host does with a call: an answer, an error, a cut line, silence. */
export type FakeReply =
  | { readonly result: unknown }
  | { readonly error: ErrorCode; readonly details?: object }
  | 'cut'
  | 'silence';

export type FakeHandler = (call: FakeCall, calls: readonly FakeCall[]) => FakeReply | Promise<FakeReply>;

export interface FakeHost {
  /** An own folder, 0700: use it as HOME and XDG_RUNTIME_DIR. */
  readonly home: string;
  readonly socketPath: string;
  readonly env: Readonly<Record<string, string>>;
  readonly calls: readonly FakeCall[];
  /** Connections accepted so far. */
  connections(): number;
  stop(): Promise<void>;
}

/** A snapshot with `fields` in place of its own. */
export const snapshot = (fields: Partial<Snapshot> = {}): Snapshot => ({
  requestId: 'r1',
  runtimeInstanceId: 'i1',
  capability: 'notice.show',
  capabilityVersion: '0.1.0',
  taskId: null,
  status: 'queued',
  revision: 1,
  reason: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  deadlineAt: '2026-01-01T00:10:00.000Z',
  displayedAt: null,
  endedAt: null,
  retainedUntil: null,
  resolvedCapability: 'notice.show',
  resolvedStyle: 'plain',
  resolvedCharacter: 'builtin.nib',
  substituteReason: null,
  control: null,
  failure: null,
  result: null,
  ...fields,
});

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

function toMessage(id: unknown, reply: Exclude<FakeReply, string>): object {
  if ('result' in reply) return { jsonrpc: '2.0', id, result: reply.result };
  const { rpcCode, retryable, message } = ERRORS[reply.error];
  const data = { code: reply.error, retryable, ...(reply.details && { details: reply.details }) };
  return { jsonrpc: '2.0', id, error: { code: rpcCode, message, data } };
}

/** Starts a host in a folder of its own. */
export async function startFakeHost(handler: FakeHandler): Promise<FakeHost> {
  const home = mkdtempSync(join(tmpdir(), 'companion-fake-'));
  chmodSync(home, 0o700);
  const socketPath = join(home, 'companion.sock');
  const calls: FakeCall[] = [];
  let connections = 0;
  const server: Server = createServer(async (request, response) => {
    const { id, method, params } = JSON.parse(await readBody(request));
    const call = { method, params, headers: request.headers };
    calls.push(call);
    const reply = await handler(call, calls);
    if (reply === 'silence') return;
    if (reply === 'cut') request.socket.destroy();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(toMessage(id, reply)));
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return {
    home,
    socketPath,
    env: { HOME: home, COMPANION_SOCKET: socketPath },
    calls,
    connections: () => connections,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(home, { recursive: true, force: true });
    },
  };
}
