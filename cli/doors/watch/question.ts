/** A prompt as the capability that fits it, and the way back from the user's answer to the value the program understands. */
import type { Json, JsonObject } from '../../../server/protocol/words.ts';
import { interactionAsk } from '../../../server/registry/capabilities/interaction.ask.ts';
import { interactionChoose } from '../../../server/registry/capabilities/interaction.choose.ts';
import { vendorChoices } from '../../../server/registry/capabilities/vendor.internal.companion.choices.ts';
import { known } from '../../client/known.ts';
import type { PromptEvent, PromptOption } from './adapter.ts';
import { toLine, toProse } from './text.ts';

/** Bounds of the three contracts. */
const MAX_TITLE = 160;
const MAX_DETAILS = 4_000;
const MAX_BUTTONS = 5;
const MAX_BUTTON = 24;
const MAX_ROWS = 20;
const MAX_ROW = 160;
const MAX_ID = 64;

export interface Question {
  readonly capability: string;
  readonly params: JsonObject;
  /** The value for the program; null when the answer is none of its options. */
  read(result: Json): string | null;
}

interface Row {
  readonly id: string;
  readonly label: string;
  readonly value: string;
}

/** The options with labels that can be shown; a value is its own ID where it can be one. */
function rowsOf(options: readonly PromptOption[]): readonly Row[] {
  const isPlain = options.every(({ value }) => toLine(value, MAX_ID) === value);
  return options.map(({ value, label }, index) => {
    const number = String(index + 1);
    return { id: isPlain ? value : number, label: toLine(label, MAX_ROW) ?? toLine(value, MAX_ROW) ?? number, value };
  });
}

const option = ({ id, label }: Row): { id: string; label: string } => ({ id, label });
const valueWith = (rows: readonly Row[], wanted: unknown): string | null =>
  rows.find(({ id }) => id === wanted)?.value ?? null;

/** Too many to show: the answer is typed, as a number, a label or a value. */
function readTyped(rows: readonly Row[], text: string): string | null {
  const said = text.trim();
  const found = rows.find(({ value, label }) => value === said || label === said) ?? rows[Number(said) - 1];
  return found?.value ?? null;
}

/**
 * Up to five short options are buttons, up to twenty a list to pick one from and to confirm, which is also what a `careful` prompt
 * gets; with more, or none, the answer is typed.
 */
export function toQuestion({ question, options, suggested, details, careful = false }: PromptEvent): Question {
  const rows = rowsOf(options);
  const title = toLine(question, MAX_TITLE) ?? 'The program asks something';
  const listed =
    rows.length > MAX_ROWS ? rows.map(({ label }, index) => `${index + 1}. ${label}`).join('\n') : undefined;
  // The title is one clamped line; who asks more than fits, or in several lines, is shown in full.
  const whole = title === question.trim() ? undefined : question;
  const shown = toProse([whole, details, listed].filter((part) => part !== undefined).join('\n\n'), MAX_DETAILS);
  const shared = { title, details: shown };
  const areButtons =
    rows.length >= 2 && rows.length <= MAX_BUTTONS && rows.every(({ label }) => [...label].length <= MAX_BUTTON);
  if (areButtons && !careful) {
    const suggestedId = rows.find(({ value }) => value === suggested)?.id;
    return {
      capability: interactionChoose.id,
      params: known({ ...shared, options: rows.map(option), suggestedId }),
      read: (result) => valueWith(rows, (result as { selectedId?: unknown } | null)?.selectedId),
    };
  }
  if (rows.length >= 1 && rows.length <= MAX_ROWS) {
    return {
      capability: vendorChoices.id,
      params: known({ ...shared, options: rows.map(option), min: 1, max: 1 }),
      read: (result) => valueWith(rows, (result as { selectedIds?: readonly unknown[] } | null)?.selectedIds?.[0]),
    };
  }
  return {
    capability: interactionAsk.id,
    params: known({ ...shared, placeholder: toLine(suggested ?? undefined, 80) }),
    read: (result) => {
      const { text } = result as { text: string };
      return rows.length === 0 ? text : readTyped(rows, text);
    },
  };
}
