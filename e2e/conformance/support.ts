/** What a stranger's program would use: raw HTTP over the Unix socket, and a pairing that the user confirms in the page. Not our client library. */
import { randomBytes } from 'node:crypto';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Snapshot } from '../../server/protocol/snapshot.ts';
import { type LaunchedCompanion, until } from '../harness.ts';
import { click } from './support-page.ts';

const VERSION = '0.1';
const ENDED = ['completed', 'cancelled', 'expired', 'failed'];
const LONG_WAIT_MS = 10_000;

/** An HTTP answer; `text` is its body. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface RawOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
  readonly method?: string;
  /** Default: a connection of its own for each request. */
  readonly agent?: Agent;
}

/** Sends `body` as it is; JSON content type and protocol version are set unless `headers` say otherwise (an empty value: leave it out). */
export function rawPost(socketPath: string, body: string | Buffer, options: RawOptions = {}): Promise<RawAnswer> {
  const given = { 'content-type': 'application/json', 'companion-protocol': VERSION, ...options.headers };
  const headers = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  const { path = '/rpc', method = 'POST', agent = new Agent() } = options;
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, path, method, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    call.on('error', reject);
    call.end(body);
  });
}

/** What an error answer says. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly rpcCode: number;
  readonly code: string;
  readonly retryable: boolean;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** The error object as text, for comparisons to the byte. */
  readonly text: string;
  constructor(error: {
    readonly code: number;
    readonly message: string;
    readonly data: { readonly code: string; readonly retryable: boolean; readonly details?: Record<string, unknown> };
  }) {
    super(`${error.data.code} ${JSON.stringify(error.data.details ?? {})}`);
    this.rpcCode = error.code;
    this.code = error.data.code;
    this.retryable = error.data.retryable;
    this.details = error.data.details;
    this.text = JSON.stringify(error);
  }
}

/** Gives the result of one answer body. Throws Refusal. */
export function resultOf<Result>(text: string): Result {
  const answer = JSON.parse(text);
  if (answer.error !== undefined) throw new Refusal(answer.error);
  return answer.result as Result;
}

const bearer = (key: string | null): Record<string, string> => (key === null ? {} : { authorization: `Bearer ${key}` });

/** Calls one method; `key` null: without any. Throws Refusal. */
export async function callRpc<Result = Snapshot>(
  socketPath: string,
  key: string | null,
  method: string,
  params?: unknown,
  agent?: Agent,
): Promise<Result> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const { text } = await rawPost(socketPath, body, { headers: bearer(key), ...(agent && { agent }) });
  return resultOf<Result>(text);
}

/** The refusal that `promise` ends with. Throws when it does not. */
export async function refusalOf(promise: Promise<unknown>): Promise<Refusal> {
  const end = await promise.then(
    () => null,
    (error: unknown) => error,
  );
  if (end instanceof Refusal) return end;
  throw end ?? new Error('it was not refused');
}

/** A paired program. */
export interface Client {
  readonly key: string;
  readonly clientId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  call<Result = Snapshot>(method: string, params?: unknown): Promise<Result>;
  /** `requests.create` with `params`; `more` are further fields of the call. */
  create(capability: string, params: object, more?: object): Promise<Snapshot>;
  get(requestId: string): Promise<Snapshot>;
  /** Waits until the snapshot is as `is` says. */
  settled(requestId: string, is: (snapshot: Snapshot) => boolean): Promise<Snapshot>;
  ended(requestId: string): Promise<Snapshot>;
  shown(requestId: string): Promise<Snapshot>;
}

