/** Catalogue → the tools of the MCP server: one per capability, the animations as one, and one per method about a request. */
import type { Scope } from '../../protocol/words.ts';
import { vendorForm } from '../capabilities/vendor.internal.companion.form.ts';
import { CAPABILITIES, type MethodName } from '../catalog.ts';
import type { AnyCapability, Method } from '../define.ts';
import { requestsCancel } from '../methods/requests.cancel.ts';
import { requestsCreate } from '../methods/requests.create.ts';
import { requestsGet } from '../methods/requests.get.ts';
import { requestsUpdate } from '../methods/requests.update.ts';
import { requestsWait } from '../methods/requests.wait.ts';
import type { Schema } from '../schema.ts';
import { SNAPSHOT } from '../snapshot-schema.ts';

/** What `action` on an answer may be: the three ends MCP knows of a question, and that it has none yet. */
export const ACTIONS = ['accept', 'decline', 'cancel', 'still_open'] as const;
export type Action = (typeof ACTIONS)[number];

/** What a tool stands for: a capability, one of several chosen by an argument, or a method. */
export type ToolTarget =
  /** `elicitation`: its arguments and its content are those of MCP's form elicitation. */
  | { readonly capability: string; readonly shape: 'own' | 'elicitation' }
  | { readonly capabilities: readonly string[]; readonly chosenBy: string }
  | { readonly method: MethodName };

export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  /** A key must have all of them. */
  readonly requiredScopes: readonly Scope[];
  readonly target: ToolTarget;
}

interface ObjectSchema extends Schema {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const OWN_PREFIX = 'vendor.internal.companion.';

/** A name all MCP clients take (letters, digits, `_`, `-`, at most 64): the ID with `_` for what is none, without our own prefix. */
export const toolName = (id: string): string =>
  (id.startsWith(OWN_PREFIX) ? id.slice(OWN_PREFIX.length) : id).replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);

const { capability: _, params: __, ...REQUEST_FIELDS } = requestsCreate.params.properties;
/** Arguments of every tool that makes a request: they are about the request, not parameters of the capability. */
export const REQUEST_FIELD_NAMES: readonly string[] = Object.keys(REQUEST_FIELDS);

const ASKING =
  'Waits for the user. `action` says how it ended: accept (the answer is in `content`), decline, cancel (closed or expired without ' +
  'an answer), or still_open: the question stays on the screen, do what `next` says. Nothing but accept is an answer.';
const SHOWING = 'Returns once it is accepted, which is before it is shown.';

function describe({ kind, description, updatableFields }: AnyCapability): string {
  const after = kind === 'interaction' ? ASKING : SHOWING;
  const updates = updatableFields.length > 0 ? ` Change and end it with ${toolName(requestsUpdate.name)}.` : '';
  return `${description} ${after}${updates}`;
}

/** The schema of an answer about a request: what of the snapshot a caller can use, its result as `content`, and what to do next. */
function answerSchema(content: Schema, action: Schema): Schema {
  const { requestId, status, reason, revision, control, failure } = SNAPSHOT.properties;
  const properties = {
    action,
    content,
    requestId,
    status,
    reason,
    revision,
    control,
    failure,
    next: { type: ['string', 'null'] },
  };
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

const ANY_ACTION = { enum: [...ACTIONS, null] } as const;
const answerOf = ({ kind, output }: AnyCapability): Schema =>
  kind === 'interaction'
    ? answerSchema({ anyOf: [output, { type: 'null' }] }, { enum: [...ACTIONS] })
    : answerSchema({ type: 'null' }, { type: 'null' });

const withRequestFields = (input: Schema, more: Readonly<Record<string, Schema>> = {}): Schema => {
  const { properties, required = [] } = input as ObjectSchema;
  return {
    ...input,
    properties: { ...more, ...properties, ...REQUEST_FIELDS },
    required: [...Object.keys(more), ...required],
  };
};

const MAKES_A_REQUEST = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
} as const;

const toTool = (capability: AnyCapability): McpTool => ({
  name: toolName(capability.id),
  title: capability.id,
  description: describe(capability),
  inputSchema: withRequestFields(capability.input),
  outputSchema: answerOf(capability),
  annotations: MAKES_A_REQUEST,
  requiredScopes: capability.requiredScopes,
  target: { capability: capability.id, shape: 'own' },
});

