/** docs/pack-format.md tells every field of the format, no other, and the limits that hold. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { STYLE_IDS } from '../protocol/words.ts';
import { checkManifest } from './check.ts';
import { PACK_LIMITS } from './limits.ts';
import { MANIFEST_SCHEMA } from './manifest-shape.ts';
import type { Schema } from './shape.ts';

const doc = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'pack-format.md'), 'utf8');

/** Every field as the document writes it: `clips.*.frames[].image`. */
function pathsOf({ properties = {}, items, additionalProperties }: Schema, path = ''): readonly string[] {
  const below = (schema: unknown, suffix: string): readonly string[] =>
    typeof schema === 'object' ? pathsOf(schema as Schema, `${path}${suffix}`) : [];
  return [
    ...Object.entries(properties as Record<string, Schema>).flatMap(([name, schema]) => {
      const at = path === '' ? name : `${path}.${name}`;
      return [at, ...pathsOf(schema, at)];
    }),
    ...below(items, '[]'),
    ...below(additionalProperties, '.*'),
  ];
}

test('the tables have a row for every field of the schema, and none besides', () => {
  const rows = [...doc.matchAll(/^\| `([^`]+)` /gm)].map(([, path]) => path ?? '');
  expect(rows).toEqual(expect.arrayContaining([...pathsOf(MANIFEST_SCHEMA)]));
  expect(rows.filter((path) => !pathsOf(MANIFEST_SCHEMA).includes(path))).toEqual([]);
  expect(new Set(rows).size).toBe(rows.length);
});

test('the example is a good manifest', () => {
  const [, example = ''] = /```json\n(.*?)```/s.exec(doc) ?? [];
  expect(checkManifest(JSON.parse(example))).toEqual([]);
});

test('the limits are those that hold', () => {
  const mib = (bytes: number): string => `${bytes / 1_048_576} MiB`;
  const kib = (bytes: number): string => `${bytes / 1_024} KiB`;
  const limits = PACK_LIMITS;
  for (const text of [
    kib(limits.maxManifestBytes),
    `${limits.maxManifestDepth} deep`,
    mib(limits.maxArchiveBytes),
    `${limits.maxArchiveEntries} entries`,
    mib(limits.maxUnpackedBytes),
    `${limits.maxEntryRatio} : 1`,
    `${limits.maxImages} images`,
    mib(limits.maxImageBytes),
    `${limits.maxImageSidePx} px`,
    `${limits.maxImagePixels / 1e6} megapixels each`,
    `${limits.maxPackPixels / 1e6} megapixels together`,
    `${limits.maxCanvasSidePx} px`,
    `${limits.maxClips} clips`,
    `${limits.maxFramesPerClip} frames a clip`,
    `${limits.maxFrames} frames in all`,
    `${limits.minFrameMs} to ${limits.maxFrameMs} ms`,
    `${limits.maxSounds} sounds`,
    kib(limits.maxSoundBytes),
    kib(limits.maxNoticeBytes),
  ])
    expect(doc).toContain(text);
});

test('all styles are named', () => {
  for (const style of STYLE_IDS) expect(doc).toContain(`\`${style}\``);
});
