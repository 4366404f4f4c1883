/** Remembers the user's places over restarts, in one small file of the state folder. What is broken in it is dropped, never obeyed. */
import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Point } from './geometry.ts';
import { MAX_LAYOUTS, type OwnPlace } from './place.ts';

const MAX_BYTES = 65_536;
const MAX_TEXT = 1_024;
/** Coordinates of X have 16 bits. */
const MAX_COORDINATE = 32_767;

export interface PlacesFile {
  /** As the file had them, the newest last. */
  readonly remembered: readonly OwnPlace[];
  /** Writes them if they differ from what is there. Failure is one line in the log, and nothing else. */
  keep(places: readonly OwnPlace[]): void;
  /** Resolves when everything kept is on the disk. */
  close(): Promise<void>;
}

/** Reads `path`; never rejects. `log`: one line, told when something was dropped or cannot be written. */
export async function openPlacesFile(path: string, log: (line: string) => void): Promise<PlacesFile> {
  const remembered = await readPlaces(path, log);
  let last = asText(remembered);
  let writing = Promise.resolve();
  let waiting: string | null = null;
  const writeNext = async (): Promise<void> => {
    const text = waiting;
    waiting = null;
    if (text === null || text === last) return;
    try {
      await replaceFile(path, text);
      last = text;
    } catch (error) {
      log(`the figure's place could not be kept (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
    }
  };
  return {
    remembered,
    keep: (places) => {
      // Places kept while one writing is going on are written once, as they are in the end.
      if (waiting === null) writing = writing.then(writeNext);
      waiting = asText(places);
    },
    close: () => writing,
  };
}

const asText = (places: readonly OwnPlace[]): string => `${JSON.stringify({ places }, null, 2)}\n`;

async function readPlaces(path: string, log: (line: string) => void): Promise<readonly OwnPlace[]> {
  let text: string;
  try {
    text = await readText(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') log(`the figure's places cannot be read from ${path} (${code ?? 'no file'})`);
    return [];
  }
  const { places, isBroken } = parsePlaces(text);
  if (isBroken) log(`dropped what was wrong in ${path}; the figure's places there are chosen anew`);
  return places;
}

/** A pipe or a device in the file's place is never waited for; what is too long is not read whole. */
async function readText(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new Error('no file');
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES + 1), 0, MAX_BYTES + 1, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The places in a file's text; those that cannot be are left out. */
export function parsePlaces(text: string): { readonly places: readonly OwnPlace[]; readonly isBroken: boolean } {
  const listed = text.length > MAX_BYTES ? null : listIn(text);
  if (listed === null) return { places: [], isBroken: true };
  const good = listed.filter(isPlace);
  const newest = good.filter(({ layout }, index) => good.findLastIndex((other) => other.layout === layout) === index);
  return {
    places: newest.slice(-MAX_LAYOUTS).map(({ layout, monitor, anchor, share }) => ({
      layout,
      monitor,
      anchor: { x: anchor.x, y: anchor.y },
      share: { x: share.x, y: share.y },
    })),
    isBroken: newest.length < listed.length,
  };
}

function listIn(text: string): readonly unknown[] | null {
  try {
    const found: unknown = JSON.parse(text);
    const places = isRecord(found) ? found.places : null;
    return Array.isArray(places) ? places : null;
  } catch {
    return null;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '' && value.length <= MAX_TEXT;
const isPoint = (value: unknown, least: number, most: number): value is Point =>
  isRecord(value) && [value.x, value.y].every((each) => typeof each === 'number' && each >= least && each <= most);

const isPlace = (value: unknown): value is OwnPlace =>
  isRecord(value) &&
  isText(value.layout) &&
  isText(value.monitor) &&
  isPoint(value.anchor, -MAX_COORDINATE, MAX_COORDINATE) &&
  isPoint(value.share, 0, 1);

/** After a crash at any instant the old file is there or the new one, whole. */
async function replaceFile(path: string, text: string): Promise<void> {
  const next = `${path}.next`;
  const file = await open(next, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  await rename(next, path);
  const folder = await open(dirname(path), 'r');
  await folder.sync().finally(() => folder.close());
}