function clientOf(
  socketPath: string,
  who: { readonly key: string; readonly clientId: string; readonly name: string; readonly scopes: readonly string[] },
): Client {
  const call: Client['call'] = (method, params) => callRpc(socketPath, who.key, method, params);
  const settled: Client['settled'] = async (requestId, is) => {
    let snapshot = await call('requests.get', { requestId });
    while (!is(snapshot)) {
      const before = snapshot;
      const wait = { requestId, afterRevision: before.revision, waitMs: LONG_WAIT_MS };
      const { unchanged: _, ...newest } = await call<Snapshot & { unchanged: boolean }>('requests.wait', wait);
      snapshot = newest;
      if (snapshot.revision === before.revision)
        throw new Error(`${before.capability} stays ${before.status} at revision ${before.revision}`);
    }
    return snapshot;
  };
  return {
    ...who,
    call,
    create: (capability, params, more) => call('requests.create', { capability, params, ...more }),
    get: (requestId) => call('requests.get', { requestId }),
    settled,
    ended: (requestId) => settled(requestId, ({ status }) => ENDED.includes(status)),
    shown: (requestId) => settled(requestId, ({ displayedAt }) => displayedAt !== null),
  };
}

export const ALL_SCOPES = ['discover', 'animate', 'notify', 'interact'] as const;

export interface Pairing {
  readonly pairingId: string;
  readonly pairingSecret: string;
  readonly code: string;
  readonly expiresAt: string;
}

/** A name that no other pairing has. */
export const uniqueName = (name: string): string => `${name} ${randomBytes(4).toString('hex')}`;

/** Asks to be paired; the card may have to wait for its turn. */
export const requestPairing = (
  { socketPath }: LaunchedCompanion,
  params: { readonly name: string; readonly scopes: readonly string[]; readonly about?: string },
): Promise<Pairing> => callRpc<Pairing>(socketPath, null, 'pairing.request', params);

/** Takes the key of an approved pairing. */
export async function takeKey(
  { socketPath }: LaunchedCompanion,
  { pairingId, pairingSecret }: Pairing,
): Promise<Client> {
  const params = { pairingId, pairingSecret, waitMs: LONG_WAIT_MS };
  const word = await callRpc<Omit<Client, 'call'> & { readonly status: string }>(
    socketPath,
    null,
    'pairing.wait',
    params,
  );
  if (word.status !== 'approved') throw new Error(`the pairing is ${word.status}`);
  const { key, clientId, name, scopes } = word;
  return clientOf(socketPath, { key, clientId, name, scopes });
}

/**
 * Pairs a program of its own for the running test, with a click on the card; when the test is over it gives its key back,
 * and with it everything it had open.
 */
export async function pairClient(
  companion: LaunchedCompanion,
  { name = 'tester', scopes = ALL_SCOPES }: { readonly name?: string; readonly scopes?: readonly string[] } = {},
): Promise<Client> {
  const pairing = await requestPairing(companion, { name: uniqueName(name), scopes });
  await click(companion.page, `[data-pairing-id="${pairing.pairingId}"] [data-action="approve"]`);
  const client = await takeKey(companion, pairing);
  onTestFinished(async () => {
    await client.call('auth.revokeSelf').catch(() => undefined);
  });
  return client;
}

export interface Description {
  readonly runtimeInstanceId: string;
  readonly access: 'on' | 'off';
  readonly accepting: { readonly ok: boolean; readonly reason: string | null };
  readonly reducedMotion: { readonly on: boolean; readonly by: string | null };
  readonly limits: Readonly<Record<string, number>>;
  readonly retention: { readonly resultMs: number; readonly tombstoneMs: number };
  readonly authorization: { readonly clientId: string; readonly name: string; readonly scopes: string[] } | null;
}

/** `runtime.describe` without a key. */
export const describeRuntime = ({ socketPath }: LaunchedCompanion): Promise<Description> =>
  callRpc<Description>(socketPath, null, 'runtime.describe');

/** Waits until `runtime.describe` is as `is` says. */
export const described = (
  companion: LaunchedCompanion,
  what: string,
  is: (description: Description) => boolean,
): Promise<Description> =>
  until(what, async () => {
    const description = await describeRuntime(companion);
    return is(description) && description;
  });

/** Switches outside access on, by the first-run card. */
export async function enableAccess(companion: LaunchedCompanion): Promise<void> {
  await click(companion.page, '[data-action="enable-access"]');
  await described(companion, 'access is on', ({ access }) => access === 'on');
}
