// A thread that reads the memory of Xvfb's screen as fast as it can and remembers where anything but the wallpaper was ever seen.
import { closeSync, openSync, readSync } from 'node:fs';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';

const { memory, colours, fieldPx, everyMs, control } = workerData;
const HEADER_BYTES = 100;
const COLOUR_BYTES = 12;
const file = openSync(memory, 'r');
const header = Buffer.alloc(HEADER_BYTES);
readSync(file, header, 0, HEADER_BYTES, 0);
// XWD: size of the header, width, height, bytes a line, number of colours; big-endian.
const [start, width, height, lineBytes, colourCount] = [0, 16, 20, 48, 76].map((at) => header.readUInt32BE(at));
const pixelsAt = start + colourCount * COLOUR_BYTES;
const bytes = Buffer.alloc(lineBytes * height);
const pixels = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
const perLine = lineBytes / 4;
const expected = new Uint32Array(perLine * height);
for (let y = 0; y < height; y += 1)
  for (let x = 0; x < width; x += 1) expected[y * perLine + x] = colours[((x / fieldPx) ^ (y / fieldPx)) & 1];

/** How often each place was seen with something else; the colour seen there last. */
const seen = new Uint32Array(width * height);
const colour = new Uint32Array(width * height);
let samples = 0;

function look() {
  readSync(file, bytes, 0, bytes.length, pixelsAt);
  samples += 1;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0, at = y * perLine, to = y * width; x < width; x += 1, at += 1, to += 1) {
      const pixel = pixels[at] & 0xffffff;
      if (pixel === expected[at]) continue;
      seen[to] += 1;
      colour[to] = pixel;
    }
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4));
look();
parentPort.postMessage('watching');
while (receiveMessageOnPort(control) === undefined) {
  Atomics.wait(pause, 0, 0, everyMs);
  look();
}
closeSync(file);
control.close();
parentPort.postMessage({ samples, width, height, seen, colour });
