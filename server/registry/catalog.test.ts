import { describe, expect, it } from 'vitest';
import { ERRORS } from '../protocol/errors.ts';
import type { Json, JsonObject } from '../protocol/words.ts';
import { CLIENT_SCOPES, TONES, VIEWS } from '../protocol/words.ts';
import { CAPABILITIES, findMethod, METHODS } from './catalog.ts';
import { CONTRACT, toContract } from './contract.ts';
import type { AnyCapability, Method } from './define.ts';
import { STYLES } from './styles.ts';
import { faultsOf } from './validate.ts';

const faultsOfParams = (capability: AnyCapability, params: Json) => {
  const faults = faultsOf(capability.input, params);
  return faults.length > 0 ? faults : capability.check(params as JsonObject);
};
const faultsOfResult = (capability: AnyCapability, params: JsonObject, result: Json) => {
  const faults = faultsOf(capability.output, result);
  return faults.length > 0 ? faults : capability.checkResult(params, result);
};

describe.each(CAPABILITIES.map((capability) => [capability.id, capability] as const))('%s', (_id, capability) => {
  it('states every field of its contract', () => {
    expect(
      faultsOf(
        CONTRACT,
        JSON.parse(
          JSON.stringify(toContract(capability, { able: ['c'], styles: ['plain'], maxUnfinishedPerClient: 32 })),
        ),
      ),
    ).toEqual([]);
  });
  it('accepts each valid example and can present it in a known view', () => {
    for (const params of capability.examples.valid) {
      expect(faultsOfParams(capability, params)).toEqual([]);
      const presentation = capability.present(params);
      expect(VIEWS).toContain(presentation.view);
      if (presentation.view !== 'clip') expect(TONES).toContain(presentation.tone);
      expect(JSON.parse(JSON.stringify(presentation))).toEqual(presentation);
    }
  });
  it('refuses each invalid example, naming a place and a rule', () => {
    for (const params of capability.examples.invalid) {
      const faults = faultsOfParams(capability, params);
      expect(faults.length, JSON.stringify(params)).toBeGreaterThan(0);
      for (const { path, rule } of faults) expect([typeof path, rule.length > 0]).toEqual(['string', true]);
    }
  });
  it('accepts exactly the valid example results', () => {
    const params = capability.examples.valid[0]!;
    for (const result of capability.examples.results.valid) {
      expect(faultsOfResult(capability, params, result)).toEqual([]);
      if (result !== null) expect(capability.wordAnswer(params, result)).toBeTypeOf('string');
    }
    for (const result of capability.examples.results.invalid) {
      expect(faultsOfResult(capability, params, result).length, JSON.stringify(result)).toBeGreaterThan(0);
    }
  });
  it('needs only scopes that a client can have, fits known styles, and lists each updatable field in its update schema', () => {
    expect(capability.requiredScopes.length).toBeGreaterThan(0);
    for (const scope of capability.requiredScopes) expect(CLIENT_SCOPES).toContain(scope);
    const known = STYLES.map(({ id }) => id) as string[];
    for (const style of capability.styles) expect(known).toContain(style);
    const { properties } = capability.update as unknown as { properties: Record<string, unknown> };
    expect(Object.keys(properties)).toEqual(capability.updatableFields);
  });
});

describe.each((Object.values(METHODS) as unknown as Method[]).map((method) => [method.name, method] as const))(
  '%s',
  (_name, method) => {
    it('accepts its valid examples and refuses its invalid ones', () => {
      for (const params of method.examples.valid) expect(faultsOf(method.params, params)).toEqual([]);
      for (const params of method.examples.invalid)
        expect(faultsOf(method.params, params).length, JSON.stringify(params)).toBeGreaterThan(0);
    });
    it('has a result schema that compiles and only errors of the table', () => {
      expect(() => faultsOf(method.result, {})).not.toThrow();
      for (const code of method.errors) expect(Object.keys(ERRORS)).toContain(code);
    });
  },
);

it('IDs are unique, namespaced when they are a vendor’s, and no vendor redefines a core one', () => {
  const ids = CAPABILITIES.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, interaction } of CAPABILITIES) {
    if (!['none', 'choice', 'text'].includes(interaction)) expect(interaction).toMatch(/^vendor\./);
    expect(id).toMatch(/^(animation|notice|progress|interaction)\.[a-z]+$|^vendor(\.[a-z-]+)+\.[a-z]+$/);
  }
});

it.each(['constructor', '__proto__', 'toString', 'requests.delete', ''])('%s is no method', (name) => {
  expect(findMethod(name)).toBeUndefined();
});
