/** The host's log: lines of our own words, numbers and IDs; never content of a request (R12). */
import { closeSync, constants, fchmodSync, openSync, renameSync, statSync, writeFileSync } from 'node:fs';

const MAX_LOG_BYTES = 1_048_576;
/** A pipe in the file's place, which nobody reads, is refused and not waited for. */
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;

function append(path: string, text: string): void {
  const file = openSync(path, APPEND, 0o600);
  try {
    writeFileSync(file, text);
    fchmodSync(file, 0o600);
  } finally {
    closeSync(file);
  }
}

/** Appends lines with their instant to `path` (0600); at 1 MiB the file becomes `path.old`. A log that cannot be written is no reason to stop. */
export function createLog(path: string, echo: (line: string) => void): (line: string) => void {
  try {
    if (statSync(path).size > MAX_LOG_BYTES) renameSync(path, `${path}.old`);
  } catch {
    // There is none yet.
  }
  let isWritten = true;
  return (line) => {
    echo(line);
    try {
      append(path, `${new Date().toISOString()} ${line}\n`);
      isWritten = true;
    } catch (error) {
      // Disk full, read-only, or something else in its place: the line has been echoed, and so is this, once.
      if (isWritten) echo(`the log cannot be written to ${path} (${(error as NodeJS.ErrnoException).code})`);
      isWritten = false;
    }
  };
}
