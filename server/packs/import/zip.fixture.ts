/** Zips for tests whose names are whatever bytes they are given: real programs keep to the format, hostile and old ones do not. */
import { makeZip as makeAnyZip } from '../zip.fixture.ts';

export interface ZipEntry {
  readonly name: string | Uint8Array;
  readonly data: Uint8Array;
  /** Unix mode; absent: a regular file. */
  readonly mode?: number;
}

const REGULAR = 0o100644;

/** Nothing is packed, and no name says which encoding it is in. */
export const makeZip = (entries: readonly ZipEntry[]): Buffer =>
  makeAnyZip(
    entries.map(({ name, data, mode = REGULAR }) => ({
      name: Buffer.from(name as string),
      data: Buffer.from(data),
      mode,
      flags: 0,
    })),
  );
