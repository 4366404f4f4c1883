/** What a capability of the NDJSON interface says about itself, and what it has to work with. One value per capability. */
import type { Library, PackError } from '../../server/packs/types.ts';
import type { Json, JsonObject } from '../../server/protocol/words.ts';
import type { Schema, Static } from '../../server/registry/schema.ts';
import type { Client } from '../client/client.ts';
import type { SessionClock } from './clock.ts';
import type { LogLevel } from './lines.ts';

export interface Question {
  /** The second one of a session becomes `id#2`. */
  readonly id: string;
  readonly question: string;
  readonly options: readonly string[];
  readonly defaultValue: string;
}

/** What a running capability says and hears. */
export interface Conversation {
  /** Aborts with a PackError E_CANCELLED as its reason. */
  readonly signal: AbortSignal;
  /** Resolves at once, or when a pause is over. Error: the signal's reason. */
  unpaused(): Promise<void>;
  /** `percent` is whole, 0 to 100; -1: nobody knows. */
  progress(phase: string, percent: number, message: string): void;
  log(level: LogLevel, message: string): void;
  data(dataKind: string, payload: Json): void;
  /** Tells of something that failed while the capability goes on. */
  error(error: PackError): void;
  /** Resolves to one of the options, never to one nobody chose. Error: E_CANCELLED. */
  ask(question: Question): Promise<string>;
}

/** What lies around a session. */
export interface World {
  /** Opened when a capability first needs it. */
  library(): Library;
  readonly dataFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute; what relative paths begin at. */
  readonly cwd: string;
  readonly clock: SessionClock;
  /** A client with the caller's credential profile. Errors: as `connect` of `companion/client`. */
  connect(): Promise<Client>;
}

export interface Outcome<Data = JsonObject> {
  /** 0 done, 1 failed, 2 refused by policy, 130 cancelled. */
  readonly exitCode: 0 | 1 | 2 | 130;
  readonly data: Data | null;
  /** Sent just before the result. */
  readonly error: PackError | null;
  /** Goes with `error`: the caller may mend something and try again. */
  readonly recoverable: boolean;
}

export const done = <Data>(data: Data): Outcome<Data> => ({ exitCode: 0, data, error: null, recoverable: false });

/** Failed; with `error` null it has been told already. */
export const failed = <Data>(error: PackError | null, data: Data | null = null): Outcome<Data> => ({
  exitCode: 1,
  data,
  error,
  recoverable: false,
});

/** Nothing is broken and nothing is changed: the caller can put something right and call again. */
export const mendable = (error: PackError): Outcome<never> => ({ exitCode: 1, data: null, error, recoverable: true });

/** Not done although it could be: the caller must insist. */
export const refused = (error: PackError): Outcome<never> => ({ exitCode: 2, data: null, error, recoverable: false });

export interface NdjsonCapability<Input extends Schema = Schema, Output extends Schema = Schema> {
  readonly name: string;
  readonly description: string;
  /** Changes something the user has. */
  readonly destructive: boolean;
  /** It asks `unpaused` between its steps. */
  readonly pausable: boolean;
  /** Nothing is left half-done when it is dropped in the middle; otherwise a cancel waits for it to end in good order. */
  readonly droppable: boolean;
  readonly inputSchema: Input;
  /** Of `data` in the result of a call that ended with exit code 0. */
  readonly outputSchema: Output;
  /** Whatever it throws ends the call: a PackError as itself, anything else as E_INTERNAL. */
  run(params: Static<Input>, conversation: Conversation, world: World): Promise<Outcome<Static<Output>>>;
}

/** A capability whose schemas are no longer known to the types: what the catalogue holds. */
export interface AnyNdjsonCapability extends Omit<NdjsonCapability, 'run'> {
  run(params: JsonObject, conversation: Conversation, world: World): Promise<Outcome>;
}

/** Declares a capability; its schemas give `run` its types. */
export const defineNdjson = <const Input extends Schema, const Output extends Schema>(
  capability: NdjsonCapability<Input, Output>,
): AnyNdjsonCapability =>
  // `run` is handed nothing that has not passed the schema of the same value.
  capability as unknown as AnyNdjsonCapability;
