/** Turns a draft into a pack: a manifest and its files, and the report of what became of everything. */
import { createHash } from 'node:crypto';
import type { AtlasPlan } from '../../protocol/atlas.ts';
import {
  type Basis,
  type Box,
  type CharacterManifest,
  type Clip,
  type Frame,
  type Grid,
  type Mapping,
  UNKNOWN_AUTHOR,
} from '../../protocol/character.ts';
import { checkManifest } from '../check.ts';
import { PACK_LIMITS } from '../limits.ts';
import { MANIFEST_FILE } from '../pack-files.ts';
import type { Draft, Pose, Take } from './draft.ts';
import { giveUp } from './give-up.ts';
import { identify, licenseOf, oneLine, versionOf } from './identity.ts';
import { layOut } from './layout.ts';
import type { Picture } from './picture.ts';
import type { ImportReport, Missing, Taken } from './report.ts';
import { CLIP_TARGETS, isPassing } from './words.ts';

const IMPORTER_VERSION = 1;
const IMAGE_ID = 'main';
const WAIT = 'wait';

/** A sheet of equal cells, and what of each cell shows (atlas px); nothing is known of a sheet that was not decoded. */
export interface Atlas {
  readonly png: Uint8Array;
  readonly w: number;
  readonly h: number;
  readonly boxes: readonly (Box | null)[];
}

export type MakeAtlas = (plan: AtlasPlan, pictures: readonly Picture[]) => Promise<Atlas>;

export interface ImportOptions {
  /** A pack's ID, or a name to be shown; null: as the source says. */
  readonly as: string | null;
  readonly acceptGuesses: boolean;
  /** IDs of the capabilities a character can have a clip for. */
  readonly capabilities: readonly string[];
}

export interface ImportedPack {
  readonly manifest: CharacterManifest;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly report: ImportReport;
}

/** What is shown for something there is no clip for, best first: never a mood that says the opposite. */
const STAND_INS: Readonly<Record<string, readonly string[]>> = {
  greet: ['celebrate', 'wait'],
  celebrate: ['greet'],
  work: ['think', 'wait'],
  think: ['wait', 'work'],
  wait: ['think', 'work', 'sleep'],
  fail: ['wait', 'think'],
  sleep: ['wait', 'think'],
};

/** The sheet a manifest names, and the cell of each pose in it. */
interface Sheet {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly w: number;
  readonly h: number;
  readonly grid: Grid;
  readonly canvas: { readonly w: number; readonly h: number; readonly scale: number };
  readonly anchor: { readonly x: number; readonly y: number };
  readonly contentBox: Box;
  /** Null: it may become another one under the same name. */
  readonly sha256: string | null;
  cellOf(pose: Pose): number;
}

const sha256Of = (...parts: readonly Uint8Array[]): string => {
  const hash = createHash('sha256');
  for (const bytes of parts) hash.update(bytes);
  return hash.digest('hex');
};

export const verbOf = (capability: string): string => capability.slice(capability.lastIndexOf('.') + 1);

/** First of each target; nothing is kept for a capability that there is not. */
function keptTakes(takes: readonly Take[], capabilities: readonly string[]): readonly Take[] {
  const verbs = capabilities.map(verbOf);
  const known = takes.filter(({ target }) => CLIP_TARGETS.includes(target) || verbs.includes(target));
  return known.filter((take, index) => known.findIndex(({ target }) => target === take.target) === index);
}

/** The sheet of a format that is ours already: no pixel of it is touched. Null: its cells are not of a size that can be shown so. */
function sheetAsIs(draft: Draft): Sheet | null {
  const [picture] = draft.pictures.values();
  if (draft.asIs === undefined || picture === undefined) return null;
  const { columns, rows, cellW, cellH } = draft.asIs;
  const scale = Math.min(4, Math.max(1, Math.ceil(Math.max(cellW, cellH) / 256)));
  if (
    cellW % scale !== 0 ||
    cellH % scale !== 0 ||
    Math.min(cellW, cellH) / scale < 16 ||
    Math.max(cellW, cellH) / scale > 512
  )
    return null;
  const canvas = { w: cellW / scale, h: cellH / scale, scale };
  return {
    file: picture.type === 'image/webp' ? 'sheet.webp' : 'sheet.png',
    bytes: picture.bytes,
    w: picture.w,
    h: picture.h,
    grid: { columns, rows, cellW, cellH },
    canvas,
    anchor: { x: 0.5, y: 1 },
    // Its cells keep a margin by custom.
    contentBox: insetBox(canvas),
    sha256: null,
    cellOf: ({ region }) => Math.floor(region.y / cellH) * columns + Math.floor(region.x / cellW),
  };
}

function insetBox({ w, h }: { readonly w: number; readonly h: number }): Box {
  const [x, y] = [Math.round(w * 0.15), Math.round(h * 0.06)];
  return { x, y, w: w - 2 * x, h: h - y - Math.round(h * 0.03) };
}

