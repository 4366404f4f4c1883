/** What the indexes offer, read anew each time. */
import { asPackError, assertGoing } from './failure.ts';
import { INDEX_FILE, MAX_INDEX_BYTES, parseIndex } from './index-file.ts';
import { locate, nameOf, openBytes } from './source.ts';
import { type OfferedPack, PackError, type PackIndex } from './types.ts';

const LIMITS = { idleMs: 30_000, totalMs: 60_000 };

async function readText(index: PackIndex, signal: AbortSignal): Promise<{ text: string; where: string }> {
  const location = locate(index.url, INDEX_FILE);
  const where = nameOf(location);
  const { chunks } = await openBytes(location, 0, LIMITS, signal);
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    assertGoing(signal);
    size += chunk.length;
    if (size > MAX_INDEX_BYTES)
      throw new PackError('E_INVALID_INPUT', `${where}: has more than the ${MAX_INDEX_BYTES} bytes that are allowed`);
    parts.push(Buffer.from(chunk));
  }
  return { text: Buffer.concat(parts).toString('utf8'), where };
}

async function readIndex(index: PackIndex, signal: AbortSignal): Promise<readonly OfferedPack[]> {
  const { text, where } = await readText(index, signal);
  return parseIndex(text, where).map((pack) => ({ ...pack, index: index.name }));
}

/** An index without its file is one that cannot be reached: a server's folder that moved, a disk that is not mounted. */
const asUnreachable = (error: PackError): PackError =>
  error.code === 'E_NOT_FOUND' ? new PackError('E_NETWORK', error.message, error.hint) : error;

/** See Library.offers: what each of `indexes` offers, in their order, and which could not be read. E_CANCELLED. */
export async function readOffers(
  indexes: readonly PackIndex[],
  signal: AbortSignal,
): Promise<{
  readonly offered: readonly OfferedPack[];
  readonly failed: readonly { readonly index: PackIndex; readonly error: PackError }[];
}> {
  const answers = await Promise.all(
    indexes.map(async (index) => {
      try {
        return { index, offered: await readIndex(index, signal), error: null };
      } catch (error) {
        return { index, offered: [], error: asUnreachable(asPackError(error, index.url)) };
      }
    }),
  );
  assertGoing(signal);
  return {
    offered: answers.flatMap(({ offered }) => offered),
    failed: answers.flatMap(({ index, error }) => (error === null ? [] : [{ index, error }])),
  };
}
