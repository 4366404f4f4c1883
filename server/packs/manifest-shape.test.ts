/** The check of a manifest's shape and its JSON Schema are one value, and come to the same verdict. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FULL_MANIFEST } from './full-manifest.fixture.ts';
import { MANIFEST_SCHEMA, manifestShape } from './manifest-shape.ts';
import { TEST_MANIFEST } from './testing.ts';

const validate = new Ajv2020({ strict: true, strictRequired: false, allErrors: false }).compile(MANIFEST_SCHEMA);
const bySchema = (value: unknown): boolean => validate(value);
const byCheck = (value: unknown): boolean => manifestShape(value, '').length === 0;

/** Thousands of manifests: quick, unless the machine has other things to do. */
const MANY_MS = 60_000;

/** Paths of everything in a manifest, as the names that lead there. */
function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, child]) => pathsOf(child, [...path, name]))];
}
const PATHS = pathsOf(FULL_MANIFEST).filter((path) => path.length > 0);

const valueAt = (root: unknown, path: readonly string[]): unknown =>
  path.reduce((at, name) => (at as Record<string, unknown>)[name], root);

/** The full manifest with another value at this path; `undefined` takes the field away. Shares what is not on the path. */
function changed([name = '', ...rest]: readonly string[], value: unknown, whole: unknown = FULL_MANIFEST): unknown {
  const copy = (Array.isArray(whole) ? [...(whole as unknown[])] : { ...(whole as object) }) as Record<string, unknown>;
  const child = rest.length === 0 ? value : changed(rest, value, copy[name]);
  if (child !== undefined) Object.defineProperty(copy, name, { value: child, enumerable: true, configurable: true });
  else if (Array.isArray(copy)) copy.splice(Number(name), 1);
  else delete copy[name];
  return copy;
}

/** Values that stand just inside and just outside of the rules. */
const TRICKY: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1,
  -0,
  20,
  19,
  20.5,
  0.5,
  1.5,
  60_000,
  60_001,
  65_536,
  1e300,
  '',
  ' ',
  'a',
  'A',
  'a.b',
  'A.b',
  'a.b@1',
  'a.b@01',
  'a.b@1.2.3.4',
  '1.0.0',
  '1.0',
  '01.0.0',
  'a\nb',
  'a.b\n',
  'شبح صغير',
  '幽灵 👻👩‍👩‍👧',
  'x\u202ey',
  'x\u2067y',
  'x\u2028y',
  '\ud800',
  '\u200b',
  'x'.repeat(65),
  '👻'.repeat(64),
  '👻'.repeat(65),
  'sheet.webp',
  'sheet.PNG',
  '../a.png',
  'a.png\0',
  'a.ogg',
  'plain',
  'left',
  'constructor',
  'vendor.org.example',
  'vendor.org.example.wink',
  'f'.repeat(64),
  [],
  [[]],
  ['a.b', 'a.b'],
  ['plain'],
  {},
  { x: 0, y: 0 },
  { x: 0, y: 0, w: 1, h: 1 },
  { default: 'x' },
  { clip: 'idle', basis: 'named' },
  { 'vendor.org.example': 1 },
];

describe('the shape and its schema', () => {
  test.each([
    ['a small manifest', TEST_MANIFEST],
    ['a manifest that uses every field', FULL_MANIFEST],
  ])('let %s pass', (_, value) => {
    expect(manifestShape(value, '')).toEqual([]);
    expect(bySchema(value)).toBe(true);
  });

  test('the full manifest has a value for every field of the schema', () => {
    const names = new Set(PATHS.flat());
    const propertiesOf = (schema: unknown): readonly string[] =>
      typeof schema !== 'object' || schema === null
        ? []
        : Object.entries(schema).flatMap(([keyword, child]) =>
            keyword === 'properties'
              ? [...Object.keys(child as object), ...Object.values(child as object).flatMap(propertiesOf)]
              : propertiesOf(child),
          );
    expect(propertiesOf(MANIFEST_SCHEMA).filter((name) => !names.has(name))).toEqual([]);
  });

  test('agree on every place of a manifest with every tricky value in it', { timeout: MANY_MS }, () => {
    const disagreements = PATHS.flatMap((path) =>
      TRICKY.filter((value) => {
        const manifest = changed(path, value);
        return bySchema(manifest) !== byCheck(manifest);
      }).map((value) => [path.join('/'), value]),
    );
    expect(disagreements).toEqual([]);
    expect(TRICKY.some((value) => byCheck(changed(['displayName', 'default'], value)))).toBe(true);
  });

  test('agree on a surplus field everywhere', () => {
    const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
    for (const path of [[], ...PATHS].filter((each) => isObject(valueAt(FULL_MANIFEST, each))))
      for (const name of ['surplus', '__proto__', 'constructor', 'frame', 'cell', 'sourceSize', 'vendor.a.b.c'])
        expect(byCheck(changed([...path, name], 1)), [...path, name].join('/')).toBe(
          bySchema(changed([...path, name], 1)),
        );
  });

  test('agree on any JSON, at any place of a manifest or alone', { timeout: MANY_MS }, () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...PATHS), (value, path) => {
        const json = JSON.parse(JSON.stringify(value)) as unknown;
        expect(byCheck(json)).toBe(bySchema(json));
        expect(byCheck(changed(path, json))).toBe(bySchema(changed(path, json)));
      }),
      { numRuns: 500 },
    );
  });

  test('are what schemas/character.json says', () => {
    const file = join(import.meta.dirname, '..', '..', 'schemas', 'character.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(MANIFEST_SCHEMA)));
  });
});
