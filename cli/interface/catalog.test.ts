import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { CAPABILITIES } from '../../server/registry/catalog.ts';
import { findNdjson, NDJSON_CAPABILITIES } from './catalog.ts';

/** Names and whether they are destructive, as the published interface has them (§7). */
const PUBLISHED: Readonly<Record<string, boolean>> = {
  search_packages: false,
  install_packages: true,
  plan_install: false,
  remove_package: true,
  update_packages: true,
  list_packages: false,
  package_info: false,
  list_installed_versions: false,
  use_version: true,
  system_status: false,
  list_subos: false,
  list_subos_shims: false,
  create_subos: true,
  switch_subos: true,
  remove_subos: true,
  env: false,
  list_repos: false,
  add_repo: true,
  remove_repo: true,
};

describe('the catalogue', () => {
  it('has every published capability, as destructive as published', () => {
    const ours = Object.fromEntries(NDJSON_CAPABILITIES.map(({ name, destructive }) => [name, destructive]));
    expect(ours).toMatchObject(PUBLISHED);
  });

  it('has every capability of the protocol, and nothing else, and nothing twice', () => {
    const names = NDJSON_CAPABILITIES.map(({ name }) => name);
    expect(names).toEqual([...Object.keys(PUBLISHED), ...CAPABILITIES.map(({ id }) => id)]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('drops in the middle only what changes nothing', () => {
    const offences = NDJSON_CAPABILITIES.filter(({ destructive, droppable }) => destructive && droppable);
    expect(offences.map(({ name }) => name)).toEqual([]);
  });

  it.each(NDJSON_CAPABILITIES.map((capability) => [capability.name, capability] as const))(
    '%s says what it takes and gives, in schemas that mean something',
    (_, { description, inputSchema, outputSchema }) => {
      expect(description).toMatch(/^.{20,}\.$/s);
      expect(inputSchema.type).toBe('object');
      const ajv = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true, strictRequired: false });
      expect(ajv.validateSchema(inputSchema as object)).toBe(true);
      expect(ajv.compile(outputSchema as object)('not an object')).toBe(false);
      // Named from the start, or nothing at all.
      if (outputSchema.type === 'object') expect(Object.keys(outputSchema.properties as object)).not.toEqual([]);
    },
  );

  it('finds by exact name only', () => {
    expect(findNdjson('env')?.name).toBe('env');
    expect(findNdjson('ENV')).toBeUndefined();
    expect(findNdjson('constructor')).toBeUndefined();
  });
});
