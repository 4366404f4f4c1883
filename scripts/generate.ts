/** Writes `schemas/` from the catalogue and the pack format; with `--check` only says whether it is fresh, and fails when it is not. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MANIFEST_SCHEMA } from '../server/packs/manifest-shape.ts';
import { emitJsonSchemas } from '../server/registry/emit/json-schemas.ts';
import { emitOpenRpc } from '../server/registry/emit/openrpc.ts';

const root = join(dirname(process.argv[1] ?? ''), '..', 'schemas');
const wanted = new Map(
  [...emitJsonSchemas(), ['openrpc.json', emitOpenRpc()] as const, ['character.json', MANIFEST_SCHEMA] as const].map(
    ([name, value]) => [name, `${JSON.stringify(value, null, 2)}\n`],
  ),
);

const present = existsSync(root)
  ? readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
  : [];
const stale = [
  ...[...wanted]
    .filter(([name, text]) => !present.includes(name) || readFileSync(join(root, name), 'utf8') !== text)
    .map(([name]) => name),
  ...present.filter((name) => !wanted.has(name)),
];

if (process.argv.includes('--check')) {
  if (stale.length > 0) {
    console.error(`schemas/ is not fresh, run \`npm run generate\`: ${stale.join(', ')}`);
    process.exitCode = 1;
  }
} else {
  for (const name of present) if (!wanted.has(name)) rmSync(join(root, name));
  for (const [name, text] of wanted) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  console.log(stale.length > 0 ? `written: ${stale.join(', ')}` : 'schemas/ was fresh');
}
