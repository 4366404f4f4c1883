/** What an import did, for people and for programs: what was taken and for what, what is missing, what was left out and why. */
import type { Basis } from '../../protocol/character.ts';
import type { Note } from './draft.ts';
import { shown } from './source.ts';

export interface Taken {
  /** Capability ID; null: a clip that no request asks for, such as the one shown while the figure is dragged. */
  readonly capability: string | null;
  readonly clip: string;
  /** What the source calls it. */
  readonly source: string;
  readonly basis: Basis;
  readonly frames: number;
  /** One round. */
  readonly totalMs: number;
}

export interface Missing {
  readonly capability: string;
  /** What is shown instead when the caller allows it; null: nothing. */
  readonly substitute: string | null;
}

export interface ImportReport {
  readonly format: string;
  readonly id: string;
  readonly version: string;
  readonly displayName: string;
  readonly license: string;
  readonly taken: readonly Taken[];
  readonly missing: readonly Missing[];
  readonly ignored: readonly Note[];
}

const BASIS: Readonly<Record<Basis, string>> = {
  declared: '',
  named: ' (by its name)',
  guessed: ' (a guess)',
};

const seconds = (ms: number): string => `${Math.round(ms / 10) / 100} s`;

function tellTaken({ capability, clip, source, basis, frames, totalMs }: Taken): string {
  const what = capability ?? `clip ${clip}`;
  return `  ${what} <- ${shown(source)}${BASIS[basis]}, ${frames} ${frames === 1 ? 'frame' : 'frames'}, ${seconds(totalMs)}`;
}

const tellMissing = ({ capability, substitute }: Missing): string =>
  `  ${capability}${substitute === null ? '' : `: ${substitute} is shown instead where the caller allows it`}`;

const tellNote = ({ file, line, text }: Note): string =>
  `  ${shown(file)}${line === null ? '' : `, line ${line}`}: ${text}`;

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, ...lines];

/** Plain lines for people. */
export function tellReport({
  format,
  id,
  version,
  displayName,
  license,
  taken,
  missing,
  ignored,
}: ImportReport): string {
  const guesses = taken.filter(({ capability, basis }) => capability !== null && basis === 'guessed');
  return [
    `${shown(displayName)} (${id}@${version}), read as ${format}, licence ${license === 'LicenseRef-unknown' ? 'unknown' : license}`,
    ...section('Taken:', taken.map(tellTaken)),
    ...section('Missing:', missing.map(tellMissing)),
    ...section('Left out, or to know:', ignored.map(tellNote)),
    ...(guesses.length === 0
      ? []
      : [
          `${guesses.length} of these ${guesses.length === 1 ? 'is a guess, which no program is offered; to accept it' : 'are guesses, which no program is offered; to accept them'}, import with --accept-guesses.`,
        ]),
  ].join('\n');
}
