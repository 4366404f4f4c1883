// Builds dist/: the CLI as one file without native modules, the host, the two public modules, and the overlay page.
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const out = (...parts) => join(root, 'dist', ...parts);
const node = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
};

rmSync(out(), { recursive: true, force: true });
mkdirSync(out('overlay'), { recursive: true });
await Promise.all([
  build({ ...node, entryPoints: [join(root, 'cli/main.ts')], outfile: out('cli.js'), external: ['./host.js'] }),
  build({ ...node, entryPoints: [join(root, 'cli/client/client.ts')], outfile: out('client.js') }),
  build({ ...node, entryPoints: [join(root, 'server/main.ts')], outfile: out('host.js'), packages: 'external' }),
  build({
    ...node,
    entryPoints: [join(root, 'e2e/harness.ts')],
    outfile: out('testing.js'),
    packages: 'external',
    external: ['./host.js'],
  }),
  build({
    entryPoints: [join(root, 'overlay/main.tsx')],
    outfile: out('overlay/main.js'),
    bundle: true,
    format: 'iife',
    target: 'chrome120',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  }),
  build({
    entryPoints: [join(root, 'overlay/style.css')],
    outfile: out('overlay/style.css'),
    bundle: true,
    minify: true,
    logLevel: 'warning',
  }),
]);
cpSync(join(root, 'overlay/index.html'), out('overlay/index.html'));
if (existsSync(join(root, 'overlay/characters')))
  cpSync(join(root, 'overlay/characters'), out('overlay/characters'), { recursive: true });
cpSync(join(root, 'server/store/migrations'), out('migrations'), { recursive: true });
