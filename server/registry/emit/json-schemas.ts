/** Catalogue → the files of `schemas/`: one per capability contract, one per method, and the snapshot. */
import { LIMITS } from '../../protocol/limits.ts';
import { CAPABILITIES, METHODS } from '../catalog.ts';
import { toContract } from '../contract.ts';
import type { Method } from '../define.ts';
import { SNAPSHOT } from '../snapshot-schema.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** File name → content, for every schema this project publishes. */
export function emitJsonSchemas(): ReadonlyMap<string, object> {
  const files = new Map<string, object>();
  for (const capability of CAPABILITIES) {
    files.set(`capabilities/${capability.id}.json`, {
      ...toContract(capability, {
        able: [],
        styles: capability.styles,
        maxUnfinishedPerClient: LIMITS.maxUnfinishedPerClient,
      }),
      characters: capability.characters,
      updateSchema: capability.update,
    });
  }
  for (const { name, description, params, result } of Object.values(METHODS) as unknown as Method[]) {
    files.set(`methods/${name}.json`, { $schema: DIALECT, title: name, description, $defs: { params, result } });
  }
  files.set('snapshot.json', { $schema: DIALECT, title: 'snapshot', ...SNAPSHOT });
  return files;
}
