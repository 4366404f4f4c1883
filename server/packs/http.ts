/** Reads a file over HTTP in bounded time, following few redirects and none that gives up encryption. */

import { assertGoing } from './failure.ts';
import { createPatience, type Patience, type PatienceLimits } from './patience.ts';
import { codeOf } from './system-error.ts';
import { PackError } from './types.ts';

const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

/** Bytes of a file, from `startsAt` on. A chunk may be overwritten when the next one is asked for. */
export interface Bytes {
  readonly startsAt: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

const network = (url: string, reason: string): PackError => new PackError('E_NETWORK', `${url}: ${reason}`);

/** What fetch throws is `fetch failed`, and the reason stands in its cause. */
function reasonOf(error: unknown): string {
  const cause = (error as { readonly cause?: unknown } | null)?.cause;
  return codeOf(cause) ?? codeOf(error) ?? 'the connection broke';
}

function nextUrl(url: string, response: Response): string | null {
  if (!REDIRECTS.includes(response.status)) return null;
  const location = response.headers.get('location');
  if (location === null || !URL.canParse(location, url)) throw network(url, 'redirects to nowhere');
  const next = new URL(location, url);
  if (next.protocol !== 'https:' && next.protocol !== 'http:') throw network(url, 'redirects to what is not HTTP');
  if (next.protocol === 'http:' && url.startsWith('https:')) throw network(url, 'redirects from https to http');
  if (next.username !== '' || next.password !== '') throw network(url, 'redirects to a URL with a password');
  return next.href;
}

async function request(url: string, headers: Record<string, string>, patience: Patience): Promise<Response> {
  try {
    return await patience.spend(() => fetch(url, { headers, redirect: 'manual', signal: patience.signal }));
  } catch (error) {
    assertGoing(patience.signal);
    throw network(url, `cannot be reached (${reasonOf(error)})`);
  }
}

async function follow(first: string, headers: Record<string, string>, patience: Patience): Promise<Response> {
  let url = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await request(url, headers, patience);
    let next: string | null;
    try {
      next = nextUrl(url, response);
    } catch (error) {
      await drop(response);
      throw error;
    }
    if (next === null) return response;
    await drop(response);
    url = next;
  }
  throw network(first, `redirects more than ${MAX_REDIRECTS} times`);
}

/** Lets go of a body nobody reads, and with it of the connection. */
const drop = async (response: Response): Promise<void> => response.body?.cancel().catch(() => {});

async function* read(url: string, response: Response, patience: Patience): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { done, value } = await patience.spend(() => reader.read());
      if (done) return;
      yield value;
    }
  } catch (error) {
    assertGoing(patience.signal);
    throw error instanceof PackError ? error : network(url, `broke off (${reasonOf(error)})`);
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** First byte that an answer 206 brings; null: it does not say. */
function rangeStart(response: Response): number | null {
  const found = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '');
  return found === null ? null : Number(found[1]);
}

/**
 * The bytes at `url`, from `fromByte` on if the server can, else from the beginning. E_NETWORK: nobody answers, too slowly,
 * or with an error; E_NOT_FOUND: the server is there and says that the file is not, so that trying again is of no use.
 */
export async function getHttp(
  url: string,
  fromByte: number,
  limits: PatienceLimits,
  signal: AbortSignal,
): Promise<Bytes> {
  const patience = createPatience(url, limits, signal);
  // Sizes and checksums are those of the file as it lies there, so nothing may be packed on the way.
  const headers = { 'accept-encoding': 'identity', ...(fromByte > 0 ? { range: `bytes=${fromByte}-` } : {}) };
  const response = await follow(url, headers, patience);
  const isPart = response.status === 206 && fromByte > 0;
  if (response.status === 200 || (isPart && rangeStart(response) === fromByte))
    return { startsAt: isPart ? fromByte : 0, chunks: read(url, response, patience) };
  await drop(response);
  // Asked for a part it cannot give: ask for the whole.
  if (fromByte > 0 && (isPart || response.status === 416)) return getHttp(url, 0, limits, signal);
  if (response.status === 404 || response.status === 410) throw new PackError('E_NOT_FOUND', `${url}: is not there`);
  throw network(url, `answers with status ${response.status}`);
}
