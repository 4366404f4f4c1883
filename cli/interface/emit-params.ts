/** Writes the checks of all capabilities' parameters as code; the build makes `dist/params/` of it. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { defineAnimation } from '../../server/registry/capabilities/animation.ts';
import { NDJSON_CAPABILITIES } from './catalog.ts';
import { PARAMS_OPTIONS } from './compile-params.ts';
import { BROUGHT } from './prebuilt-params.ts';
import { requestCapability } from './protocol/request-capability.ts';

// A CommonJS module, whose default export bundlers and Node do not agree about.
const toCode = (typeof standalone === 'function' ? standalone : (standalone as { default: unknown }).default) as (
  ajv: Ajv2020,
  check: unknown,
) => string;

/** CommonJS modules by capability; each exports one function, and needs Ajv's small helpers. */
export function emitParams(): ReadonlyMap<string, string> {
  const brought = { ...requestCapability(defineAnimation('vendor.org.example.any', '')), name: BROUGHT };
  return new Map(
    [...NDJSON_CAPABILITIES, brought].map(({ name, inputSchema }) => {
      const ajv = new Ajv2020({ ...PARAMS_OPTIONS, code: { source: true } });
      return [name, toCode(ajv, ajv.compile(inputSchema as object))] as const;
    }),
  );
}
