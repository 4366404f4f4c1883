/** An index made of a folder is one that can be installed from. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildIndex } from './build-index.ts';
import { newFolder, record, writePack, zipPack } from './library.fixture.ts';
import { openLibrary } from './library.ts';

const never = new AbortController().signal;

describe('making an index', () => {
  it('lists folders and zips, leaves out with a reason what is no pack, and installs', async () => {
    const folder = newFolder();
    writePack(folder, { id: 'org.example.ghost', version: '1.10.0' });
    await zipPack(folder, { id: 'org.example.ghost', version: '1.9.0' });
    writePack(folder, { id: 'org.example.bad', version: 'x' });
    writePack(folder, { id: 'builtin.nib', version: '1.0.0' });
    writeFileSync(join(folder, 'broken.zip'), 'no zip');
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    const { packs, unusable } = await buildIndex(folder, never);
    expect(packs.map(({ id, version, file }) => [id, version, file])).toEqual([
      ['org.example.ghost', '1.9.0', 'org.example.ghost-1.9.0.zip'],
      ['org.example.ghost', '1.10.0', 'org.example.ghost-1.10.0.zip'],
    ]);
    expect(unusable.map(({ file }) => file)).toEqual(['builtin.nib-1.0.0', 'org.example.bad-x', 'broken.zip']);
    expect(unusable[0]?.reason).toContain('comes with the program');
    expect(unusable[1]?.reason).toContain('/version');

    const library = openLibrary(newFolder());
    await library.addIndex({ name: 'here', url: folder });
    const { offered, failed } = await library.offers(never);
    expect(failed).toEqual([]);
    const installed = await library.install(library.plan(['ghost'], offered), { use: true }, record());
    expect(installed).toEqual([{ id: 'org.example.ghost', version: '1.10.0' }]);
  });

  it('says the same again, and another zip of the same version is told', async () => {
    const folder = newFolder();
    const { file } = await zipPack(folder, { id: 'org.example.ghost', version: '1.0.0' });
    await buildIndex(folder, never);
    const before = readFileSync(join(folder, 'index.json'), 'utf8');
    writeFileSync(join(folder, 'twin.zip'), readFileSync(join(folder, file)));
    const { unusable } = await buildIndex(folder, never);
    expect(unusable).toEqual([{ file: 'twin.zip', reason: `holds org.example.ghost 1.0.0, as ${file} does` }]);
    expect(readFileSync(join(folder, 'index.json'), 'utf8')).toBe(before);
    expect(readdirSync(folder).sort()).toEqual(['index.json', file, 'twin.zip']);
  });

  it('that is cancelled, or of no folder, writes nothing', async () => {
    const folder = newFolder();
    await zipPack(folder, { id: 'org.example.ghost', version: '1.0.0' });
    await expect(buildIndex(folder, AbortSignal.abort())).rejects.toMatchObject({ code: 'E_CANCELLED' });
    expect(existsSync(join(folder, 'index.json'))).toBe(false);
    await expect(buildIndex(join(folder, 'none'), never)).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  });
});
