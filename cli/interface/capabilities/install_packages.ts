/** Installs character packs with what they require. */
import { type OfferedPack, toCoordinate } from '../../../server/packs/types.ts';
import { newestOf, splitVersion } from '../../../server/packs/versions.ts';
import { type Conversation, defineNdjson, done, failed } from '../define.ts';
import { isConfirmed } from '../packs/confirm.ts';
import { installPlanned, planPayload, sizeOf } from '../packs/install.ts';
import { readOffers } from '../packs/offers.ts';
import { flag, INSTALL_DATA, listOf, record, TARGET, YES } from '../packs/schemas.ts';
import { idsMeant } from '../packs/targets.ts';

const MAX_CHOICES = 5;

/** `target`, or the one of the packs it may mean that the user picks. More than five are left for the plan to refuse. */
async function unambiguous(
  target: string,
  offered: readonly OfferedPack[],
  conversation: Conversation,
): Promise<string> {
  const { wanted } = splitVersion(target);
  const ids = idsMeant(
    target,
    offered.map(({ id }) => id),
  );
  const choices = ids.flatMap((id) => {
    const newest = newestOf(
      offered.filter((offer) => offer.id === id),
      wanted,
    );
    return newest === undefined ? [] : [toCoordinate(id, newest.version)];
  });
  if (choices.length < 2 || choices.length > MAX_CHOICES) return target;
  return conversation.ask({
    id: 'select-package',
    question: `Which pack is meant by ${target}?`,
    options: choices,
    defaultValue: '',
  });
}

export const installPackages = defineNdjson({
  name: 'install_packages',
  description:
    'Install one or more character packs (packages) from the pack indexes, with the packs they require, into the active wardrobe (sub-OS).',
  destructive: true,
  pausable: true,
  droppable: false,
  inputSchema: record(
    {
      targets: { ...listOf(TARGET), minItems: 1 },
      yes: YES,
      useAfterInstall: { ...flag, description: 'true: the wardrobe uses these versions even where it has another' },
    },
    ['targets'],
  ),
  outputSchema: INSTALL_DATA,
  run: async ({ targets, yes, useAfterInstall }, conversation, world) => {
    conversation.progress('resolving', 0, `resolving ${targets.join(', ')}`);
    const offered = await readOffers(conversation, world);
    const meant: string[] = [];
    for (const target of targets) meant.push(yes ? target : await unambiguous(target, offered, conversation));
    const plan = world.library().plan(meant, offered);
    const nothing = { installed: [], failed: [], present: plan.present, declined: false };
    if (plan.packs.length === 0) return done(nothing);
    conversation.data('install_plan', planPayload(plan));
    const names = plan.packs.map(({ id, version }) => toCoordinate(id, version)).join(', ');
    const asking = { yes, suggests: 'yes' } as const;
    const question = `Install ${names} (${sizeOf(plan)})?`;
    if (!(await isConfirmed(conversation, 'confirm-install', question, asking))) {
      return done({ ...nothing, declined: true });
    }
    const ended = await installPlanned(plan, useAfterInstall ?? false, conversation, world);
    const data = { ...ended, present: plan.present, declined: false };
    return ended.failed.length === 0 ? done(data) : failed(null, data);
  },
});
