/** What the pages of the overlay show: the user's own view of clients, of what is kept, and of the characters (design §4, §7). */
import { canDo } from '../characters/resolve.ts';
import type { Member } from '../protocol/cast.ts';
import type { ClientId } from '../protocol/ids.ts';
import type { Ability, AccessRow, AnswerRow, CharacterRow } from '../protocol/link.ts';
import type { RequestRecord } from '../protocol/snapshot.ts';
import type { ClientRecord } from '../protocol/store.ts';
import type { JsonObject } from '../protocol/words.ts';
import { findCapability } from '../registry/catalog.ts';
import type { State } from '../scheduler/state.ts';
import type { Catalogue } from './catalogue.ts';
import { folderOf, ownClips } from './scene.ts';

export function accessRows(clients: readonly ClientRecord[], state: State): AccessRow[] {
  const unfinishedOf = (clientId: ClientId): number =>
    [...state.entries.values()].filter(({ record }) => record.clientId === clientId).length;
  return clients.map(({ clientId, name, scopes, createdAt, lastUsedAt }) => ({
    clientId,
    name,
    scopes,
    createdAt,
    lastUsedAt,
    unfinished: unfinishedOf(clientId),
  }));
}

/** Reports whether the Answers page lists a request: questions, and notices the user has not been shown. */
export const isListed = ({ capability, reason }: RequestRecord): boolean =>
  findCapability(capability)?.kind === 'interaction' || reason === 'suppressed';

/** One line of the Answers page; null for what has no card, or whose content a revocation has cleared. */
export function answerRow(record: RequestRecord, nameOf: (clientId: ClientId) => string): AnswerRow | null {
  const capability = findCapability(record.capability);
  if (capability === undefined || record.params === null) return null;
  const params = record.params as JsonObject;
  const presentation = capability.present(params);
  if (presentation.view === 'clip') return null;
  const title = presentation.view === 'notice' ? (presentation.title ?? presentation.text) : presentation.title;
  const details =
    presentation.view === 'notice' ? (presentation.title === null ? null : presentation.text) : detailsOf(presentation);
  return {
    requestId: record.requestId,
    client: nameOf(record.clientId),
    title,
    details,
    view: presentation.view,
    tone: presentation.tone,
    status: record.status,
    reason: record.reason,
    createdAt: record.createdAt,
    endedAt: record.endedAt,
    retainedUntil: record.retainedUntil,
    answer:
      record.status === 'completed' && record.result !== null ? capability.wordAnswer(params, record.result) : null,
  };
}

const detailsOf = (presentation: {
  readonly details?: string | null;
  readonly message?: string | null;
}): string | null => presentation.details ?? presentation.message ?? null;

/** Last part of a capability's ID. */
const lastName = (id: string): string => id.slice(id.lastIndexOf('.') + 1);

/** The animations of a character, its own and those it declares a stand-in for. */
function abilitiesOf(catalogue: Catalogue, character: Member): readonly Ability[] {
  const { declares, substitutes } = character.manifest;
  return catalogue.capabilities().flatMap(({ id, characters }): readonly Ability[] => {
    const how = characters === 'all' ? 'no' : canDo(character, id);
    if (how === 'no') return [];
    const text = declares !== undefined && Object.hasOwn(declares, id) ? declares[id]!.description : null;
    return [{ name: lastName(id), text, instead: how === 'own' ? null : lastName(substitutes[id]!.capability) }];
  });
}

/** Every character there is, for the gallery. */
export const characterRows = (catalogue: Catalogue): readonly CharacterRow[] =>
  catalogue.cast().members.map((member) => {
    const { id, displayName, description, version, authors, license } = member.manifest;
    return {
      id,
      name: displayName,
      description,
      version,
      authors: authors.map(({ name }) => name),
      license,
      builtIn: member.builtIn,
      current: member === catalogue.current(),
      folder: folderOf(member),
      greetClip: ownClips(member).greet,
      abilities: abilitiesOf(catalogue, member),
    };
  });
