/** The verbs that tell what there is: characters, capabilities, styles, the OpenRPC document (spec §2, R1). */
import type { Settings } from '../protocol/settings.ts';
import { CAPABILITIES } from '../registry/catalog.ts';
import { emitOpenRpc } from '../registry/emit/openrpc.ts';
import { DEFAULT_STYLE, STYLES } from '../registry/styles.ts';
import type { Handlers } from './call.ts';
import { type Catalogue, capabilitiesOf } from './catalogue.ts';

export interface DiscoveryDeps {
  readonly catalogue: Catalogue;
  readonly catalogRevision: () => number;
  readonly settings: () => Settings;
  /** Characters under it came with this program. */
  readonly builtInFolder: string;
}

type Discovery = Pick<
  Handlers,
  'rpc.discover' | 'characters.list' | 'capabilities.list' | 'capabilities.describe' | 'styles.list'
>;

export function createDiscovery({ catalogue, catalogRevision, settings, builtInFolder }: DiscoveryDeps): Discovery {
  const openRpc = emitOpenRpc();
  return {
    'rpc.discover': () => openRpc,
    'characters.list': () => ({
      catalogRevision: catalogRevision(),
      current: settings().character,
      characters: catalogue.characters.map((character) => ({
        id: character.manifest.id,
        version: character.manifest.version,
        displayName: character.manifest.displayName.default,
        description: character.manifest.description.default,
        builtIn: character.folder.startsWith(builtInFolder),
        capabilities: capabilitiesOf(character),
        substitutes: Object.entries(character.manifest.substitutes).map(
          ([capability, { capability: uses, reason }]) => ({
            capability,
            uses,
            reason,
          }),
        ),
        styles: STYLES.map(({ id }) => id),
      })),
      unavailable: catalogue.unavailable,
    }),
    'capabilities.list': (_params, actor) => ({
      catalogRevision: catalogRevision(),
      capabilities: CAPABILITIES.filter((capability) => catalogue.isAvailable(capability, settings()))
        .filter(({ requiredScopes }) => requiredScopes.every((scope) => actor.scopes.includes(scope)))
        .map(catalogue.contract),
      nextCursor: null,
    }),
    'capabilities.describe': ({ id }) => catalogue.contract(catalogue.get(id)),
    'styles.list': () => ({
      catalogRevision: catalogRevision(),
      default: DEFAULT_STYLE,
      styles: STYLES.map(({ id, description }) => ({
        id,
        description,
        capabilities: CAPABILITIES.filter(({ styles }) => styles.includes(id)).map((capability) => capability.id),
      })),
    }),
  };
}
