/** `companion interface` from its words to its exit code, in the order outside programs rely on. Whatever fails is told as lines. */

import type { FoundPets } from '../../server/packs/in-place.ts';
import { loadCharacters } from '../../server/packs/load.ts';
import type { Library } from '../../server/packs/types.ts';
import { PackError } from '../../server/packs/types.ts';
import { resolvePaths } from '../../server/protocol/paths.ts';
import type { JsonObject } from '../../server/protocol/words.ts';
import { packCapabilities } from '../../server/registry/pack-capabilities.ts';
import { known } from '../client/known.ts';
import type { Io } from '../io.ts';
import { localCharacters } from '../packs/worn.ts';
import type { Argv } from './argv.ts';
import { findNdjson, NDJSON_CAPABILITIES } from './catalog.ts';
import { realClock } from './clock.ts';
import type { AnyNdjsonCapability, World } from './define.ts';
import { NDJSON_VERSION, toLine } from './lines.ts';
import { readArgsFile, readParams } from './params.ts';
import { processWire } from './process-wire.ts';
import { requestCapability } from './protocol/request-capability.ts';
import { errorLine, runSession, toPackError } from './session.ts';

const LIST_HINT = 'run `companion interface --list` to see available capabilities';
const NO_CAPABILITY = 'capability name required. Use --list to see available capabilities.';

type OpenLibrary = (dataFolder: string) => Library;

/** Pets bring no capability of their own, so they are not looked at. */
const noPets = (): FoundPets => ({ pets: [], unavailable: [], watched: [] });

/** What the user's characters bring along. Files that cannot be read bring nothing; the capabilities for packs tell why. */
function broughtAlong(io: Io, openLibrary: OpenLibrary): readonly AnyNdjsonCapability[] {
  try {
    return packCapabilities(localCharacters({ loadCharacters, openLibrary, findPets: noPets }, io).characters).map(
      requestCapability,
    );
  } catch {
    return [];
  }
}

/** What a client that only reads is told of each capability. */
const listing = (brought: readonly AnyNdjsonCapability[]): object => ({
  protocol_version: NDJSON_VERSION,
  capabilities: [...NDJSON_CAPABILITIES, ...brought].map(
    ({ name, description, destructive, inputSchema, outputSchema }) => ({
      name,
      description,
      destructive,
      inputSchema,
      outputSchema,
    }),
  ),
});

/** An error and its result; the result repeats it when there was no capability at all, as upstream does. */
function refuse(io: Io, error: PackError, more: { readonly error?: string } = {}): number {
  io.out(toLine(errorLine(error, false)));
  io.out(toLine({ kind: 'result', exitCode: 1, ...more }));
  return 1;
}

interface Call {
  readonly capability: AnyNdjsonCapability;
  readonly params: JsonObject;
}

/** The file is looked at before the name. Errors: E_INVALID_INPUT, E_NOT_FOUND. */
async function readCall(
  { args, argsFile }: Argv,
  name: string,
  brought: () => readonly AnyNdjsonCapability[],
): Promise<Call> {
  const text = argsFile === null ? (args ?? '') : readArgsFile(argsFile);
  const capability = findNdjson(name) ?? brought().find((each) => each.name === name);
  if (capability === undefined) throw new PackError('E_NOT_FOUND', `unknown capability: ${name}`, LIST_HINT);
  return { capability, params: await readParams(capability, text) };
}

/** The world of a real call; `openLibrary` is called when a capability first asks for it, and once. */
function makeWorld({ profile }: Argv, { env }: Io, openLibrary: OpenLibrary): World {
  const { dataFolder } = resolvePaths(env);
  let library: Library | null = null;
  return {
    library: () => {
      library ??= openLibrary(dataFolder);
      return library;
    },
    dataFolder,
    env,
    cwd: process.cwd(),
    clock: realClock,
    // Most capabilities need no companion, and so none of what speaks to one.
    connect: async () => {
      const { connect } = await import('../client/client.ts');
      return connect({ env, ...known({ profile: profile ?? undefined }) });
    },
  };
}

/** Runs everything but `--version` and `--help`, which need none of this. Never throws. */
export async function runInterface(argv: Argv, io: Io, openLibrary: OpenLibrary): Promise<number> {
  if (argv.fault !== null) return refuse(io, new PackError('E_INVALID_INPUT', argv.fault));
  if (argv.list) {
    io.out(toLine(listing(broughtAlong(io, openLibrary))));
    return 0;
  }
  if (argv.capability === null) {
    return refuse(io, new PackError('E_INVALID_INPUT', NO_CAPABILITY, LIST_HINT), { error: NO_CAPABILITY });
  }
  let call: Call;
  try {
    call = await readCall(argv, argv.capability, () => broughtAlong(io, openLibrary));
  } catch (thrown) {
    return refuse(io, toPackError(thrown));
  }
  return runSession(call.capability, call.params, makeWorld(argv, io, openLibrary), processWire());
}
