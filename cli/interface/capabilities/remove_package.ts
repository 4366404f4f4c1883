/** Removes one version of a character pack. */
import { type InstalledPack, PackError, toCoordinate } from '../../../server/packs/types.ts';
import { type Conversation, defineNdjson, done, refused, type World } from '../define.ts';
import { isConfirmed } from '../packs/confirm.ts';
import { flag, record, TARGET, text, YES } from '../packs/schemas.ts';
import { oneInstalled } from '../packs/targets.ts';

/** What of the active wardrobe needs the very version that is to go. */
function dependents({ id, version }: InstalledPack, { library }: World): readonly InstalledPack[] {
  return library().active().packs[id] === version ? library().requiredBy(id) : [];
}

function tellBlocked(conversation: Conversation, place: object, needing: readonly InstalledPack[]): PackError {
  const required_by = needing.map(({ id, version }) => ({ name: toCoordinate(id), version }));
  conversation.data('remove_blocked', { ...place, required_by });
  const names = needing.map(({ id, version }) => toCoordinate(id, version)).join(', ');
  return new PackError('E_PERMISSION', `it is needed by ${names}`, 'pass "force": true to remove it nevertheless');
}

export const removePackage = defineNdjson({
  name: 'remove_package',
  description:
    'Remove one version of one character pack (package): without a version, the one of the active wardrobe (sub-OS). Refused while a pack of the active wardrobe directly requires it; packs one step further away do not count.',
  destructive: true,
  pausable: false,
  droppable: false,
  inputSchema: record(
    { target: TARGET, yes: YES, force: { ...flag, description: 'true: even if another pack directly requires it' } },
    ['target'],
  ),
  outputSchema: record(
    { removed: { ...text, description: 'namespace:name@version; empty when declined' }, declined: flag },
    ['removed', 'declined'],
  ),
  run: async ({ target, yes, force }, conversation, world) => {
    const pack = oneInstalled(target, world.library());
    const coordinate = toCoordinate(pack.id, pack.version);
    const place = { subos: world.library().active().name, name: toCoordinate(pack.id), version: pack.version };
    const needing = force ? [] : dependents(pack, world);
    if (needing.length > 0) return refused(tellBlocked(conversation, place, needing));
    conversation.data('remove_plan', place);
    if (!(await isConfirmed(conversation, 'confirm-remove', `Remove ${coordinate}?`, { yes, suggests: 'no' }))) {
      return done({ removed: '', declined: true });
    }
    await world.library().remove(pack.id, pack.version);
    conversation.data('remove_summary', place);
    return done({ removed: coordinate, declined: false });
  },
});
