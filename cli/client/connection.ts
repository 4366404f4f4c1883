/** One connection to the host's socket with at most one call on it, and a small stock of them (R1). Knows bytes, no methods. */
import { lstatSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { CompanionError } from '../companion-error.ts';
import { type HttpResponse, ResponseReader, writeRequest } from './http.ts';
import { abortable, onAbort } from './time.ts';

/** Calls at once; further ones take their turn. The host admits LIMITS.maxConnections in all. */
const MAX_CONNECTIONS = 64;

/**
 * The exchange failed below JSON-RPC. `unreachable`: nothing was sent; `broken`: the answer is lost, and what became of the
 * call is unknown; `silent`: no answer in time, unknown too; `foreign`: whatever answers there is no companion.
 */
export class LinkError extends Error {
  override readonly name = 'LinkError';
  readonly kind: 'unreachable' | 'broken' | 'silent' | 'foreign';
  constructor(kind: LinkError['kind']) {
    super(`the link is ${kind}`);
    this.kind = kind;
  }
}

/**
 * Makes sure that nobody else can have put this socket there: its folder is the user's own, 0700, and no link (R7).
 * Errors: LinkError `unreachable` when there is no such socket; CREDENTIAL_UNSAFE.
 */
export function assertOwnSocket(socketPath: string): void {
  const folder = dirname(socketPath);
  const socket = lstatSync(socketPath, { throwIfNoEntry: false });
  const room = lstatSync(folder, { throwIfNoEntry: false });
  if (socket === undefined || room === undefined) throw new LinkError('unreachable');
  const mine = process.getuid?.();
  if (!room.isDirectory() || room.uid !== mine || (room.mode & 0o077) !== 0) {
    throw new CompanionError('CREDENTIAL_UNSAFE', { details: { path: folder, needs: 'own folder, mode 0700' } });
  }
  if (socket.uid !== mine) {
    throw new CompanionError('CREDENTIAL_UNSAFE', { details: { path: socketPath, needs: 'own socket' } });
  }
}

interface Exchange {
  readonly reader: ResponseReader;
  resolve(response: HttpResponse): void;
  reject(error: unknown): void;
}

class Connection {
  readonly #socket: Socket;
  #connected = false;
  #exchange: Exchange | null = null;
  closed = false;

  constructor(socketPath: string) {
    this.#socket = createConnection({ path: socketPath });
    this.#socket.on('connect', () => {
      this.#connected = true;
    });
    this.#socket.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => this.#end(new LinkError(this.#connected ? 'broken' : 'unreachable')));
    // The host half-closes to take leave; nothing can be answered on this connection any more.
    this.#socket.on('end', () => this.#socket.destroy());
  }

  #take(chunk: Buffer): void {
    try {
      const response = this.#exchange?.reader.push(chunk);
      if (response === null) return;
      if (response === undefined) throw new Error('an answer nobody asked for');
      const { resolve } = this.#exchange!;
      this.#exchange = null;
      if (response.closes) this.close();
      else this.#socket.unref();
      resolve(response);
    } catch {
      this.#end(new LinkError('foreign'));
    }
  }

  #end(error: unknown): void {
    this.closed = true;
    this.#socket.destroy();
    this.#exchange?.reject(error);
    this.#exchange = null;
  }

  close(): void {
    this.closed = true;
    this.#socket.destroy();
  }

  /** Sends `bytes` and resolves to the answer. `signal` and the time limit end the connection with the call. */
  exchange(bytes: string, timeoutMs: number, signal: AbortSignal | undefined): Promise<HttpResponse> {
    return new Promise<HttpResponse>((resolve, reject) => {
      const forget = signal && onAbort(signal, () => this.#end(signal.reason));
      const timer = setTimeout(() => this.#end(new LinkError(this.#connected ? 'silent' : 'unreachable')), timeoutMs);
      const settle = () => {
        clearTimeout(timer);
        forget?.();
      };
      this.#exchange = {
        reader: new ResponseReader(),
        resolve: (response) => {
          settle();
          resolve(response);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      };
      this.#socket.ref();
      this.#socket.write(bytes);
    });
  }
}

/** Calls that follow each other share one connection; calls at the same time get one each, kept for the next. */
export class Link {
  readonly #socketPath: string;
  readonly #key: string | null;
  readonly #idle: Connection[] = [];
  readonly #busy = new Set<Connection>();
  readonly #turns: (() => void)[] = [];
  #closed = false;

  constructor(socketPath: string, key: string | null) {
    this.#socketPath = socketPath;
    this.#key = key;
  }

  /** One body out, one answer back, within `timeoutMs`. Errors: LinkError; CREDENTIAL_UNSAFE; the signal's reason. */
  async exchange(body: string, timeoutMs: number, signal?: AbortSignal): Promise<HttpResponse> {
    signal?.throwIfAborted();
    while (this.#busy.size >= MAX_CONNECTIONS) await this.#turn(signal);
    if (this.#closed) throw new LinkError('unreachable');
    const connection = this.#take();
    this.#busy.add(connection);
    try {
      return await connection.exchange(writeRequest(body, this.#key), timeoutMs, signal);
    } finally {
      this.#busy.delete(connection);
      if (!connection.closed) this.#idle.push(connection);
      this.#turns.shift()?.();
    }
  }

  /** Waits until a connection is given back. A turn that comes too late is passed on. */
  async #turn(signal: AbortSignal | undefined): Promise<void> {
    const turn = new Promise<void>((resolve) => this.#turns.push(resolve));
    try {
      await abortable(turn, signal);
    } catch (error) {
      void turn.then(() => this.#turns.shift()?.());
      throw error;
    }
  }

  #take(): Connection {
    for (let kept = this.#idle.pop(); kept !== undefined; kept = this.#idle.pop()) if (!kept.closed) return kept;
    assertOwnSocket(this.#socketPath);
    return new Connection(this.#socketPath);
  }

  isClosed(): boolean {
    return this.#closed;
  }

  close(): void {
    this.#closed = true;
    for (const connection of [...this.#idle, ...this.#busy]) connection.close();
  }
}