/** What the figure at rest fills, canvas px. */
function contentBoxOf(boxes: readonly Box[], canvas: Sheet['canvas']): Box {
  if (boxes.length === 0) return { x: 0, y: 0, w: canvas.w, h: canvas.h };
  const x = Math.floor(Math.min(...boxes.map((box) => box.x)) / canvas.scale);
  const y = Math.floor(Math.min(...boxes.map((box) => box.y)) / canvas.scale);
  const right = Math.ceil(Math.max(...boxes.map((box) => box.x + box.w)) / canvas.scale);
  const bottom = Math.ceil(Math.max(...boxes.map((box) => box.y + box.h)) / canvas.scale);
  return { x, y, w: Math.min(canvas.w, right) - x, h: Math.min(canvas.h, bottom) - y };
}

async function sheetOfAtlas(draft: Draft, makeAtlas: MakeAtlas): Promise<Sheet> {
  const { plan, cellOf, canvas, anchor } = layOut(draft);
  const { png, w, h, boxes } = await makeAtlas(plan, [...draft.pictures.values()]);
  const idle = draft.takes.find(({ target }) => target === 'idle')?.poses ?? [];
  const seen = [...new Set(idle.map(cellOf))].map((cell) => boxes[cell]).filter((box) => box != null);
  if (boxes.every((box) => box === null)) giveUp('nothing can be seen in any of the pictures');
  return {
    file: 'sheet.png',
    bytes: png,
    w,
    h,
    grid: {
      columns: plan.columns,
      rows: Math.ceil(plan.cells.length / plan.columns),
      cellW: plan.cellW,
      cellH: plan.cellH,
    },
    canvas,
    anchor,
    contentBox: contentBoxOf(seen, canvas),
    sha256: null,
    cellOf,
  };
}

function clipOf({ target, poses, loop, loopStart }: Take, { cellOf }: Sheet): Clip {
  const frames = poses.map(
    (pose): Frame => ({
      image: IMAGE_ID,
      cell: cellOf(pose),
      duration: pose.durationMs,
    }),
  );
  return {
    frames,
    loop,
    ...(loopStart !== undefined && { loopStart }),
    // What passes is told best by its middle; what goes on, by how it begins.
    stillFrame: isPassing(target) ? Math.floor(frames.length / 2) : 0,
    ...(loop !== true && { fallback: 'idle' }),
  };
}

/** Name of the clip for this take: a capability shares that of another take with the very same frames. */
function clipNameOf(takes: readonly Take[], { target, poses, loop }: Take): string {
  if (CLIP_TARGETS.includes(target)) return target;
  return takes.find((other) => other.poses === poses && other.loop === loop)?.target ?? target;
}

/** `guessed` becomes `declared` where the user has said that the guesses are right. */
const basisOf = (basis: Basis, { acceptGuesses }: ImportOptions): Basis =>
  acceptGuesses && basis === 'guessed' ? 'declared' : basis;

function substitutesOf(offered: readonly string[], { capabilities }: ImportOptions): CharacterManifest['substitutes'] {
  const missing = capabilities.filter((id) => !offered.includes(id));
  return Object.fromEntries(
    missing.flatMap((id) => {
      const stand = (STAND_INS[verbOf(id)] ?? [])
        .map((verb) => offered.find((other) => verbOf(other) === verb))
        .find((other) => other !== undefined);
      return stand === undefined
        ? []
        : [
            [
              id,
              {
                capability: stand,
                reason: `This character has no clip for ${verbOf(id)}; ${verbOf(stand)} is shown instead.`,
              },
            ],
          ];
    }),
  );
}

function descriptionOf({ description, format }: Draft): CharacterManifest['description'] {
  const said = oneLine(description, 280, '');
  return said === '' ? { default: `Imported from ${format}.`, zh: `由 ${format} 导入。` } : { default: said };
}

function describe(draft: Draft, sheet: Sheet, takes: readonly Take[], options: ImportOptions): CharacterManifest {
  const { id, displayName } = identify(draft.format, draft.name, options.as);
  const capabilities = options.capabilities.flatMap((capability): readonly [string, Mapping][] => {
    const take = takes.find(({ target }) => target === verbOf(capability));
    return take === undefined
      ? []
      : [[capability, { clip: clipNameOf(takes, take), basis: basisOf(take.basis, options) }]];
  });
  const offered = capabilities.filter(([, { basis }]) => basis !== 'guessed').map(([capability]) => capability);
  const authors = draft.authors.map((name) => ({ name: oneLine(name, 128, UNKNOWN_AUTHOR) }));
  return {
    schema: 'desktop-companion.character/1',
    id,
    version: versionOf(draft.version),
    displayName: { default: oneLine(displayName, 64, id) },
    description: descriptionOf(draft),
    authors: authors.length > 0 ? authors.slice(0, 32) : [{ name: UNKNOWN_AUTHOR }],
    license: licenseOf(draft.license),
    origin: {
      importer: draft.format,
      importerVersion: IMPORTER_VERSION,
      sourceId: oneLine(draft.sourceId, 256, 'unnamed'),
      sourceSha256: sha256Of(...draft.evidence),
    },
    canvas: { ...sheet.canvas, scaling: draft.scaling },
    anchor: sheet.anchor,
    contentBox: sheet.contentBox,
    facing: draft.facing,
    images: [
      {
        id: IMAGE_ID,
        file: sheet.file,
        w: sheet.w,
        h: sheet.h,
        ...(sheet.sha256 !== null && { sha256: sheet.sha256 }),
        grid: sheet.grid,
      },
    ],
    clips: Object.fromEntries(
      takes.filter((take) => clipNameOf(takes, take) === take.target).map((take) => [take.target, clipOf(take, sheet)]),
    ),
    capabilities: Object.fromEntries(capabilities),
    substitutes: substitutesOf(offered, options),
  };
}

