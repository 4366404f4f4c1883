// Bundles one TypeScript script with esbuild and runs it in this process: `node scripts/run-ts.mjs FILE [ARG…]`.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const [file, ...args] = process.argv.slice(2);
const entry = resolve(file);
// Inside node_modules, so that the bundle's bare imports resolve as the project's own.
const cache = join(import.meta.dirname, '..', 'node_modules', '.cache', 'run-ts');
const folder = join(cache, String(process.pid));

/** Removes what killed runs have left: each has a folder named by its process. */
function sweep() {
  for (const name of readdirSync(cache)) {
    if (name === String(process.pid) || !isAlive(Number(name)))
      rmSync(join(cache, name), { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

mkdirSync(cache, { recursive: true });
sweep();
mkdirSync(folder);
const outfile = join(folder, basename(entry).replace(/\.ts$/, '.mjs'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
await build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  sourcemap: 'inline',
  logLevel: 'warning',
});
process.argv = [process.argv[0], entry, ...args];
await import(pathToFileURL(outfile).href);
