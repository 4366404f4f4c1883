/** What a capability and a method must say about themselves: every contract field, the empty ones too (spec §2). Pure data, pure functions. */
import type { Presentation } from '../protocol/presentation.ts';
import {
  CONTROL_SCOPE,
  type Completion,
  type Json,
  type JsonObject,
  type Kind,
  type Scope,
} from '../protocol/words.ts';
import type { Schema, Static } from './schema.ts';

/** A place in the parameters and what is wrong there; never the value itself. */
export interface Fault {
  /** JSON Pointer. */
  readonly path: string;
  readonly rule: string;
}

export interface Capability<
  Input extends Schema = Schema,
  Output extends Schema = Schema,
  Update extends Schema = Schema,
> {
  readonly id: string;
  readonly version: string;
  readonly description: string;
  /** 'all', or the character IDs that can do it. */
  readonly characters: 'all' | 'mapped';
  readonly kind: Kind;
  /** `none`, `choice`, `text`, or a namespaced type. */
  readonly interaction: string;
  readonly input: Input;
  readonly output: Output;
  readonly requiredScopes: readonly Scope[];
  readonly updatableFields: readonly string[];
  /** Schema of `requests.update` params; NO_PARAMS when nothing can be updated. */
  readonly update: Update;
  readonly completion: Completion;
  readonly cancelable: boolean;
  readonly queue: { readonly evictable: boolean; readonly interruptible: boolean };
  readonly whenUnavailable: {
    readonly hidden: 'cancel';
    readonly paused: 'cancel';
    readonly doNotDisturb: 'suppress' | 'show';
  };
  readonly styles: readonly string[];
  readonly limits: {
    readonly defaultTimeoutMs: number;
    readonly maxTimeoutMs: number;
    readonly maxUnfinishedPerClient: number;
  };
  /** What a schema cannot say about the parameters; [] when fine. */
  check(params: Static<Input>): readonly Fault[];
  /** What a schema cannot say about an answer to these parameters; [] when fine. */
  checkResult(params: Static<Input>, result: Static<Output>): readonly Fault[];
  /** What a schema cannot say about an update; [] when fine. */
  checkUpdate(update: Static<Update>): readonly Fault[];
  /** Data for one view. */
  present(params: Static<Input>): Presentation;
  /** The answer in the words the user saw, for the Answers page; null when there is none. */
  wordAnswer(params: Static<Input>, result: Static<Output>): string | null;
  readonly examples: {
    readonly valid: readonly Static<Input>[];
    /** Each is refused, by the schema or by `check`. */
    readonly invalid: readonly Json[];
    /** Answers to the first valid example that pass, and that do not. */
    readonly results: { readonly valid: readonly Json[]; readonly invalid: readonly Json[] };
  };
}

/** A capability whose schemas are no longer known to the types: what the catalog holds. */
export interface AnyCapability
  extends Omit<Capability, 'check' | 'checkResult' | 'checkUpdate' | 'present' | 'wordAnswer' | 'examples'> {
  check(params: JsonObject): readonly Fault[];
  checkResult(params: JsonObject, result: Json): readonly Fault[];
  checkUpdate(update: JsonObject): readonly Fault[];
  present(params: JsonObject): Presentation;
  wordAnswer(params: JsonObject, result: Json): string | null;
  readonly examples: {
    readonly valid: readonly JsonObject[];
    readonly invalid: readonly Json[];
    readonly results: { readonly valid: readonly Json[]; readonly invalid: readonly Json[] };
  };
}

/** Declares a capability. The schemas give `check`, `present` and their siblings their types. Spec §2. */
export function defineCapability<const Input extends Schema, const Output extends Schema, const Update extends Schema>(
  capability: Capability<Input, Output, Update>,
): AnyCapability {
  // The call door hands these functions nothing that has not passed the schema of the same value.
  return capability as unknown as AnyCapability;
}

/** Who may call a method: anybody, whoever holds a key, a key with `discover`, `interact` or the control scope, or the owner of the request it names. */
export type MethodNeeds = 'nothing' | 'key' | 'discover' | 'interact' | 'control' | 'owner';
/** The scopes that a key must have for a method's needs; ownership is checked where the request is looked up. */
export const SCOPES_FOR: Readonly<Record<MethodNeeds, readonly Scope[]>> = {
  nothing: [],
  key: [],
  discover: ['discover'],
  interact: ['interact'],
  control: [CONTROL_SCOPE],
  owner: [],
};

export interface Method<Name extends string = string, Params extends Schema = Schema, Result extends Schema = Schema> {
  readonly name: Name;
  readonly description: string;
  readonly params: Params;
  readonly result: Result;
  readonly needs: MethodNeeds;
  /** Waits for something and so has no place in a batch. */
  readonly waits: boolean;
  /** Codes it may answer besides those every method shares. */
  readonly errors: readonly string[];
  readonly examples: { readonly valid: readonly Static<Params>[]; readonly invalid: readonly Json[] };
}

/** Declares a JSON-RPC method. Spec §2. */
export function defineMethod<const Name extends string, const Params extends Schema, const Result extends Schema>(
  method: Method<Name, Params, Result>,
): Method<Name, Params, Result> {
  return method;
}

/** Nothing to object to. */
export const noFaults = (): readonly Fault[] => [];
/** Nothing was answered. */
export const noAnswer = (): null => null;

/** Faults for IDs that occur more than once among `items` at `path`. */
export function repeatedIds(items: readonly { readonly id: string }[], path: string): readonly Fault[] {
  const seen = new Set<string>();
  const faults: Fault[] = [];
  for (const [index, { id }] of items.entries()) {
    if (seen.has(id)) faults.push({ path: `${path}/${index}/id`, rule: 'unique' });
    seen.add(id);
  }
  return faults;
}
