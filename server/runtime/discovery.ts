/** The verbs that tell what there is: characters, capabilities, styles, the OpenRPC document (spec §2, R1). */
import { emitOpenRpc } from '../registry/emit/openrpc.ts';
import { DEFAULT_STYLE, STYLES } from '../registry/styles.ts';
import type { Handlers } from './call.ts';
import { type Catalogue, fittingStyles } from './catalogue.ts';

export interface DiscoveryDeps {
  readonly catalogue: Catalogue;
  readonly catalogRevision: () => number;
  /** Looks at the characters again, where changes are not noticed by themselves. */
  readonly refresh: () => Promise<void>;
}

type Discovery = Pick<
  Handlers,
  'rpc.discover' | 'characters.list' | 'capabilities.list' | 'capabilities.describe' | 'styles.list'
>;

export function createDiscovery({ catalogue, catalogRevision, refresh }: DiscoveryDeps): Discovery {
  const openRpc = emitOpenRpc();
  return {
    'rpc.discover': () => openRpc,
    'characters.list': async () => {
      await refresh();
      const { members, unavailable } = catalogue.cast();
      return {
        catalogRevision: catalogRevision(),
        current: catalogue.current()?.manifest.id ?? '',
        characters: members.map((character) => ({
          id: character.manifest.id,
          version: character.manifest.version,
          displayName: character.manifest.displayName.default,
          description: character.manifest.description.default,
          builtIn: character.builtIn,
          capabilities: catalogue.capabilitiesOf(character),
          substitutes: Object.entries(character.manifest.substitutes).map(
            ([capability, { capability: uses, reason }]) => ({ capability, uses, reason }),
          ),
          styles: fittingStyles(character),
        })),
        unavailable,
      };
    },
    'capabilities.list': (_params, actor) => ({
      catalogRevision: catalogRevision(),
      capabilities: catalogue
        .capabilities()
        .filter(catalogue.isAvailable)
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
        capabilities: catalogue
          .capabilities()
          .filter(catalogue.isAvailable)
          .filter((capability) => catalogue.stylesOf(capability, catalogue.current()).includes(id))
          .map((capability) => capability.id),
      })),
    }),
  };
}
