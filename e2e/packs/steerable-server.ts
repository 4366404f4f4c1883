/** An index on a loopback HTTP server that is as slow as the test wants. */
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export interface SteerableServer {
  readonly url: string;
  /** Paths that were asked for, in order. */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

/** How a file is sent: in so many parts, with a pause after each; a delay before the first. */
export interface Pace {
  readonly delayMs?: number;
  readonly parts?: number;
  readonly pauseMs?: number;
}

function send(response: ServerResponse, bytes: Buffer, { parts = 1, pauseMs = 0 }: Pace): void {
  const size = Math.ceil(bytes.length / parts);
  let at = 0;
  const next = (): void => {
    if (response.destroyed) return;
    response.write(bytes.subarray(at, at + size));
    at += size;
    if (at >= bytes.length) response.end();
    else setTimeout(next, pauseMs);
  };
  next();
}

/** Serves the files of `folder`; `paceOf` says how, or null for a refusal. */
export async function startServer(folder: string, paceOf: (file: string) => Pace | null): Promise<SteerableServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const file = decodeURIComponent((request.url ?? '/').slice(1));
    asked.push(file);
    const pace = paceOf(file);
    if (pace === null) {
      response.writeHead(500).end();
      return;
    }
    const whole = readFileSync(join(folder, file));
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const bytes = whole.subarray(from);
    const range = from > 0 && { 'content-range': `bytes ${from}-${whole.length - 1}/${whole.length}` };
    setTimeout(() => {
      response.writeHead(from > 0 ? 206 : 200, { 'content-length': bytes.length, ...range });
      send(response, bytes, pace);
    }, pace.delayMs ?? 0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
