/** `companion characters import`. */
import type { ImportedPack } from '../../../server/packs/import/build.ts';
import type { ImportResult } from '../../../server/packs/import/import.ts';
import type { Library, Steering } from '../../../server/packs/types.ts';
import { resolvePaths } from '../../../server/protocol/paths.ts';
import { MAPPED_IDS } from '../../../server/registry/catalog.ts';
import { type Answer, type Context, defineCommand } from '../../command.ts';
import { usageError } from '../../companion-error.ts';
import { loadPacks } from '../../packs/load.ts';
import { toRefusal } from '../../packs/refusal.ts';

type Packs = Awaited<ReturnType<typeof loadPacks>>;
type Imported = Extract<ImportResult, { readonly kind: 'imported' }>;

const steeringOf = (signal: AbortSignal): Steering => ({
  signal,
  unpaused: async () => {},
  onDownloads: () => {},
  onPack: () => {},
});

async function install(packs: readonly ImportedPack[], library: Library, signal: AbortSignal): Promise<void> {
  for (const { files } of packs) await library.adopt({ kind: 'files', files }, { use: true }, steeringOf(signal));
}

const FOLLOW =
  'Codex’s own pets can also be shown from where they lie, without a copy: companion characters follow codex';

const hint = (packs: readonly ImportedPack[], codexFormat: string): string =>
  [
    ...packs.map(({ manifest }) => `To see it: companion characters use ${manifest.id}`),
    ...(packs.some(({ report }) => report.format === codexFormat) ? [FOLLOW] : []),
  ].join('\n');

function toAnswer({ tellReport, CODEX_FORMAT }: Packs, { packs, refused }: Imported, isDryRun: boolean): Answer {
  const said = packs.map(({ report }) => tellReport(report));
  const lost = refused.map(({ name, reason }) => `${name} was not taken: ${reason}.`);
  const end =
    packs.length === 0 ? [] : [isDryRun ? 'Nothing was installed: this was a dry run.' : hint(packs, CODEX_FORMAT)];
  const json = {
    dryRun: isDryRun,
    characters: packs.map(({ report, manifest }) => ({ ...report, installed: !isDryRun, manifest })),
    refused,
  };
  const error = packs.length === 0 ? usageError('None of the characters in it can be taken.') : null;
  return { json, plain: [...said, ...lost, ...end].join('\n\n'), error };
}

/** A pack of our own is installed as it is. */
async function adoptOwn(
  { checkPack }: Packs,
  path: string,
  library: Library,
  isDryRun: boolean,
  signal: AbortSignal,
): Promise<Answer> {
  if (isDryRun) {
    const { id, version } = await checkPack(path, signal);
    return {
      json: { dryRun: true, characters: [{ id, version, installed: false }], refused: [] },
      plain: `${id}@${version} is a character pack already; it would be installed as it is.`,
      error: null,
    };
  }
  const { id, version } = await library.adopt({ kind: 'path', path }, { use: true }, steeringOf(signal));
  return {
    json: { dryRun: false, characters: [{ id, version, installed: true }], refused: [] },
    plain: `${id}@${version} was a character pack already and is installed as it is.\nTo see it: companion characters use ${id}`,
    error: null,
  };
}

const OPTIONS = {
  as: { kind: 'text', value: 'NAME', help: 'what it is to be called; a dotted ID (org.example.ghost) becomes its ID' },
  'dry-run': { kind: 'flag', value: '', help: 'only say what would be taken; install nothing' },
  'accept-guesses': { kind: 'flag', value: '', help: 'offer what was only guessed to programs too' },
} as const;

async function runImport({ io, values, words: [path = ''], interruption }: Context<typeof OPTIONS>): Promise<Answer> {
  const packs = await loadPacks();
  const signal = interruption();
  const { configFolder, dataFolder } = resolvePaths(io.env);
  const library = packs.openLibrary(dataFolder);
  const desk = packs.openPictureDesk(io, configFolder, signal);
  const isDryRun = values['dry-run'] === true;
  const options = { as: values.as ?? null, acceptGuesses: values['accept-guesses'] === true, capabilities: MAPPED_IDS };
  try {
    const result = await packs.importFrom(path, options, desk, signal);
    if (result.kind === 'pack') return await adoptOwn(packs, result.path, library, isDryRun, signal);
    const installed = library.installed();
    const made = { ...result, packs: result.packs.map((pack) => packs.versioned(pack, installed)) };
    if (!isDryRun) await install(made.packs, library, signal);
    return toAnswer(packs, made, isDryRun);
  } catch (error) {
    throw signal.aborted ? signal.reason : toRefusal(error);
  } finally {
    await desk.close();
  }
}

export const charactersImport = defineCommand({
  takes: ['PATH'],
  summary:
    'Take a character from what you have: a Codex pet, a Shimeji, an eSheep file, an Aseprite or TexturePacker sheet, pictures named by what they show, or a plain sheet with grid.json; a folder, a zip or one file. Nothing in it is ever run. Says what was taken for what, what is missing, and what was left out.',
  about: null,
  output: 'plain',
  options: OPTIONS,
  examples: [
    'companion characters import ~/.codex/pets/ghost',
    'companion characters import shimeji.zip --dry-run',
    'companion characters import cat.gif --as Mittens',
  ],
  run: runImport,
});
