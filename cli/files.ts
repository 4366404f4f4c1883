/** Writes files whole or not at all. */
import { closeSync, constants, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Puts `data` at `path`, which has `mode` from its first byte and is synced before it gets its name. Replaces what was there. */
export function writeWhole(path: string, data: string | Uint8Array, mode: number): void {
  const draft = `${path}.${process.pid}.new`;
  try {
    const file = openSync(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode);
    try {
      writeFileSync(file, data);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
