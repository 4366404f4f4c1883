/** Zips for tests whose names are whatever bytes they are given: real programs keep to the format, hostile and old ones do not. */
import { crc32 } from 'node:zlib';

export interface ZipEntry {
  readonly name: string | Uint8Array;
  readonly data: Uint8Array;
  /** Unix mode; absent: a regular file. */
  readonly mode?: number;
}

const UNIX = 3 << 8;
const REGULAR = 0o100644;

/** Fields that both headers of an entry have, from the version needed on. */
function common(name: Buffer, data: Uint8Array): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt32LE(crc32(data), 10);
  fields.writeUInt32LE(data.length, 14);
  fields.writeUInt32LE(data.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

/** Nothing is packed, and no name says which encoding it is in. */
export function makeZip(entries: readonly ZipEntry[]): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name: given, data, mode = REGULAR } of entries) {
    const name = Buffer.from(given as string);
    const head = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common(name, data), name, data]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    const made = Buffer.alloc(2);
    made.writeUInt16LE(UNIX | 20);
    central.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), made, common(name, data), rest, name]));
    local.push(head);
    offset += head.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}
