/** Lists a zip and reads its files, without trusting what it says of itself. */
import { closeSync, openSync, read, statSync } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32, createInflateRaw } from 'node:zlib';
import { type Entry, fromFdPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { PACK_LIMITS } from './limits.ts';
import { refuse, toPackError } from './system-error.ts';
import { PackError } from './types.ts';

export interface ZippedFile {
  /** Path in the zip, with `/`; a folder's ends with one. */
  readonly name: string;
  /** As the zip states it; reading makes sure. */
  readonly bytes: number;
  readonly isFolder: boolean;
  readonly entry: Entry;
}

const UNIX_TYPE = 0o170000;
const UNIX_FILE = 0o100000;
const UNIX_FOLDER = 0o040000;
/** The open file of each zip; closed with it. */
const openFiles = new WeakMap<ZipFile, number>();
/** Few, large pieces: each costs a turn through the event loop. */
const PIECE_BYTES = 1_048_576;
const readAt = promisify(read);
const { maxArchiveBytes, maxArchiveEntries, maxEntryRatio, maxUnpackedBytes } = PACK_LIMITS;

/** A name of a stranger's choice, fit to be shown: what would hide, or move the text around it, is written as an escape. */
export const printable = (name: string): string =>
  name.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (mark) => `\\u{${mark.codePointAt(0)?.toString(16)}}`);
const show = (name: string): string => `"${printable(name.slice(0, 100))}"`;

/** Why a path could mean another place than one below the folder it is unpacked to; null: it cannot. */
function pathFault(name: string): string | null {
  if (name.includes('\0')) return 'has a NUL in its name';
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return 'has an absolute path';
  if (name.includes('\\')) return 'has a backslash in its name';
  const parts = name.replace(/\/$/, '').split('/');
  if (parts.includes('..')) return 'has a path that leads out of the archive';
  return parts.some((part) => part === '' || part === '.') ? 'has a path with an empty part' : null;
}

function entryFault({ name, isFolder, entry }: ZippedFile): string | null {
  const path = pathFault(name);
  if (path !== null) return path;
  const type = (entry.externalFileAttributes >>> 16) & UNIX_TYPE;
  if (type !== 0 && type !== (isFolder ? UNIX_FOLDER : UNIX_FILE)) return 'is a link or another special file';
  if (entry.isEncrypted()) return 'is encrypted';
  if (!entry.canDecodeFileData()) return `is packed by method ${entry.compressionMethod}, only 0 and 8 are known`;
  if (isFolder && entry.uncompressedSize > 0) return 'is a folder with content';
  return entry.uncompressedSize > entry.compressedSize * maxEntryRatio
    ? `unpacks to ${entry.uncompressedSize} from ${entry.compressedSize} bytes, at most ${maxEntryRatio} times as many are allowed`
    : null;
}

/** Some file systems take names for equal that are not: neither case nor the way an accent is written may tell two apart. */
const fold = (name: string): string => name.replace(/\/$/, '').normalize('NFKC').toUpperCase().normalize('NFKC');

/** Names as the zip format itself says they are to be read. */
const namesOf = (entries: readonly Entry[]): readonly string[] =>
  entries.map((entry) => getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true));

const toZippedFile = (entry: Entry, name: string): ZippedFile => ({
  name,
  bytes: entry.uncompressedSize,
  isFolder: name.endsWith('/'),
  entry,
});

/** Opens a zip of the disk, which refusals name as `called`; close it. Errors: E_INVALID_INPUT (no zip, cut off, too large), E_NOT_FOUND, E_PERMISSION. */
export async function openZip(path: string, called = 'the archive'): Promise<ZipFile> {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) throw refuse(`${called} is not a regular file`);
    if (stat.size > maxArchiveBytes)
      throw refuse(`${called} has ${stat.size} bytes, at most ${maxArchiveBytes} are allowed`);
  } catch (error) {
    throw toPackError(error, `${called} cannot be read`);
  }
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    const zip = await fromFdPromise(fd, { autoClose: false, lazyEntries: true, decodeStrings: false });
    openFiles.set(zip, fd);
    return zip;
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    if ((error as NodeJS.ErrnoException).code !== undefined) throw toPackError(error, `${called} cannot be read`);
    throw refuse(`${called} is no zip, or cut off`);
  }
}

