/** The desktop's own remote call as a peer: dunst asked over the session bus on an open connection. */
import type { Target } from './load.ts';

const FIELD = { path: 1, interface: 2, member: 3, destination: 6 } as const;
const METHOD_CALL = 1;

const aligned = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 7)]);

function field(code: number, type: 'o' | 's', text: string): Buffer {
  const head = Buffer.from([code, 1, type.charCodeAt(0), 0, 0, 0, 0, 0]);
  head.writeUInt32LE(text.length, 4);
  return Buffer.concat([head, Buffer.from(text, 'latin1'), Buffer.alloc(1)]);
}

/** A method call without arguments, little-endian. */
function methodCall(serial: number, destination: string, path: string, face: string, member: string): Buffer {
  const fields = Buffer.concat([
    aligned(field(FIELD.path, 'o', path)),
    aligned(field(FIELD.interface, 's', face)),
    aligned(field(FIELD.member, 's', member)),
    field(FIELD.destination, 's', destination),
  ]);
  const head = Buffer.from([0x6c, METHOD_CALL, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUInt32LE(serial, 8);
  head.writeUInt32LE(fields.length, 12);
  return aligned(Buffer.concat([head, fields]));
}

/** Asks dunst who it is, on the session bus at `socketPath`. */
export function askDunst(socketPath: string): Target {
  const uid = Buffer.from(String(process.getuid?.())).toString('hex');
  const bus = 'org.freedesktop.DBus';
  const peer = 'org.freedesktop.Notifications';
  const hello = methodCall(1, bus, '/org/freedesktop/DBus', bus, 'Hello');
  return {
    framing: 'dbus',
    socketPath,
    greeting: Buffer.concat([Buffer.from(`\0AUTH EXTERNAL ${uid}\r\nBEGIN\r\n`), hello]),
    request: methodCall(2, peer, '/org/freedesktop/Notifications', peer, 'GetServerInformation'),
  };
}
