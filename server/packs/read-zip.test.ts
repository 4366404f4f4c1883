/** A zip gives a pack's files and nothing else, or nothing at all. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readPack } from './read-folder.ts';
import { unpackZip } from './read-zip.ts';
import { TEST_MANIFEST, writeTestCharacter } from './testing.ts';
import { packZip } from './write-zip.ts';

let root: string;
let into: string;
const never = new AbortController().signal;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'zip-'));
  into = join(root, 'into');
  mkdirSync(into);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('packZip', () => {
  test('packs what unpackZip takes out again, with the licence and without strange files', async () => {
    const folder = writeTestCharacter(root);
    writeFileSync(join(folder, 'LICENSE'), 'MIT');
    writeFileSync(join(folder, 'run.sh'), 'exit');
    const zip = join(root, 'dot.zip');
    await packZip(folder, zip);
    expect(await unpackZip(zip, into, never)).toEqual({ ignored: [] });
    expect(readdirSync(into).sort()).toEqual(['LICENSE', 'character.json', 'sheet.png']);
    expect(readPack(into)).toEqual(TEST_MANIFEST);
    for (const name of readdirSync(into)) {
      expect(readFileSync(join(into, name))).toEqual(readFileSync(join(folder, name)));
      expect(statSync(join(into, name)).mode & 0o777).toBe(0o600);
    }
  });
});
