/** The shape of `character.json`: one value that both checks a manifest and is its JSON Schema. */
import { STYLE_IDS } from '../protocol/words.ts';
import { PACK_LIMITS } from './limits.ts';
import {
  anything,
  between,
  type Check,
  dictionary,
  either,
  line,
  list,
  matching,
  needing,
  object,
  oneField,
  oneOf,
  type Schema,
  set,
  whole,
} from './shape.ts';

const { maxCanvasSidePx, maxClips, maxFrameMs, maxFramesPerClip, maxImages, maxImageSidePx, maxSounds, minFrameMs } =
  PACK_LIMITS;

const name = matching(
  /^(?!(?:constructor|prototype)$)[a-z][a-z0-9_-]{0,63}$/u,
  'names are lower case, at most 64 characters',
);
/** Also the name of the pack's folder, so it is the same on every file system. */
export const packId = matching(
  /^(?=.{3,128}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)+$/u,
  'must be a dotted name in lower case of at most 128 characters, such as org.example.ghost',
);
/** What a pack needs: the ID of another, or that with the beginning of a version. */
const required = matching(
  /^(?=.{3,150}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)+(?:@(?:0|[1-9]\d{0,5})(?:\.(?:0|[1-9]\d{0,5})){0,2})?$/u,
  'must be the ID of a pack, or that with the beginning of a version, such as org.example.ghost@1.2',
);
export const version = matching(
  /^(?:0|[1-9]\d{0,5})(?:\.(?:0|[1-9]\d{0,5})){2}$/u,
  'must be three numbers, such as 1.0.0',
);
const capabilityId = matching(
  /^(?=.{1,128}$)[a-z][A-Za-z0-9-]*(?:\.[a-z][A-Za-z0-9-]*)+$/u,
  'capability IDs are dotted names of at most 128 characters',
);
const vendorCapabilityId = matching(
  /^(?=.{1,128}$)vendor(?:\.[a-z][A-Za-z0-9-]*){3,}$/u,
  'only vendor.<reverse domain>.<name> can be declared',
);
const vendorKey = matching(
  /^(?=.{1,128}$)vendor(?:\.[a-z][A-Za-z0-9-]*){2,}$/u,
  'keys are vendor.<reverse domain>, such as vendor.org.example',
);
export const sha256 = matching(/^[0-9a-f]{64}$/u, 'must be a SHA-256 in lower-case hexadecimal');
export const license = matching(
  /^[A-Za-z0-9(][A-Za-z0-9.+:() -]{0,127}$/u,
  'must be an SPDX expression of at most 128 characters, such as MIT, or LicenseRef-unknown',
);
const fileOf = (extensions: string, kinds: string): Check =>
  matching(
    new RegExp(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}\\.(?:${extensions})$`, 'u'),
    `must be the plain name of a ${kinds} file in the same folder`,
  );
const style = oneOf(...STYLE_IDS);
const localText = (max: number): Check => object({ default: line(max) }, { zh: line(max) });

const imageSide = whole(1, maxImageSidePx);
const imageOffset = whole(0, maxImageSidePx - 1);
const imageSize = { w: imageSide, h: imageSide };
const imageBox = object({ x: imageOffset, y: imageOffset, ...imageSize });
const canvasOffset = whole(0, maxCanvasSidePx - 1);
const canvasBox = object({
  x: canvasOffset,
  y: canvasOffset,
  w: whole(1, maxCanvasSidePx),
  h: whole(1, maxCanvasSidePx),
});
const fraction = between(0, 1);
const anchor = object({ x: fraction, y: fraction });

const anyFrame = object(
  { image: name, duration: whole(minFrameMs, maxFrameMs) },
  {
    cell: whole(0, 65_535),
    frame: imageBox,
    rotated: oneOf(true, false),
    spriteSourceSize: imageBox,
    sourceSize: object(imageSize),
    anchor,
    mirror: oneOf(true, false),
  },
);
const frame = needing(
  needing(needing(oneField(anyFrame, 'cell', 'frame'), 'rotated', 'frame'), 'spriteSourceSize', 'frame', 'sourceSize'),
  'sourceSize',
  'frame',
  'spriteSourceSize',
);
const frameIndex = whole(0, maxFramesPerClip - 1);
const clip = object(
  {
    frames: list(frame, 1, maxFramesPerClip),
    loop: either(oneOf(true, false), whole(1, 1_000)),
    stillFrame: frameIndex,
  },
  { loopStart: frameIndex, fallback: name, sound: name },
);
const gap = whole(0, 1_024);
const grid = object(
  { columns: whole(1, 256), rows: whole(1, 256), cellW: imageSide, cellH: imageSide },
  { margin: gap, spacing: gap },
);
export const requires = set(required, 0, 64);
const image = object({ id: name, file: fileOf('png|webp', '.png or .webp'), ...imageSize }, { sha256, grid });
const sound = object({ id: name, file: fileOf('ogg|mp3|wav', '.ogg, .mp3 or .wav') });
const mapping = object(
  { clip: name, basis: oneOf('declared', 'named', 'guessed') },
  { styles: dictionary(style, name, 1, STYLE_IDS.length) },
);
const canvasSide = whole(16, maxCanvasSidePx);

/** Says what of a value is not as a manifest must be; what its parts mean to each other is `checkManifest`'s business. */
export const manifestShape = object(
  {
    schema: oneOf('desktop-companion.character/1'),
    id: packId,
    version,
    displayName: localText(64),
    description: localText(280),
    authors: list(object({ name: line(128) }), 1, 32),
    license,
    canvas: object({ w: canvasSide, h: canvasSide, scale: whole(1, 4), scaling: oneOf('smooth', 'pixelated') }),
    anchor,
    contentBox: canvasBox,
    images: list(image, 1, maxImages),
    clips: dictionary(name, clip, 1, maxClips),
    capabilities: dictionary(capabilityId, mapping, 0, 256),
    substitutes: dictionary(capabilityId, object({ capability: capabilityId, reason: line(280) }), 0, 256),
  },
  {
    origin: object({
      importer: name,
      importerVersion: whole(1, 1_000_000),
      sourceId: line(256),
      sourceSha256: sha256,
    }),
    requires,
    hitArea: canvasBox,
    bubbleAnchor: anchor,
    facing: oneOf('left', 'right'),
    sounds: list(sound, 0, maxSounds),
    declares: dictionary(vendorCapabilityId, object({ description: localText(280) }), 0, 64),
    styles: set(style, 1, STYLE_IDS.length),
    vendor: dictionary(vendorKey, anything, 0, 16),
  },
);

/** What `schemas/character.json` says: the shape alone, without the rules between its parts. */
export const MANIFEST_SCHEMA: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'character.json of a character pack, desktop-companion.character/1',
  ...manifestShape.schema,
};
