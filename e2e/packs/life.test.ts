/** The whole life of a pack beside a running overlay, by the real programs alone: installed, used, updated, kept from removal, forced out. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CharacterManifest } from '../../server/protocol/character.ts';
import { type Client, enableAccess, pairClient, refusalOf } from '../conformance/support.ts';
import { CLI, finish, startCli } from '../faults/processes.ts';
import { type LaunchedCompanion, launchCompanion, until } from '../harness.ts';
import { newFolder, removeFolders } from './library.ts';
import { type Colour, colourIs, colourOf, figureIs, GHOST, ghost, sheetOf } from './live-packs.ts';
import { call, endSessions, type NdjsonServer } from './ndjson-client.ts';
import { filesIn, succeed } from './user.ts';

const NIB = 'builtin.nib';
const HAT = 'org.example.hat';
const CELEBRATE = 'animation.celebrate';
const WHITE: Colour = [240, 240, 240];
const PINK: Colour = [250, 120, 180];
const TEAL: Colour = [20, 160, 150];

let companion: LaunchedCompanion;
let server: NdjsonServer;
beforeAll(async () => {
  companion = await launchCompanion();
  await enableAccess(companion);
  server = { command: [process.execPath, CLI], env: companion.env };
});
afterAll(async () => {
  endSessions();
  await companion?.stop();
  removeFolders();
});

/** The first ghost can celebrate, in the comic style by another clip; the second one only greets. */
function ghosts(): readonly [CharacterManifest, CharacterManifest] {
  const second = ghost({ version: '1.1.0', styles: ['plain', 'large-text'] });
  const { capabilities, clips } = second;
  // Long enough for a whole update to happen meanwhile.
  const slow = { ...clips.spin!, frames: clips.spin!.frames.map((frame) => ({ ...frame, duration: 200 })) };
  const celebrate = { clip: 'spin', basis: 'declared', styles: { comic: 'whirl' } } as const;
  const first: CharacterManifest = {
    ...ghost({ clips: { ...clips, spin: slow, whirl: clips.spin! }, substitutes: {} }),
    capabilities: { ...capabilities, [CELEBRATE]: celebrate },
  };
  return [first, second];
}

/** Adds packs to the index in `folder` as somebody who offers them would. */
function offer(folder: string, ...packs: readonly (readonly [CharacterManifest, Colour])[]): void {
  for (const [manifest, colour] of packs) {
    const pack = join(folder, `${manifest.id}-${manifest.version}`);
    mkdirSync(pack);
    writeFileSync(join(pack, 'character.json'), JSON.stringify(manifest));
    writeFileSync(join(pack, 'sheet.png'), sheetOf(colour));
  }
  const made = execFileSync(process.execPath, [CLI, 'packs', 'index', folder], { encoding: 'utf8' });
  expect(JSON.parse(made)).toMatchObject({ unusable: [] });
}

interface List {
  readonly catalogRevision: number;
  readonly current: string;
  readonly characters: readonly { readonly id: string; readonly version: string; readonly builtIn: boolean }[];
}

/** Packs the companion knows, as `id@version`. */
const packsIn = ({ characters }: List): readonly string[] =>
  characters.filter(({ builtIn }) => !builtIn).map(({ id, version }) => `${id}@${version}`);

/** Waits until the companion has exactly these packs, and that character as the current one; the revision must be a later one. */
const follows = (client: Client, before: List, packs: readonly string[], current: string): Promise<List> =>
  until(
    `${packs.join()} and ${current}`,
    async () => {
      const now = await client.call<List>('characters.list');
      if (packsIn(now).join() !== packs.join() || now.current !== current) return null;
      expect(now.catalogRevision).toBeGreaterThan(before.catalogRevision);
      return now;
    },
    15_000,
  );

