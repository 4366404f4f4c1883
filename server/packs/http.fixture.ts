/** A server of a test's own on the loopback interface. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface TestServer {
  /** `http://127.0.0.1:PORT`, without a slash at its end. */
  readonly url: string;
  /** Method, path and range of each request so far. */
  readonly requests: readonly { readonly path: string; readonly range: string | undefined }[];
  /** From now on nobody can connect. */
  stop(): void;
}

/** Answers with `handle` until the test ends. */
export async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<TestServer> {
  const requests: { path: string; range: string | undefined }[] = [];
  const server = createServer((request, response) => {
    requests.push({ path: request.url ?? '', range: request.headers.range });
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: () => void server.close(),
  };
}

/** Answers with `body`, or the part of it that is asked for. */
export function answer(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  if (from === 0) response.writeHead(200, { 'content-length': body.length });
  else
    response.writeHead(206, {
      'content-length': body.length - from,
      'content-range': `bytes ${from}-${body.length - 1}/${body.length}`,
    });
  response.end(body.subarray(from));
}

/** The file of an index's folder that `path` of a URL names. */
export const readIndexFile = (folder: string, path = '/'): Buffer => readFileSync(join(folder, basename(path)));

/** Answers with that file, or the part of it that is asked for. */
export const answerFile = (folder: string, request: IncomingMessage, response: ServerResponse): void =>
  answer(request, response, readIndexFile(folder, request.url));
