/** Leaves word of what this desktop lets us do, for `companion doctor`: one small file, written whole or not at all. */
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DesktopReport } from '../protocol/window.ts';

const NAME = 'desktop.json';

/** Writes reports one after the other; the newest one is what stays. A folder that cannot be written to costs nothing but the word. */
export function createReporter(stateFolder: string): (report: DesktopReport) => Promise<void> {
  const path = join(stateFolder, NAME);
  let last: Promise<void> = Promise.resolve();
  return (report) => {
    last = last
      .then(async () => {
        const made = `${path}.new`;
        await writeFile(made, `${JSON.stringify(report, null, 2)}\n`, { mode: 0o600 });
        await rename(made, path);
      })
      .catch(() => {});
    return last;
  };
}