const REQUESTED_SCHEMA = {
  type: 'object',
  description:
    'A flat object schema, as in an elicitation of MCP: properties of type string, number, integer, boolean, or an enum.',
  properties: {
    type: { const: 'object' },
    properties: { type: 'object', additionalProperties: { type: 'object' } },
    required: { type: 'array', items: { type: 'string' } },
  },
  required: ['type', 'properties'],
} as const;

/** The form capability for who has an elicitation of MCP at hand: the same words in, the same words out. */
function elicitationTool(form: AnyCapability): McpTool {
  const { details: _, fields: __, title: ___, ...others } = (form.input as ObjectSchema).properties;
  const input = {
    type: 'object',
    properties: { message: { type: 'string', minLength: 1 }, requestedSchema: REQUESTED_SCHEMA, ...others },
    required: ['message', 'requestedSchema'],
    additionalProperties: false,
  };
  return {
    ...toTool(form),
    name: toolName('elicitation.create'),
    title: 'elicitation/create',
    description: `Ask the user to fill in what a schema says, as an elicitation of MCP does; a form of 1 to 5 fields. ${ASKING}`,
    inputSchema: withRequestFields(input),
    outputSchema: answerSchema({ type: ['object', 'null'] }, { enum: [...ACTIONS] }),
    target: { capability: form.id, shape: 'elicitation' },
  };
}

/** Capabilities of one kind that take the same, as one tool: the kind is its name and the argument that chooses among them. */
function foldedTool(kind: string, members: readonly AnyCapability[]): McpTool {
  const [first] = members as [AnyCapability, ...AnyCapability[]];
  const ids = members.map(({ id }) => id);
  return {
    name: toolName(kind),
    title: kind,
    description: `${members.map(({ id, description }) => `${id}: ${description}`).join('\n')}\n${SHOWING}`,
    inputSchema: withRequestFields(first.input, { [kind]: { enum: ids } }),
    outputSchema: answerOf(first),
    annotations: MAKES_A_REQUEST,
    requiredScopes: first.requiredScopes,
    target: { capabilities: ids, chosenBy: kind },
  };
}

/** Methods about a request, and what a client may take for granted about each. */
const REQUEST_METHODS = [
  { method: requestsWait, readOnlyHint: true, idempotentHint: true },
  { method: requestsGet, readOnlyHint: true, idempotentHint: true },
  { method: requestsCancel, readOnlyHint: false, idempotentHint: true },
  { method: requestsUpdate, readOnlyHint: false, idempotentHint: false },
] as const;

/** `requests.update` takes whatever the capability allows; here that can be said. */
function paramsOf(method: Method, capabilities: readonly AnyCapability[]): Schema {
  if (method.name !== requestsUpdate.name) return method.params;
  const updates = capabilities.filter(({ updatableFields }) => updatableFields.length > 0).map(({ update }) => update);
  const params = updates.length === 1 ? updates[0] : { type: 'object', anyOf: updates };
  return { ...method.params, properties: { ...(method.params as ObjectSchema).properties, params } };
}

/** The tools for `capabilities` and for the requests made with them, in a fixed order. */
export function emitMcpTools(capabilities: readonly AnyCapability[] = CAPABILITIES): readonly McpTool[] {
  const animations = capabilities.filter(({ kind }) => kind === 'animation');
  const others = capabilities.filter(({ kind }) => kind !== 'animation');
  return [
    ...others.map(toTool),
    ...others.filter(({ id }) => id === vendorForm.id).map(elicitationTool),
    ...(animations.length > 0 ? [foldedTool('animation', animations)] : []),
    ...REQUEST_METHODS.map(({ method, readOnlyHint, idempotentHint }) => ({
      name: toolName(method.name),
      title: method.name,
      description: method.description,
      inputSchema: paramsOf(method as unknown as Method, capabilities),
      outputSchema: answerSchema({}, ANY_ACTION),
      annotations: { readOnlyHint, destructiveHint: false, idempotentHint, openWorldHint: false },
      requiredScopes: [],
      target: { method: method.name },
    })),
  ];
}
