/** What follows when other characters are there: the settings name the chosen one, and requests whose character has gone end (R11). */
import { canDo } from '../characters/resolve.ts';
import { DEFAULT_CHARACTER } from '../protocol/settings.ts';
import type { Entry } from '../scheduler/state.ts';
import type { Catalogue } from './catalogue.ts';
import type { Engine } from './engine.ts';

export interface FollowerDeps {
  readonly engine: Engine;
  readonly catalogue: Catalogue;
  /** The request whose clip has begun, or is about to: it ends by itself. */
  readonly onStage: () => string | null;
  readonly log: (line: string) => void;
}

/** The function it returns is to be called after each change of the catalogue. Never throws. */
export function createFollower({ engine, catalogue, onStage, log }: FollowerDeps): () => void {
  const isPlayable = ({ kind, record }: Entry): boolean => {
    if (kind !== 'animation' || record.requestId === onStage()) return true;
    const character = catalogue.find(record.resolvedCharacter);
    return character !== undefined && canDo(character, record.resolvedCapability) === 'own';
  };

  const follow = async (): Promise<void> => {
    const character = catalogue.cast().chosen ?? DEFAULT_CHARACTER;
    const isSame = engine.state().settings.character === character;
    // Whatever was accepted by the catalogue of before has been committed once this has.
    await engine.submit(isSame ? { type: 'tick' } : { type: 'settings', patch: { character } });
    const requestIds = [...engine.state().entries.values()]
      .filter((entry) => !isPlayable(entry))
      .map(({ record }) => record.requestId);
    if (requestIds.length > 0) await engine.submit({ type: 'unplayable', requestIds });
  };

  return () => {
    follow().catch(() => log('catalogue: storage is away'));
  };
}
