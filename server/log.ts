/** The host's log: lines of our own words, numbers and IDs; never content of a request (R12). */
import { appendFileSync, chmodSync, renameSync, statSync } from 'node:fs';

const MAX_LOG_BYTES = 1_048_576;

/** Appends lines with their instant to `path` (0600); at 1 MiB the file becomes `path.old`. A log that cannot be written is no reason to stop. */
export function createLog(path: string, echo: (line: string) => void): (line: string) => void {
  try {
    if (statSync(path).size > MAX_LOG_BYTES) renameSync(path, `${path}.old`);
  } catch {
    // There is none yet.
  }
  return (line) => {
    echo(line);
    try {
      appendFileSync(path, `${new Date().toISOString()} ${line}\n`, { mode: 0o600 });
      chmodSync(path, 0o600);
    } catch {
      // Disk full or read-only: the line has been echoed.
    }
  };
}
