/** Says everything known about one character pack, installed or offered. */
import { type InstalledPack, type OfferedPack, PackError, toCoordinate } from '../../../server/packs/types.ts';
import { newestOf } from '../../../server/packs/versions.ts';
import { type Conversation, defineNdjson, done, type World } from '../define.ts';
import { readOffers } from '../packs/offers.ts';
import { type Row, row } from '../packs/panel.ts';
import { exactly, listOf, record, TARGET, text } from '../packs/schemas.ts';
import { assertNoPet, oneId } from '../packs/targets.ts';

const texts = listOf(text);

interface Known {
  readonly installed: readonly InstalledPack[];
  readonly offers: readonly OfferedPack[];
}

/** A pack that is here can be told of without the indexes. */
async function offersOrNone(installed: number, conversation: Conversation, world: World) {
  try {
    return await readOffers(conversation, world);
  } catch (error) {
    if (!(error instanceof PackError) || error.code === 'E_CANCELLED' || installed === 0) throw error;
    conversation.log('warn', `the indexes are left out: ${error.code}: ${error.message}`);
    return [];
  }
}

/** What the pack says of itself: the installed one if there is one that can be read. */
function about({ installed, offers }: Known) {
  const usable = installed.flatMap(({ version, manifest }) => (manifest === null ? [] : [{ version, manifest }]));
  const manifest = newestOf(usable, undefined)?.manifest;
  const offer = newestOf(offers, undefined);
  return {
    displayName: manifest?.displayName.default ?? offer?.displayName ?? '',
    description: manifest?.description.default ?? offer?.description ?? '',
    license: manifest?.license ?? offer?.license ?? '',
    requires: manifest?.requires ?? offer?.requires ?? [],
    capabilities: Object.keys(manifest?.capabilities ?? {}),
  };
}

export const packageInfo = defineNdjson({
  name: 'package_info',
  description:
    'Tell about one character pack (package): what it is, its versions, what it requires, and where it lies.',
  destructive: false,
  pausable: false,
  droppable: true,
  inputSchema: record({ target: TARGET }, ['target']),
  outputSchema: exactly({
    name: text,
    displayName: text,
    description: text,
    license: text,
    indexes: texts,
    available: texts,
    requires: texts,
    capabilities: texts,
    installed: texts,
    active: { ...text, description: 'Version of the active wardrobe; empty: none' },
  }),
  run: async ({ target }, conversation, world) => {
    const library = world.library();
    assertNoPet(target, library);
    const all = library.installed();
    const offered = await offersOrNone(all.length, conversation, world);
    const id = oneId(
      target,
      [...all, ...offered].map((pack) => pack.id),
      'installed or offered by an index',
    );
    const known = { installed: all.filter((pack) => pack.id === id), offers: offered.filter((pack) => pack.id === id) };
    const facts = {
      name: toCoordinate(id),
      ...about(known),
      indexes: [...new Set(known.offers.map(({ index }) => index))],
      available: known.offers.map(({ version }) => version),
      installed: known.installed.map(({ version }) => version),
      active: library.active().packs[id] ?? '',
    };
    const extra: Row[] = [
      ...(facts.active === '' ? [] : [row('active', facts.active, true), row('subos', library.active().name)]),
      ...known.installed.map(({ version, folder }) => row(`installed ${version}`, folder)),
      ...known.installed.flatMap(({ version, reason }) => (reason === null ? [] : [row(`broken ${version}`, reason)])),
    ];
    conversation.data('info_panel', {
      title: facts.name,
      fields: [
        row('name', facts.displayName, true),
        row('description', facts.description),
        row('licenses', facts.license),
        row('repo', facts.indexes.join(', ')),
        row('versions', facts.available.join(', ')),
        row('deps', facts.requires.join(', ')),
        row('capabilities', facts.capabilities.join(', ')),
        row('installed', facts.installed.join(', ')),
      ]
        .filter(({ value }) => value !== '')
        .map((each) => ({ ...each })),
      extra_fields: extra.map((each) => ({ ...each })),
    });
    return done(facts);
  },
});
