import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { CAPABILITIES, METHODS } from '../catalog.ts';
import { requestsCreate } from '../methods/requests.create.ts';
import { emitMcpTools, type McpTool, REQUEST_FIELD_NAMES, toolName } from './mcp-tools.ts';

const tools = emitMcpTools();
const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } });
const toolOf = (id: string): McpTool => tools.find(({ title }) => title === id)!;
const others = CAPABILITIES.filter(({ kind }) => kind !== 'animation');
const animations = CAPABILITIES.filter(({ kind }) => kind === 'animation');

describe('the tools', () => {
  it('have names every client takes, each its own', () => {
    const names = tools.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    // With `mcp__companion__` in front it must still fit into 64 characters.
    for (const name of names) expect(name).toMatch(/^[A-Za-z][A-Za-z0-9_-]{0,47}$/);
  });

  it('stand for every capability', () => {
    const reached = tools.flatMap(({ target }) =>
      'capability' in target ? [target.capability] : 'capabilities' in target ? target.capabilities : [],
    );
    expect(new Set(reached)).toEqual(new Set(CAPABILITIES.map(({ id }) => id)));
  });

  it('have schemas that compile, with an object at the root', () => {
    for (const { inputSchema, outputSchema } of tools) {
      for (const schema of [inputSchema, outputSchema]) {
        expect(schema.type).toBe('object');
        expect(() => ajv.compile(schema)).not.toThrow();
      }
    }
  });

  it.each(['vendor.org.example.dance', 'a.b c/ü'])('name what is not ours by its whole ID: %s', (id) => {
    expect(toolName(id)).toMatch(/^[A-Za-z0-9_-]+$/);
  });
});

describe.each(others.map((capability) => [capability.id, capability] as const))('the tool of %s', (id, capability) => {
  const validate = ajv.compile(toolOf(id).inputSchema);

  it('takes what the capability takes, and what is about the request', () => {
    for (const params of capability.examples.valid) {
      expect(validate(params)).toBe(true);
      expect(validate({ ...params, idempotencyKey: 'k', timeoutMs: 5_000 })).toBe(true);
    }
    expect(validate({ ...capability.examples.valid[0], surplus: 1 })).toBe(false);
  });

  it('has no parameter that could be taken for one about the request', () => {
    const { properties } = capability.input as { properties?: object };
    expect(Object.keys(properties ?? {}).filter((name) => REQUEST_FIELD_NAMES.includes(name))).toEqual([]);
  });

  it('asks for the scopes of the capability', () => {
    expect(toolOf(id).requiredScopes).toEqual(capability.requiredScopes);
  });
});

describe('the animations', () => {
  it('take the same, so that one tool can stand for all', () => {
    for (const { input, output, requiredScopes } of animations) {
      expect([input, output, requiredScopes]).toEqual([
        animations[0]!.input,
        animations[0]!.output,
        animations[0]!.requiredScopes,
      ]);
    }
    const validate = ajv.compile(toolOf('animation').inputSchema);
    for (const { id } of animations) expect(validate({ animation: id, loops: 2 })).toBe(true);
    expect(validate({ animation: 'animation.fly' })).toBe(false);
    expect(validate({})).toBe(false);
  });
});

describe('the tools about a request', () => {
  it('take what their methods take', () => {
    for (const { title, target, inputSchema } of tools) {
      if (!('method' in target)) continue;
      const method = METHODS[target.method];
      expect(title).toBe(method.name);
      const validate = ajv.compile(inputSchema);
      for (const params of method.examples.valid) expect(validate(params)).toBe(true);
      for (const params of method.examples.invalid) expect(validate(params)).toBe(false);
    }
  });

  it('say what can be updated', () => {
    const validate = ajv.compile(toolOf('requests.update').inputSchema);
    expect(validate({ requestId: 'x', expectedRevision: 1, params: { done: true } })).toBe(true);
    expect(validate({ requestId: 'x', expectedRevision: 1, params: { title: 'other' } })).toBe(false);
  });
});

it('every field of a create but the call itself is an argument', () => {
  const fields = Object.keys(requestsCreate.params.properties);
  expect([...REQUEST_FIELD_NAMES, 'capability', 'params'].sort()).toEqual(fields.sort());
});