it('a pack is installed, used, updated, kept from removal, forced out and gone, and the overlay follows each step', async () => {
  const client = await pairClient(companion);
  const [first, second] = ghosts();
  const index = newFolder();
  offer(index, [first, WHITE], [ghost({ id: HAT, requires: [`${GHOST}@1`] }), TEAL]);
  await succeed(server, 'add_repo', { name: 'here', url: index });
  const page = companion.page;
  let known = await client.call<List>('characters.list');
  expect(packsIn(known)).toEqual([]);

  // Installed: known, and not yet shown.
  await succeed(server, 'install_packages', { targets: ['org.example:ghost'], yes: true });
  known = await follows(client, known, [`${GHOST}@1.0.0`], NIB);
  await figureIs(companion, NIB);

  // Used.
  expect(await finish(startCli(companion.env, 'characters', 'use', GHOST))).toMatchObject({ code: 0 });
  known = await follows(client, known, [`${GHOST}@1.0.0`], GHOST);
  await figureIs(companion, GHOST);
  await colourIs(companion, WHITE);
  const comic = await client.create(CELEBRATE, { loops: 3 }, { style: 'comic' });
  expect(comic).toMatchObject({ resolvedCapability: CELEBRATE, resolvedStyle: 'comic', substituteReason: null });
  await page.waitForSelector(`.figure canvas[data-character="${GHOST}"][data-clip="whirl"]`);
  expect(await client.ended(comic.requestId)).toMatchObject({ status: 'completed', reason: 'clip_ended' });

  // Updated while a clip of the old version runs and another one waits: the first ends as it was, the other cannot any more.
  offer(index, [second, PINK]);
  const running = await client.create(CELEBRATE, { loops: 20 });
  await client.shown(running.requestId);
  const waiting = await client.create(CELEBRATE, {});
  const updated = await succeed(server, 'update_packages', { target: 'ghost', yes: true });
  expect(updated.data('update_summary')).toEqual([{ name: 'org.example:ghost', from: '1.0.0', to: '1.1.0' }]);
  known = await follows(client, known, [`${GHOST}@1.1.0`], GHOST);
  expect(await client.ended(waiting.requestId)).toMatchObject({ status: 'failed', reason: 'display_failed' });
  expect(await client.get(running.requestId)).toMatchObject({ status: 'running' });
  expect(await colourOf(companion)).toEqual(WHITE);
  expect(await client.ended(running.requestId)).toMatchObject({ status: 'completed', reason: 'clip_ended' });
  await colourIs(companion, PINK);
  await figureIs(companion, GHOST);

  // What relied on the old version is checked against the new one.
  const refusal = await refusalOf(client.create(CELEBRATE, {}, { style: 'comic' }));
  expect([refusal.code, refusal.details]).toEqual([
    'UNSUPPORTED_CAPABILITY',
    { capability: CELEBRATE, character: GHOST },
  ]);
  const instead = await client.create(CELEBRATE, {}, { style: 'comic', allowSubstitute: true });
  expect(instead).toMatchObject({
    capability: CELEBRATE,
    resolvedCharacter: GHOST,
    resolvedCapability: 'animation.greet',
    resolvedStyle: 'plain',
    substituteReason: expect.stringMatching(/^A ghost only greets; style comic does not fit/),
  });
  await page.waitForSelector(`.figure canvas[data-character="${GHOST}"][data-clip="spin"]`);
  expect(await client.ended(instead.requestId)).toMatchObject({
    status: 'completed',
    substituteReason: instead.substituteReason,
  });

  // Kept from removal by what requires it: nothing changes.
  await succeed(server, 'install_packages', { targets: ['hat'], yes: true });
  known = await follows(client, known, [`${GHOST}@1.1.0`, `${HAT}@1.0.0`], GHOST);
  const target = 'org.example:ghost';
  const blocked = await call(server, 'remove_package', { target, yes: true });
  expect(blocked.data('remove_blocked')).toMatchObject([
    { name: target, required_by: [{ name: 'org.example:hat', version: '1.0.0' }] },
  ]);
  expect([blocked.status, blocked.of('error')[0]?.code]).toEqual([2, 'E_PERMISSION']);
  expect(await client.call<List>('characters.list')).toEqual(known);
  await figureIs(companion, GHOST);
  await colourIs(companion, PINK);

  // Forced: the figure is ours again.
  await succeed(server, 'remove_package', { target, yes: true, force: true });
  known = await follows(client, known, [`${HAT}@1.0.0`], NIB);
  await figureIs(companion, NIB);

  // Removed: nothing is left of either but the old version, which only the update took out of use.
  await succeed(server, 'remove_package', { target: 'hat', yes: true });
  await follows(client, known, [], NIB);
  const packs = join(companion.env.XDG_DATA_HOME!, 'companion', 'packs');
  expect(filesIn(packs).map((path) => path.split('/').slice(0, 2).join('@'))).toEqual(
    Array.from({ length: 2 }, () => `${GHOST}@1.0.0`),
  );
  await succeed(server, 'remove_package', { target: `${target}@1.0.0`, yes: true });
  expect(filesIn(packs)).toEqual([]);
  // It has been the same page all along.
  expect(companion.host.page()).toBe(page);
  await figureIs(companion, NIB);
});
