// Builds dist/: the CLI as one file without native modules, the host, the two public modules with types, and the overlay page.
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
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
  // Node prints the line that throws: let it be one that can be read.
  lineLimit: 240,
  logLevel: 'warning',
};

/** Writes dist/types/, and beside each public module what points into it. Checks nothing: that is `npm run typecheck`. */
async function buildTypes() {
  await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['-p', join(root, 'tsconfig.types.json')]);
  writeFileSync(out('client.d.ts'), 'export * from "./types/cli/client/client.ts";\n');
  // Packages without types of their own: what is said of them here goes along.
  const ambient = ['server/window/x/x11.d.ts', 'server/window/desk/dbus-next.d.ts'];
  for (const path of ambient) cpSync(join(root, path), out('types', path));
  const references = ambient.map((path) => `/// <reference path="./types/${path}" />\n`).join('');
  writeFileSync(out('testing.d.ts'), `${references}export * from "./types/e2e/harness.ts";\n`);
}

/** Writes dist/params/: one small module for the parameters of each capability of the NDJSON interface. */
async function buildParams() {
  // Inside node_modules, so that its bare imports resolve as the project's own.
  const emitter = join(root, 'node_modules', '.cache', `emit-params-${process.pid}.mjs`);
  const entryPoints = [join(root, 'cli/interface/emit-params.ts')];
  await build({ ...node, entryPoints, outfile: emitter, packages: 'external' });
  try {
    const { emitParams } = await import(pathToFileURL(emitter).href);
    await Promise.all(
      [...emitParams()].map(([name, contents]) =>
        build({
          ...node,
          stdin: { contents, resolveDir: root },
          outfile: out('params', `${name}.cjs`),
          format: 'cjs',
          minify: true,
        }),
      ),
    );
  } finally {
    rmSync(emitter);
  }
}

/** The built interface has its checks in files. */
const prebuiltParams = {
  name: 'prebuilt-params',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/compile-params\.ts$/ }, () => ({ path: join(root, 'cli/interface/prebuilt-params.ts') })),
};

rmSync(out(), { recursive: true, force: true });
mkdirSync(out('overlay'), { recursive: true });
await Promise.all([
  buildTypes(),
  buildParams(),
  build({
    ...node,
    entryPoints: [join(root, 'cli/main.ts')],
    outfile: out('cli.cjs'),
    external: [
      './host.js',
      './packs.cjs',
      './interface.cjs',
      './watch.cjs',
      './mcp.cjs',
      './bridge.cjs',
      './settings.cjs',
    ],
    // Node starts this a fifth sooner than a module, and the less there is to parse the better.
    format: 'cjs',
    minify: true,
  }),
  build({
    ...node,
    entryPoints: {
      packs: join(root, 'cli/packs/entry.ts'),
      interface: join(root, 'cli/interface/entry.ts'),
      watch: join(root, 'cli/doors/watch/entry.ts'),
      mcp: join(root, 'cli/doors/mcp/entry.ts'),
      bridge: join(root, 'cli/doors/bridge/entry.ts'),
    },
    outdir: out(),
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    minify: true,
    plugins: [prebuiltParams],
  }),
  build({
    ...node,
    entryPoints: [join(root, 'cli/settings/entry.ts')],
    outfile: out('settings.cjs'),
    format: 'cjs',
    minify: true,
    // What jsonc-parser offers first cannot be put into one file.
    mainFields: ['module', 'main'],
  }),
  build({ ...node, entryPoints: [join(root, 'cli/client/client.ts')], outfile: out('client.js') }),
  build({
    ...node,
    entryPoints: { host: join(root, 'server/main.ts') },
    outdir: out(),
    // A few files start a third sooner than hundreds of small ones; what is loaded later, or not at all, is in others. The
    // engine keeps the text of what it runs in memory: two bytes a letter if one of them is not ASCII.
    splitting: true,
    chunkNames: 'host-[hash]',
    minifyWhitespace: true,
    // Native modules cannot be in it; the last two are optional to ws and not installed.
    external: ['better-sqlite3', 'sodium-native', 'bufferutil', 'utf-8-validate'],
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module';\nconst require = makeRequire(import.meta.url);",
    },
  }),
  build({
    ...node,
    entryPoints: [join(root, 'e2e/harness.ts')],
    outfile: out('testing.js'),
    packages: 'external',
    external: ['./host.js'],
  }),
  build({
    ...node,
    // What the scripts, `companion doctor` and importers ask, so that they see the settings and the browser that the host sees.
    stdin: {
      contents: ['config', 'protocol/paths', 'window/find-chromium', 'window/chromium-places', 'window/launch']
        .map((name) => `export * from "./server/${name}.ts";`)
        .join(''),
      resolveDir: root,
    },
    outfile: out('setup.js'),
    packages: 'external',
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
    entryPoints: [join(root, 'overlay/desk/main.ts')],
    outfile: out('picture-desk.js'),
    bundle: true,
    format: 'iife',
    target: 'chrome120',
    minify: true,
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
cpSync(join(root, 'cli/doors/hook/companion-fast'), out('companion-fast'));
chmodSync(out('companion-fast'), 0o755);
cpSync(join(root, 'overlay/index.html'), out('overlay/index.html'));
cpSync(join(root, 'overlay/icon.png'), out('icon.png'));
if (existsSync(join(root, 'overlay/characters')))
  cpSync(join(root, 'overlay/characters'), out('overlay/characters'), { recursive: true });
cpSync(join(root, 'server/store/migrations'), out('migrations'), { recursive: true });
// What tells that all of this is there, and since when.
writeFileSync(out('.built'), '');
