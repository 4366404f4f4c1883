/** The floors on the server's side: newline frames in bare Node, with and without one synced SQLite commit a call. */
import { createServer, type Socket } from 'node:net';
import Database from 'better-sqlite3';

export interface FloorServer {
  readonly socketPath: string;
  /** JSON text of what every call is answered with. */
  readonly answer: string;
  /** With it each call is one transaction of two rows, committed by itself before the answer leaves. */
  readonly database: string | null;
}

type Answer = (params: unknown) => unknown;

/** Parses each line as a JSON-RPC call and answers with the given result: the least a server in Node can do. */
function serveFrames(socketPath: string, answer: Answer): Promise<void> {
  const serve = (socket: Socket): void => {
    let rest = '';
    socket.setEncoding('utf8');
    socket.on('error', () => {});
    socket.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        const { id, params } = JSON.parse(line) as { id: unknown; params: unknown };
        socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: answer(params) })}\n`);
      }
    });
  };
  return new Promise((resolve) => {
    createServer(serve).listen(socketPath, resolve);
  });
}

/** A row and its idempotency record, WAL with synchronous FULL, one commit a call. */
function committing(path: string, result: unknown): Answer {
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('locking_mode = EXCLUSIVE');
  database.exec(`
    CREATE TABLE requests (id INTEGER PRIMARY KEY, params TEXT NOT NULL, snapshot TEXT NOT NULL) STRICT;
    CREATE TABLE keys (client TEXT, key TEXT, request INTEGER, PRIMARY KEY (client, key)) STRICT, WITHOUT ROWID;`);
  const request = database.prepare('INSERT INTO requests (params, snapshot) VALUES (?, ?)');
  const key = database.prepare('INSERT INTO keys (client, key, request) VALUES (?, ?, ?)');
  const insert = database.transaction((params: { readonly idempotencyKey: string }) => {
    const { lastInsertRowid } = request.run(JSON.stringify(params), JSON.stringify(result));
    key.run('client', params.idempotencyKey, lastInsertRowid);
  });
  return (params) => {
    insert(params as { readonly idempotencyKey: string });
    return result;
  };
}

/** What the child in this role does: serves until it is ended. */
export async function runFloorServer({ socketPath, answer, database }: FloorServer): Promise<void> {
  const result: unknown = JSON.parse(answer);
  await serveFrames(socketPath, database === null ? () => result : committing(database, result));
  process.send?.('ready');
}
