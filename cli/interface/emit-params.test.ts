/** The checks that are made when the program is built say what those made at run time say. */
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { NDJSON_CAPABILITIES } from './catalog.ts';
import { checkOf, type ParamsCheck } from './compile-params.ts';
import { emitParams } from './emit-params.ts';

const code = emitParams();

function load(name: string): ParamsCheck {
  const module = { exports: {} };
  new Function('module', 'exports', 'require', code.get(name) ?? '')(
    module,
    module.exports,
    createRequire(import.meta.url),
  );
  return module.exports as ParamsCheck;
}

describe('the built check of', () => {
  it.each(NDJSON_CAPABILITIES.map((capability) => [capability.name, capability] as const))('%s', (name, capability) => {
    const [built, compiled] = [load(name), checkOf(capability)];
    const fields = Object.keys((capability.inputSchema.properties ?? {}) as object);
    const values = [
      {},
      { bogus: 1 },
      ...fields.flatMap((field) =>
        ['', 'x', ' '.repeat(9_000), 1, -1, null, true, [], ['x'], ['x', 'x'], {}].map((value) => ({ [field]: value })),
      ),
    ];
    for (const value of values) {
      expect(built(value), JSON.stringify(value)).toBe(compiled(value));
      expect(built.errors ?? null).toEqual(compiled.errors ?? null);
    }
  });

  it('what a pack brings is there', () => {
    expect(load('brought')({ loops: 2 })).toBe(true);
    expect(load('brought')({ loops: 'two' })).toBe(false);
  });
});