function reportOf(
  draft: Draft,
  manifest: CharacterManifest,
  takes: readonly Take[],
  options: ImportOptions,
): ImportReport {
  const capabilityOf = (target: string): string | null =>
    options.capabilities.find((id) => verbOf(id) === target) ?? null;
  const taken = takes.map(
    (take): Taken => ({
      capability: CLIP_TARGETS.includes(take.target) ? null : capabilityOf(take.target),
      clip: clipNameOf(takes, take),
      source: take.source,
      basis: basisOf(take.basis, options),
      frames: take.poses.length,
      totalMs: take.poses.reduce((sum, { durationMs }) => sum + durationMs, 0),
    }),
  );
  const missing = options.capabilities
    .filter((id) => !Object.hasOwn(manifest.capabilities, id))
    .map((capability): Missing => ({ capability, substitute: manifest.substitutes[capability]?.capability ?? null }));
  return {
    format: draft.format,
    id: manifest.id,
    version: manifest.version,
    displayName: manifest.displayName.default,
    license: manifest.license,
    taken,
    missing,
    ignored: draft.notes,
  };
}

/** The first animation stands for rest where none is known to. */
function withIdle(takes: readonly Take[]): readonly Take[] {
  const [first] = takes;
  if (first === undefined) return giveUp('there is no animation that could be taken');
  return takes.some(({ target }) => target === 'idle')
    ? takes
    : [{ ...first, target: 'idle', basis: 'guessed', loop: true }, ...takes];
}

/** Who only stands there may be waiting; that is for the user to say. */
function withWaiting(takes: readonly Take[]): readonly Take[] {
  const idle = takes.find(({ target }) => target === 'idle');
  if (idle === undefined || takes.some(({ target }) => target === WAIT)) return takes;
  return [...takes, { ...idle, target: WAIT, basis: 'guessed' }];
}

/** The manifest as a file: to be read by people if it may be as long as that. Error: E_INVALID_INPUT when it is too long anyway. */
export function writeManifest(manifest: CharacterManifest): Uint8Array {
  const texts = [`${JSON.stringify(manifest, null, 2)}\n`, `${JSON.stringify(manifest)}\n`].map((text) =>
    Buffer.from(text),
  );
  return (
    texts.find(({ length }) => length <= PACK_LIMITS.maxManifestBytes) ??
    giveUp(
      `its clips have so many frames that ${MANIFEST_FILE} would be longer than ${PACK_LIMITS.maxManifestBytes} bytes`,
    )
  );
}

function keptDraft(draft: Draft, { capabilities }: ImportOptions): Draft {
  return { ...draft, takes: keptTakes(withWaiting(withIdle(draft.takes)), capabilities) };
}

function checkedManifest(draft: Draft, sheet: Sheet, options: ImportOptions): CharacterManifest {
  const manifest = describe(draft, sheet, draft.takes, options);
  const reasons = checkManifest(manifest);
  if (reasons.length > 0) giveUp(`no playable character comes of it: ${reasons.slice(0, 3).join('; ')}`);
  return manifest;
}

/**
 * The manifest for a sheet that stays where it is and what it is; of its bytes nothing is read. Errors: E_INVALID_INPUT when nothing
 * playable comes of it, or only by making a new sheet.
 */
export function manifestInPlace(draft: Draft, options: ImportOptions): CharacterManifest {
  const kept = keptDraft(draft, options);
  const sheet = sheetAsIs(kept);
  if (sheet === null)
    return giveUp('its cells are too small or too large to be shown from where they lie', 'import it');
  return checkedManifest(kept, sheet, options);
}

/** Errors: E_INVALID_INPUT when nothing playable comes of it; what `makeAtlas` throws. */
export async function buildPack(draft: Draft, options: ImportOptions, makeAtlas: MakeAtlas): Promise<ImportedPack> {
  const kept = keptDraft(draft, options);
  const found = sheetAsIs(kept) ?? (await sheetOfAtlas(kept, makeAtlas));
  const sheet = { ...found, sha256: sha256Of(found.bytes) };
  const manifest = checkedManifest(kept, sheet, options);
  const files = new Map<string, Uint8Array>([
    [MANIFEST_FILE, writeManifest(manifest)],
    [sheet.file, sheet.bytes],
  ]);
  return { manifest, files, report: reportOf(kept, manifest, kept.takes, options) };
}
