/** Greets an X server as any program does at its start, to hear whether this user is welcome there; shows and changes nothing. */
import { readFileSync } from 'node:fs';
import { connect, type NetConnectOpts } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Io } from '../io.ts';
import type { DisplayFacts } from './facts.ts';
import { printable } from './read-report.ts';

const LIMIT_MS = 2_000;
const FIRST_TCP_PORT = 6_000;
const COOKIE = 'MIT-MAGIC-COOKIE-1';
/** Families of addresses in an Xauthority file: this machine, and any. */
const LOCAL = 256;
const WILD = 65_535;

interface Place {
  readonly number: string;
  /** In this order: the server may listen on some of them only. */
  readonly addresses: readonly NetConnectOpts[];
}

/** Where `DISPLAY` leads; null when it is none. */
export function placeOf(display: string): Place | null {
  const [, host, number] = /^(.*):(\d{1,5})(?:\.\d+)?$/.exec(display) ?? [];
  if (host === undefined || number === undefined) return null;
  if (host !== '' && host !== 'unix') {
    return { number, addresses: [{ host: host.replace(/^\[|\]$/g, ''), port: FIRST_TCP_PORT + Number(number) }] };
  }
  const path = `/tmp/.X11-unix/X${number}`;
  return { number, addresses: [{ path }, { path: `\0${path}` }] };
}

/** The cookie for the display in an Xauthority file; the first that fits. */
export function findCookie(file: Buffer, number: string, host: string): Buffer | null {
  let at = 0;
  const part = (): Buffer => {
    const length = file.readUInt16BE(at);
    at += 2 + length;
    return file.subarray(at - length, at);
  };
  try {
    while (at < file.length) {
      const family = file.readUInt16BE(at);
      at += 2;
      const [address, display, name, data] = [part(), part(), part(), part()];
      const isHere = family === WILD || (family === LOCAL && address.toString() === host);
      const isIt = display.length === 0 || display.toString() === number;
      if (isHere && isIt && name.toString() === COOKIE) return data;
    }
  } catch {
    // Cut short, or no such file at all.
  }
  return null;
}

function readCookie({ XAUTHORITY, HOME }: Io['env'], number: string): Buffer | null {
  try {
    return findCookie(readFileSync(XAUTHORITY || join(HOME ?? '', '.Xauthority')), number, hostname());
  } catch {
    return null;
  }
}

/** The first message of a client, protocol 11.0, little end first. */
function greeting(cookie: Buffer | null): Buffer {
  const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
  const name = Buffer.from(cookie === null ? '' : COOKIE);
  const data = cookie ?? Buffer.alloc(0);
  const head = Buffer.alloc(12);
  head.write('l', 0);
  head.writeUInt16LE(11, 2);
  head.writeUInt16LE(name.length, 6);
  head.writeUInt16LE(data.length, 8);
  return Buffer.concat([head, padded(name), padded(data)]);
}

type Heard = Pick<DisplayFacts, 'answer' | 'reason'>;

/** The beginning of the server's answer: 1 is welcome; 0 is no, with a reason. */
function understand(bytes: Buffer): Heard {
  if (bytes[0] === 1) return { answer: 'welcome', reason: null };
  const reason = bytes.toString('latin1', 8, 8 + (bytes[1] ?? 0));
  return { answer: 'refused', reason: printable(reason) || null };
}

function greet(address: NetConnectOpts, message: Buffer): Promise<Heard> {
  return new Promise((resolve) => {
    const socket = connect(address);
    const end = (heard: Heard): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(heard);
    };
    const timer = setTimeout(() => end({ answer: 'silent', reason: null }), LIMIT_MS);
    socket.once('connect', () => socket.write(message));
    // The reason comes with the first bytes; what follows a welcome is not needed.
    socket.once('data', (bytes) => end(understand(bytes)));
    socket.once('error', () => end({ answer: 'unreachable', reason: null }));
    socket.once('close', () => end({ answer: 'refused', reason: null }));
  });
}

/** What the display in `env` says to us. */
export async function lookAtDisplay(env: Io['env']): Promise<DisplayFacts> {
  const name = printable(env.DISPLAY) || null;
  const wayland = printable(env.WAYLAND_DISPLAY) || null;
  if (name === null) return { name, wayland, answer: null, reason: null };
  const place = placeOf(name);
  if (place === null) return { name, wayland, answer: 'unreadable', reason: null };
  const message = greeting(readCookie(env, place.number));
  let heard: Heard = { answer: 'unreachable', reason: null };
  for (const address of place.addresses) {
    if (heard.answer === 'unreachable') heard = await greet(address, message);
  }
  return { name, wayland, ...heard };
}