/**
 * All that is in the zip, once nothing of it can do harm: E_INVALID_INPUT names the entry that leads elsewhere, is a
 * link, encrypted, packed too tightly, or named as another one; and how many entries or bytes are too many.
 * `readNames` is for old archives, whose names are in an encoding that they do not state.
 */
export async function listZip(zip: ZipFile, readNames = namesOf): Promise<readonly ZippedFile[]> {
  if (zip.entryCount > maxArchiveEntries)
    throw refuse(`the archive has ${zip.entryCount} entries, at most ${maxArchiveEntries} are allowed`);
  const entries: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) entries.push(entry);
  } catch (error) {
    throw refuse(`the archive's directory is damaged: ${(error as Error).message}`);
  }
  const names = readNames(entries);
  const files = entries.map((entry, index) => toZippedFile(entry, names[index] ?? ''));
  const seen = new Map<string, ZippedFile>();
  for (const file of files) {
    const fault = entryFault(file);
    if (fault !== null) throw refuse(`${show(file.name)} in the archive ${fault}`);
    const twin = seen.get(fold(file.name));
    if (twin !== undefined)
      throw refuse(`${show(file.name)} in the archive has the name of another entry, ${show(twin.name)}`);
    seen.set(fold(file.name), file);
  }
  const unpacked = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (unpacked > maxUnpackedBytes)
    throw refuse(`the archive unpacks to ${unpacked} bytes, at most ${maxUnpackedBytes} are allowed`);
  return files;
}

/** The bytes of an entry as they lie in the zip; `isReused`: in one buffer, as fresh memory costs more than the reading. */
async function* readRaw(zip: ZipFile, entry: Entry, isReused: boolean): AsyncGenerator<Buffer> {
  const fd = openFiles.get(zip)!;
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  const fresh = (): Buffer => Buffer.allocUnsafe(Math.min(PIECE_BYTES, entry.compressedSize));
  let buffer = fresh();
  for (let at = 0; at < entry.compressedSize; ) {
    const wanted = Math.min(buffer.length, entry.compressedSize - at);
    const { bytesRead } = await readAt(fd, buffer, 0, wanted, fileDataStart + at);
    if (bytesRead === 0) throw new Error('cut off');
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
    if (!isReused) buffer = fresh();
  }
}

async function* readUnpacked(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  if (entry.compressionMethod === 0) return yield* readRaw(zip, entry, true);
  const inflate = createInflateRaw({ chunkSize: PIECE_BYTES });
  // What fails in the source destroys `inflate` with the same error, so it comes out of the loop below.
  pipeline(Readable.from(readRaw(zip, entry, false)), inflate, () => {});
  yield* inflate as AsyncIterable<Buffer>;
}

/**
 * The content of one file of the zip, in pieces, each good until the next is asked for. Never gives more bytes than the zip has stated.
 * Errors: E_INVALID_INPUT when it has fewer or more, another checksum, or is cut off; E_CANCELLED when `signal` aborts.
 */
export async function* readZipped(
  zip: ZipFile,
  { name, bytes, entry }: ZippedFile,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  let count = 0;
  let checksum = 0;
  try {
    for await (const piece of readUnpacked(zip, entry)) {
      if (signal.aborted) throw new PackError('E_CANCELLED', 'cancelled');
      count += piece.length;
      if (count > bytes) break;
      checksum = crc32(piece, checksum);
      yield piece;
    }
  } catch (error) {
    if (error instanceof PackError) throw error;
    throw refuse(`${show(name)} in the archive is damaged`);
  }
  if (count !== bytes) throw refuse(`${show(name)} in the archive is not of the ${bytes} bytes it states`);
  if (checksum !== entry.crc32) throw refuse(`${show(name)} in the archive is damaged: its checksum is wrong`);
}
