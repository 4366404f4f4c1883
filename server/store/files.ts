/** File steps that have to survive a power cut. */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';

/** Makes a new file, readable by its owner only, with `bytes` in it, and syncs it. Throws when it exists. */
export function writeSynced(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    for (let written = 0; written < bytes.byteLength; ) written += writeSync(file, bytes, written);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes the names in a folder durable: what was created, renamed or removed in it. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
