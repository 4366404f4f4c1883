/** A source in memory, and picture work that decodes nothing, for tests of the readers. */
import type { AtlasPlan } from '../../protocol/atlas.ts';
import type { ImportOptions, MakeAtlas } from './build.ts';
import type { Draft, Look, Note } from './draft.ts';
import type { Picture } from './picture.ts';
import type { SourceTree } from './source.ts';

export type Files = Readonly<Record<string, string | Uint8Array>>;

export function memoryTree(
  files: Files,
  { name = 'source', chosen = null as string | null, closed = [] as string[] } = {},
): SourceTree {
  return {
    name,
    files: Object.keys(files).sort(),
    closed,
    chosen,
    read: async (path) => Buffer.from(files[path]!),
    close: () => {},
  };
}

/** As if every picture stood still and had a transparent background; `delaysMs` by file says otherwise. */
export const fakeLook =
  (delaysMs: Readonly<Record<string, readonly number[]>> = {}, opaque: readonly string[] = []): Look =>
  async ({ file, w, h }) => ({ w, h, delaysMs: delaysMs[file] ?? [0], isOpaque: opaque.includes(file) });

/** Plans that were to be carried out. */
export function fakeAtlas(): {
  readonly plans: AtlasPlan[];
  readonly makeAtlas: MakeAtlas;
  readonly pictures: Picture[];
} {
  const plans: AtlasPlan[] = [];
  const pictures: Picture[] = [];
  return {
    plans,
    pictures,
    makeAtlas: async (plan, sources) => {
      plans.push(plan);
      pictures.push(...sources);
      const rows = Math.ceil(plan.cells.length / plan.columns);
      return {
        png: Buffer.from('not decoded here'),
        w: plan.columns * plan.cellW,
        h: rows * plan.cellH,
        boxes: plan.cells.map(() => ({ x: 1, y: 2, w: plan.cellW - 2, h: plan.cellH - 2 })),
      };
    },
  };
}

export const CAPABILITY_IDS = ['greet', 'celebrate', 'work', 'think', 'wait', 'fail', 'sleep'].map(
  (verb) => `animation.${verb}`,
);
export const VERBS = CAPABILITY_IDS.map((id) => id.slice('animation.'.length));

export const options = (more: Partial<ImportOptions> = {}): ImportOptions => ({
  as: null,
  acceptGuesses: false,
  capabilities: CAPABILITY_IDS,
  ...more,
});

/** Target → what the source calls it, and how sure that is. */
export const taken = ({ takes }: Draft): Readonly<Record<string, string>> =>
  Object.fromEntries(takes.map(({ target, source, basis }) => [target, `${source} (${basis})`]));

export const times = ({ takes }: Draft, target: string): readonly number[] =>
  takes.find((take) => take.target === target)?.poses.map(({ durationMs }) => durationMs) ?? [];

export const told = ({ notes }: Draft): string =>
  notes.map(({ file, line, text }: Note) => `${file}:${line ?? ''} ${text}`).join('\n');
