/** The process around the command line: streams, files, interruption. Tests pass their own. */
import { isUtf8 } from 'node:buffer';
import { readFileSync, realpathSync, writeSync } from 'node:fs';
import { CompanionError, usageError } from './companion-error.ts';

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What a command line begins with that starts this program again: Node and the file of the CLI, absolute, without links. */
  program(): readonly [node: string, cli: string];
  /** To standard output. A reader that has gone away is no error. */
  out(text: string): void;
  /** To standard error. */
  err(text: string): void;
  /** The UTF-8 text of `file`, or of standard input for `-`. Error: INVALID_PARAMS. */
  readInput(file: string): Promise<string>;
  /** Calls `listener` at the first Ctrl-C (or its like); a second one ends the process at once. */
  onInterrupt(listener: () => void): void;
}

/** Some output still waits for its reader. */
let isWriting = false;

/** Writes all of `text`; what the pipe does not take at once goes through the stream, which waits for it. */
function write(fd: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  let at = 0;
  try {
    // Setting up process.stdout costs milliseconds that a short answer need not pay.
    while (at < bytes.length) at += writeSync(fd, bytes, at);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A reader that has gone away wants no more; anything else would lose an answer without a word.
    if (code === 'EPIPE') return;
    if (code !== 'EAGAIN') {
      throw new CompanionError('INTERNAL_ERROR', {
        message: 'The output cannot be written.',
        details: { cause: code },
      });
    }
    isWriting = true;
    const stream = fd === 1 ? process.stdout : process.stderr;
    stream.on('error', () => {});
    stream.write(bytes.subarray(at));
  }
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export const processIo: Io = {
  env: process.env,
  program: () => [process.execPath, realpathSync(process.argv[1]!)],
  out: (text) => write(1, text),
  err: (text) => write(2, text),
  readInput: async (file) => {
    let bytes: Buffer;
    try {
      bytes = file === '-' ? await readAll(process.stdin) : readFileSync(file);
    } catch (error) {
      throw usageError('The input cannot be read.', { cause: (error as NodeJS.ErrnoException).code });
    }
    if (!isUtf8(bytes)) throw usageError('The input is not UTF-8.');
    return bytes.toString('utf8');
  },
  onInterrupt: (listener) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, listener);
  },
};

/** Ends the process with `code` at once, which spares it the taking apart of its heap; while output waits, once that is out. */
export function endProcess(code: number): void {
  if (isWriting) process.exitCode = code;
  else process.exit(code);
}
