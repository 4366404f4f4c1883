// A program that does what it is told on its command line, one step after the other: what a watched program may do, and should not.
import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const steps = JSON.parse(process.argv[2] ?? '[]');
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const write = (fd, text) => {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
};

const does = {
  /** An object as a line; a text as it is. */
  say: (what) => write(1, typeof what === 'string' ? what : `${JSON.stringify(what)}\n`),
  err: (text) => write(2, text),
  bytes: (base64) => writeSync(1, Buffer.from(base64, 'base64')),
  /** Waits for a line on standard input and tells it on standard error. */
  hear: async () => {
    const { value, done } = await lines.next();
    write(2, done ? 'the input has ended\n' : `heard ${value}\n`);
  },
  /** One line of so many bytes that is a message of the interface. */
  long: (size) => write(1, `{"kind":"log","level":"info","message":"${'x'.repeat(size)}"}\n`),
  /** `times` lines, `#` in them counted up. */
  flood: ({ times, line }) => {
    for (let at = 1; at <= times; at += 1) write(1, `${JSON.stringify(line).replaceAll('#', at)}\n`);
  },
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  /** Takes note of these signals and goes on. */
  ignore: (signals) => {
    for (const name of signals) process.on(name, () => write(2, `got ${name}\n`));
  },
  /** Till it is ended. */
  stay: () => new Promise((resolve) => setTimeout(resolve, 2 ** 30)),
  /** Starts something that keeps the output open and outlives this. */
  fork: (ms) =>
    spawn('sleep', [String(ms / 1_000)], { detached: true, stdio: ['ignore', 'inherit', 'inherit'] }).unref(),
  kill: (signal) => process.kill(process.pid, signal),
  exit: (code) => process.exit(code),
};

for (const step of steps) {
  const [[name, value]] = Object.entries(step);
  await does[name](value);
}
process.exit(0);
