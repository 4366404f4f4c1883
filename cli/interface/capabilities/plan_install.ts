/** Says what an installation would do. */
import { toCoordinate } from '../../../server/packs/types.ts';
import { defineNdjson, done } from '../define.ts';
import { planPayload } from '../packs/install.ts';
import { readOffers } from '../packs/offers.ts';
import { COORDINATES, exactly, listOf, record, TARGET, whole } from '../packs/schemas.ts';

export const planInstall = defineNdjson({
  name: 'plan_install',
  description:
    'Resolve targets and report which character packs (packages) install_packages would install, without downloading or changing anything. The indexes are read.',
  destructive: false,
  pausable: false,
  droppable: true,
  inputSchema: record({ targets: { ...listOf(TARGET), minItems: 1 } }, ['targets']),
  outputSchema: exactly({ packages: COORDINATES, present: COORDINATES, downloadBytes: whole }),
  run: async ({ targets }, conversation, world) => {
    const plan = world.library().plan(targets, await readOffers(conversation, world));
    if (plan.packs.length > 0) conversation.data('install_plan', planPayload(plan));
    return done({
      packages: plan.packs.map(({ id, version }) => toCoordinate(id, version)),
      present: plan.present,
      downloadBytes: plan.packs.reduce((total, { size }) => total + size, 0),
    });
  },
});
