/** Reads the indexes anew, or brings one character pack to its newest version. */
import { PackError, toCoordinate } from '../../../server/packs/types.ts';
import { compareVersions, newestOf, splitVersion } from '../../../server/packs/versions.ts';
import { type Conversation, defineNdjson, done, failed, type Outcome, type World } from '../define.ts';
import { isConfirmed } from '../packs/confirm.ts';
import { installPlanned, planPayload } from '../packs/install.ts';
import { readOffers } from '../packs/offers.ts';
import { flag, record, TARGET, text, whole, YES } from '../packs/schemas.ts';
import { versionsInstalled } from '../packs/targets.ts';

const OUTPUT = record(
  {
    name: text,
    from: text,
    to: text,
    updated: { ...flag, description: 'true: another version is used now' },
    declined: flag,
    indexes: { ...whole, description: 'Indexes that were read, when no target was named' },
    packages: { ...whole, description: 'Packs they offer, all versions counted' },
  },
  ['updated', 'declined'],
);

interface Data {
  readonly updated: boolean;
  readonly declined: boolean;
}

/** Nothing is kept of an index: what is refreshed is the knowledge that all can be read. */
async function refresh(conversation: Conversation, { library }: World): Promise<Outcome<Data>> {
  const indexes = library().indexes();
  conversation.progress(
    'refreshing',
    0,
    indexes.length === 1 ? 'reading 1 index' : `reading ${indexes.length} indexes`,
  );
  const { offered, failed: unread } = await library().offers(conversation.signal);
  for (const { index, error } of unread) {
    conversation.error(new PackError(error.code, `index ${index.name}: ${error.message}`, error.hint));
  }
  conversation.progress('refreshing', 100, `${offered.length} packs are offered`);
  const data = {
    updated: false,
    declined: false,
    indexes: indexes.length - unread.length,
    packages: offered.length,
  };
  return unread.length === 0 ? done(data) : failed(null, data);
}

interface Target {
  readonly target: string;
  readonly yes: boolean | undefined;
}

async function update({ target, yes }: Target, conversation: Conversation, world: World): Promise<Outcome<Data>> {
  const versions = versionsInstalled(target, world.library());
  const { id } = versions[0]!;
  const name = toCoordinate(id);
  const from = world.library().active().packs[id] ?? newestOf(versions, undefined)!.version;
  const offered = await readOffers(conversation, world);
  const newest = newestOf(
    offered.filter((offer) => offer.id === id),
    splitVersion(target).wanted,
  );
  const to = newest !== undefined && compareVersions(newest.version, from) > 0 ? newest.version : from;
  conversation.data('update_plan', { name, current: from, latest: to });
  const nothing = { name, from, to, updated: false, declined: false };
  if (to === from) return done(nothing);
  const asking = { yes, suggests: 'yes' } as const;
  if (!(await isConfirmed(conversation, 'confirm-update', `Update ${name} from ${from} to ${to}?`, asking))) {
    return done({ ...nothing, declined: true });
  }
  const plan = world.library().plan([toCoordinate(id, to)], offered);
  conversation.data('install_plan', planPayload(plan));
  const { failed: broken } = await installPlanned(plan, true, conversation, world);
  if (broken.length > 0) return failed(null, nothing);
  conversation.data('update_summary', { name, from, to });
  return done({ ...nothing, updated: true });
}

export const updatePackages = defineNdjson({
  name: 'update_packages',
  description:
    'Without a target: read all pack indexes (repos) and report which cannot be read. With one: bring that character pack (package) to the newest version the indexes offer.',
  destructive: true,
  pausable: true,
  droppable: false,
  inputSchema: record({ target: TARGET, yes: YES }, []),
  outputSchema: OUTPUT,
  run: ({ target, yes }, conversation, world) =>
    target === undefined ? refresh(conversation, world) : update({ target, yes }, conversation, world),
});
