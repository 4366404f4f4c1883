/** Zips as no honest program writes them, for tests: every field of an entry may lie. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface Lie {
  readonly name: string | Buffer;
  readonly data?: string | Buffer;
  /** 0 stored (as given), 8 deflated. */
  readonly method?: number;
  readonly flags?: number;
  /** Unix mode with its type bits. */
  readonly mode?: number;
  /** What the directory states of it. */
  readonly size?: number;
  readonly packedSize?: number;
  readonly crc?: number;
}

const UTF8 = 0x800;

function fields({ data = '', method = 0, flags = UTF8, size, packedSize, crc }: Lie) {
  const content = Buffer.from(data);
  const packed = method === 8 ? deflateRawSync(content) : content;
  const head = Buffer.alloc(22);
  head.writeUInt16LE(20, 0);
  head.writeUInt16LE(flags, 2);
  head.writeUInt16LE(method, 4);
  head.writeUInt16LE(0x21, 8);
  head.writeUInt32LE(crc ?? crc32(content), 10);
  head.writeUInt32LE(packedSize ?? packed.length, 14);
  head.writeUInt32LE(size ?? content.length, 18);
  return { packed, head };
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};
const uint16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};

/** The bytes of a zip with these entries in this order; `entryCount` is what its end states. */
export function makeZip(entries: readonly Lie[], entryCount = entries.length): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const { packed, head } = fields(entry);
    const body = Buffer.concat([Buffer.from('PK\x03\x04'), head, uint16(name.length), uint16(0), name, packed]);
    const mode = uint32((entry.mode ?? 0) << 16);
    const made = uint16((3 << 8) | 20);
    const lengths = Buffer.concat([uint16(name.length), uint16(0), uint16(0), uint16(0), uint16(0)]);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), made, head, lengths, mode, uint32(offset), name]));
    bodies.push(body);
    offset += body.length;
  }
  const central = Buffer.concat(directory);
  const end = [uint16(0), uint16(0), uint16(entryCount), uint16(entryCount), uint32(central.length), uint32(offset)];
  return Buffer.concat([...bodies, central, Buffer.from('PK\x05\x06'), ...end, uint16(0)]);
}
