/** Lists the installed character packs. */
import { type InstalledPack, toCoordinate, type Wardrobe } from '../../../server/packs/types.ts';
import { defineNdjson, done } from '../define.ts';
import { exactly, flag, listOf, record, text } from '../packs/schemas.ts';

const nameOf = ({ manifest, reason }: InstalledPack): string => manifest?.displayName.default ?? reason ?? '';

const isWorn = ({ id, version }: InstalledPack, { packs }: Wardrobe): boolean => packs[id] === version;

/** Empty for what stands in the wardrobe and works. */
function statusOf(pack: InstalledPack, wardrobe: Wardrobe): string {
  if (pack.manifest === null) return `degraded: ${pack.reason ?? 'cannot be used'}`;
  return isWorn(pack, wardrobe) ? '' : 'inactive';
}

export const listPackages = defineNdjson({
  name: 'list_packages',
  description:
    'List the installed character packs (packages), all versions; those that are not in the active wardrobe (sub-OS) are inactive. Filter is a plain part of the name.',
  destructive: false,
  pausable: false,
  droppable: true,
  inputSchema: record({ filter: { ...text, description: 'Part of the name' } }, []),
  outputSchema: exactly({
    packages: listOf(
      exactly({ name: text, version: text, displayName: text, folder: text, active: flag, reason: text }),
    ),
  }),
  run: async ({ filter = '' }, conversation, { library }) => {
    const wardrobe = library().active();
    const wanted = filter.normalize('NFKC').toLowerCase();
    const packs = library()
      .installed()
      .filter((pack) => `${toCoordinate(pack.id)} ${nameOf(pack)}`.normalize('NFKC').toLowerCase().includes(wanted));
    conversation.data('styled_list', {
      title: 'Installed packages:',
      items: packs.map((pack) => [toCoordinate(pack.id, pack.version), nameOf(pack), statusOf(pack, wardrobe)]),
      numbered: true,
    });
    const packages = packs.map((pack) => ({
      name: toCoordinate(pack.id),
      version: pack.version,
      displayName: pack.manifest?.displayName.default ?? '',
      folder: pack.folder,
      active: isWorn(pack, wardrobe),
      reason: pack.reason ?? '',
    }));
    return done({ packages });
  },
});
