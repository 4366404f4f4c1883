import metaSchemas from '@open-rpc/meta-schema';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { METHODS } from '../catalog.ts';
import { emitOpenRpc } from './openrpc.ts';

it('is a valid OpenRPC document by the meta-schema', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const meta = structuredClone((metaSchemas as { default?: unknown }).default ?? metaSchemas) as Record<
    string,
    unknown
  >;
  // The meta-schema points at JSON Schema's own by address; contracts are compiled by their own tests.
  const { $schema: _dialect, ...rules } = meta;
  const text = JSON.stringify(rules).replaceAll(/\{"\$ref":"https:\/\/meta\.json-schema\.tools[^"]*"\}/g, '{}');
  const validate = ajv.compile(JSON.parse(text) as object);
  validate(JSON.parse(JSON.stringify(emitOpenRpc())));
  expect(validate.errors).toBeNull();
});

it('lists every method of the catalogue once', () => {
  const { methods } = emitOpenRpc() as { methods: { name: string }[] };
  expect(methods.map(({ name }) => name)).toEqual(Object.keys(METHODS));
});
