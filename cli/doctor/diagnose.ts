/** From facts to findings, and to words. */
import { checkDesktop, checkDisplay, checkHotkeys, checkOverlayFact, checkWindow } from './check-display.ts';
import {
  checkAutostart,
  checkCredentials,
  checkDisk,
  checkInstances,
  checkRuntimeFolder,
  checkSettings,
  checkSocket,
  checkState,
} from './check-files.ts';
import { checkChromium, checkNode, checkSandbox, checkUser } from './check-machine.ts';
import type { Facts } from './facts.ts';
import type { Finding, Level } from './finding.ts';

const CHECKS: readonly ((facts: Facts) => Finding)[] = [
  checkNode,
  checkUser,
  checkChromium,
  checkSandbox,
  checkDisplay,
  checkWindow,
  checkOverlayFact('transparent'),
  checkOverlayFact('alwaysOnTop'),
  checkOverlayFact('clickThrough'),
  checkOverlayFact('positioned'),
  checkDesktop,
  checkHotkeys,
  checkRuntimeFolder,
  checkSocket,
  checkInstances,
  checkState,
  checkDisk,
  checkSettings,
  checkCredentials,
  checkAutostart,
];

export interface Diagnosis {
  /** Nothing is a problem; there may be warnings. */
  readonly ok: boolean;
  readonly checks: readonly Finding[];
}

/** Every check on `facts`, always all of them and in the same order. */
export function diagnose(facts: Facts): Diagnosis {
  const checks = CHECKS.map((check) => check(facts));
  return { ok: checks.every(({ status }) => status !== 'problem'), checks };
}

const LABELS: Readonly<Record<Level, string>> = { problem: 'PROBLEM', warning: 'WARNING', ok: 'ok' };
const LEVELS: readonly Level[] = ['problem', 'warning', 'ok'];
const INDENT = 9;

const summary = (counts: readonly (readonly [number, string])[]): string =>
  counts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => (noun === 'fine' ? `${count} ${noun}` : `${count} ${noun}${count === 1 ? '' : 's'}`))
    .join(', ');

/** Findings that say the same are told once, under all their titles. */
function tellLevel(findings: readonly Finding[]): readonly string[] {
  const told = new Map<string, { readonly titles: string[]; readonly finding: Finding }>();
  for (const finding of findings) {
    const { titles } = told.get(finding.seen) ?? told.set(finding.seen, { titles: [], finding }).get(finding.seen)!;
    titles.push(finding.title);
  }
  return [...told.values()].map(({ titles, finding: { status, seen, mend } }) => {
    const line = `${LABELS[status].padEnd(INDENT)}${titles.join(', ')}: ${seen}`;
    return mend === null ? line : `${line}\n${' '.repeat(INDENT)}→ ${mend}`;
  });
}

/** A list for people, problems first. */
export function tellDiagnosis({ checks }: Diagnosis): string {
  const of = (level: Level): readonly Finding[] => checks.filter(({ status }) => status === level);
  const counts = summary([
    [of('problem').length, 'problem'],
    [of('warning').length, 'warning'],
    [of('ok').length, 'fine'],
  ]);
  return `${LEVELS.map(of).flatMap(tellLevel).join('\n')}\n\n${counts}.`;
}
