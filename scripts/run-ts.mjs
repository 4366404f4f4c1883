// Bundles one TypeScript script with esbuild and runs it in this process: `node scripts/run-ts.mjs FILE [ARG…]`.
import { mkdtempSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const [file, ...args] = process.argv.slice(2);
const entry = resolve(file);
// Inside node_modules, so that the bundle's bare imports resolve as the project's own.
const folder = mkdtempSync(join(import.meta.dirname, '..', 'node_modules', '.run-ts-'));
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
