/** Watches an X screen from outside (MIT X11 protocol, DAMAGE, XTEST): windows that map, pixels that change, and input of its own. */
import { connect, type Socket } from 'node:net';

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Screen {
  /** Pixels in this place of the screen have changed. */
  onDamage: (area: Rect) => void;
  /** A window appeared in this place, or went. */
  onMap: (window: number, place: Rect) => void;
  onUnmap: (window: number) => void;
  /** Presses and releases the Return key. */
  pressReturn(): void;
  /** Moves the pointer. */
  point(x: number, y: number): void;
  /** Presses and releases the left button. */
  click(): void;
  /** Bytes of the pixels in a place. */
  pixels(place: Rect): Promise<Buffer>;
  close(): void;
}

const OPCODE = { changeWindowAttributes: 2, getImage: 73, queryExtension: 98 } as const;
const EVENT = { error: 0, reply: 1, create: 16, unmap: 18, map: 19, configure: 22 } as const;
const INPUT = { keyPress: 2, keyRelease: 3, buttonPress: 4, buttonRelease: 5, motion: 6 } as const;
const SUBSTRUCTURE_NOTIFY = 0x80000;
const EVENT_MASK = 0x800;
const RETURN_KEYCODE = 36;
const EVENT_BYTES = 32;
const Z_PIXMAP = 2;

/** Splits what the server sends into replies and events. */
function readPackets(socket: Socket, setup: (block: Buffer) => void, packet: (packet: Buffer) => void): void {
  let rest = Buffer.alloc(0);
  let isSetUp = false;
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      if (rest.length < (isSetUp ? EVENT_BYTES : 8)) return;
      const extra = isSetUp ? (rest[0] === EVENT.reply ? rest.readUInt32LE(4) * 4 : 0) : rest.readUInt16LE(6) * 4;
      const length = (isSetUp ? EVENT_BYTES : 8) + extra;
      if (rest.length < length) return;
      const whole = rest.subarray(0, length);
      rest = rest.subarray(length);
      if (isSetUp) packet(whole);
      else setup(whole);
      isSetUp = true;
    }
  });
}

/** The root window and the first resource ID of ours, from the server's answer to the greeting. */
function readSetup(block: Buffer): { root: number; firstId: number } {
  if (block[0] !== 1) throw new Error('the X server refuses us');
  const vendorBytes = block.readUInt16LE(24);
  const formats = block[29]!;
  return { firstId: block.readUInt32LE(12), root: block.readUInt32LE(40 + ((vendorBytes + 3) & ~3) + 8 * formats) };
}

const rectAt = (packet: Buffer, at: number): Rect => ({
  x: packet.readInt16LE(at),
  y: packet.readInt16LE(at + 2),
  width: packet.readUInt16LE(at + 4),
  height: packet.readUInt16LE(at + 6),
});

/** Connects to display `:number`, which must let us in without a cookie. */
export async function openScreen(number: number): Promise<Screen> {
  const socket = connect(`/tmp/.X11-unix/X${number}`);
  const places = new Map<number, Rect>();
  const replies: ((packet: Buffer) => void)[] = [];
  let damageEvent = -1;
  const screen: Screen = {
    onDamage: () => {},
    onMap: () => {},
    onUnmap: () => {},
    pressReturn: () => {
      fake(INPUT.keyPress, RETURN_KEYCODE);
      fake(INPUT.keyRelease, RETURN_KEYCODE);
    },
    point: (x, y) => fake(INPUT.motion, 0, x, y),
    click: () => {
      fake(INPUT.buttonPress, 1);
      fake(INPUT.buttonRelease, 1);
    },
    pixels: async ({ x, y, width, height }) => {
      const body = Buffer.alloc(16);
      body.writeUInt32LE(root, 0);
      [x, y, width, height].forEach((value, index) => {
        body.writeInt16LE(value, 4 + 2 * index);
      });
      body.writeUInt32LE(0xffffffff, 12);
      return (await ask(OPCODE.getImage, Z_PIXMAP, body)).subarray(EVENT_BYTES);
    },
    close: () => socket.destroy(),
  };
  const send = (opcode: number, detail: number, body: Buffer): void => {
    const head = Buffer.from([opcode, detail, 0, 0]);
    head.writeUInt16LE((4 + body.length) / 4, 2);
    socket.write(Buffer.concat([head, body]));
  };
  const ask = (opcode: number, detail: number, body: Buffer): Promise<Buffer> =>
    new Promise((resolve) => {
      replies.push(resolve);
      send(opcode, detail, body);
    });
  const words = (...values: number[]): Buffer => {
    const body = Buffer.alloc(4 * values.length);
    values.forEach((value, index) => {
      body.writeUInt32LE(value >>> 0, 4 * index);
    });
    return body;
  };
  const extension = async (name: string): Promise<{ opcode: number; firstEvent: number }> => {
    const body = Buffer.alloc(4 + ((name.length + 3) & ~3));
    body.writeUInt16LE(name.length, 0);
    body.write(name, 4, 'latin1');
    const answer = await ask(OPCODE.queryExtension, 0, body);
    if (answer[8] !== 1) throw new Error(`the X server has no ${name}`);
    return { opcode: answer[9]!, firstEvent: answer[10]! };
  };
  const fake = (type: number, detail: number, x = 0, y = 0): void => {
    const body = Buffer.alloc(32);
    body[0] = type;
    body[1] = detail;
    body.writeUInt32LE(root, 8);
    body.writeInt16LE(x, 20);
    body.writeInt16LE(y, 22);
    send(test.opcode, 2, body);
  };
  const hear = (packet: Buffer): void => {
    const type = packet[0]! & 0x7f;
    if (type === EVENT.error) throw new Error(`the X server reports error ${packet[1]}`);
    if (type === EVENT.reply) replies.shift()?.(packet);
    else if (type === damageEvent) screen.onDamage(rectAt(packet, 16));
    else if (type === EVENT.create) places.set(packet.readUInt32LE(8), rectAt(packet, 12));
    else if (type === EVENT.configure) places.set(packet.readUInt32LE(8), rectAt(packet, 16));
    else if (type === EVENT.unmap) screen.onUnmap(packet.readUInt32LE(8));
    else if (type === EVENT.map) {
      const window = packet.readUInt32LE(8);
      screen.onMap(window, places.get(window) ?? { x: 0, y: 0, width: 0, height: 0 });
    }
  };
  const { root, firstId } = await new Promise<{ root: number; firstId: number }>((resolve, reject) => {
    socket.once('error', reject);
    readPackets(socket, (block) => resolve(readSetup(block)), hear);
    socket.write(Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
  });
  const damage = await extension('DAMAGE');
  const test = await extension('XTEST');
  await ask(damage.opcode, 0, words(1, 1));
  damageEvent = damage.firstEvent;
  send(OPCODE.changeWindowAttributes, 0, words(root, EVENT_MASK, SUBSTRUCTURE_NOTIFY));
  send(damage.opcode, 1, words(firstId, root, 0));
  return screen;
}

/** Reports whether two places overlap. */
export const overlap = (left: Rect, right: Rect): boolean =>
  left.x < right.x + right.width &&
  right.x < left.x + left.width &&
  left.y < right.y + right.height &&
  right.y < left.y + left.height;
