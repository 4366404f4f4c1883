/** One line of the bench: what was measured, beside which floor, and whether its goal is met. */
import { median } from './stats.ts';

/** A bound on the product alone, on product / floor, on product - floor, or nothing at all. */
export type Goal =
  | { readonly ratioAtMost: number }
  | { readonly ratioAtLeast: number }
  | { readonly atMost: number }
  | { readonly atLeast: number }
  | { readonly aboveFloorAtMost: number }
  | { readonly note: string };

export interface Figure {
  /** Number of the row in the table of figures to hold. */
  readonly row: number;
  readonly name: string;
  readonly unit: string;
  readonly floorName: string;
  readonly floor: number | null;
  readonly product: number | null;
  /** Median over the rounds of product / floor. */
  readonly ratio: number | null;
  readonly goal: string;
  readonly verdict: 'met' | 'missed' | 'no goal' | `not measured: ${string}`;
}

interface Measured {
  readonly row: number;
  readonly name: string;
  readonly unit: string;
  readonly floorName?: string;
  /** One value a round, in step with `product`. */
  readonly floor?: readonly number[];
  readonly product: readonly number[];
  readonly goal: Goal;
}

function goalText(goal: Goal, unit: string): string {
  if ('ratioAtMost' in goal) return `<= ${goal.ratioAtMost} x`;
  if ('ratioAtLeast' in goal) return `>= ${goal.ratioAtLeast} x`;
  if ('atMost' in goal) return `<= ${goal.atMost} ${unit}`;
  if ('atLeast' in goal) return `>= ${goal.atLeast} ${unit}`;
  if ('aboveFloorAtMost' in goal) return `<= floor + ${goal.aboveFloorAtMost} ${unit}`;
  return goal.note;
}

function isMet(goal: Goal, product: number, ratio: number | null, above: number | null): boolean | null {
  if ('note' in goal) return null;
  if ('atMost' in goal) return product <= goal.atMost;
  if ('atLeast' in goal) return product >= goal.atLeast;
  if ('aboveFloorAtMost' in goal) return above === null ? null : above <= goal.aboveFloorAtMost;
  if (ratio === null) return null;
  return 'ratioAtMost' in goal ? ratio <= goal.ratioAtMost : ratio >= goal.ratioAtLeast;
}

/** Judges one figure from its rounds. */
export function judge({ row, name, unit, floorName = '', floor, product, goal }: Measured): Figure {
  const pairs = floor?.map((value, round) => (product[round] ?? Number.NaN) / value) ?? [];
  const ratio = pairs.length > 0 ? median(pairs) : null;
  const above = floor ? median(floor.map((value, round) => (product[round] ?? Number.NaN) - value)) : null;
  const middle = median(product);
  const met = isMet(goal, middle, ratio, above);
  return {
    row,
    name,
    unit,
    floorName,
    floor: floor ? median(floor) : null,
    product: middle,
    ratio,
    goal: goalText(goal, unit),
    verdict: met === null ? 'no goal' : met ? 'met' : 'missed',
  };
}

/** A figure that could not be taken, with the reason. */
export function notMeasured(row: number, name: string, why: string): Figure {
  return {
    row,
    name,
    unit: '',
    floorName: '',
    floor: null,
    product: null,
    ratio: null,
    goal: '',
    verdict: `not measured: ${why}`,
  };
}

function short(value: number | null): string {
  if (value === null) return '-';
  return value.toFixed(Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
}

/** The figures as a Markdown table. */
export function table(figures: readonly Figure[]): string {
  const head = ['row', 'figure', 'floor', 'product', 'ratio', 'goal', ''];
  const rows = figures.map(({ row, name, unit, floorName, floor, product, ratio, goal, verdict }) => [
    String(row),
    unit === '' ? name : `${name}, ${unit}`,
    floor === null ? floorName || '-' : `${short(floor)} (${floorName})`,
    short(product),
    short(ratio),
    goal || '-',
    verdict,
  ]);
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((cells) => cells[column]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n');
}
