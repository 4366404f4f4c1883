/** Terraform's and OpenTofu's `-json`: the plan, the changes as they are made, and what came of it; never an output's value. */
import type { Fields } from '../../../../server/protocol/json-object.ts';
import type { Adapter, Reading, Verdict, WatchEvent } from '../adapter.ts';
import { log, NO_CONTROLS, problem, progress, verdict } from './events.ts';
import { percentOf, rising } from './rising.ts';
import { amount, asNumber, asObject, asText, jsonIn } from './values.ts';
import { duration, together } from './words.ts';

const MODULE = /^(terraform|tofu)\.ui$/;
/** Of the format; a new major one may mean anything by the same words. */
const KNOWN_MAJOR = /^1(\.|$)/;
/** With `-detailed-exitcode`: there is something to change. */
const CHANGES = 2;
const INTERRUPTED = /^\s*(Interrupt|Two interrupts) received/;

/** Kinds of which the line's own text is not shown: it, too, carries what programs printed, or addresses already shown. */
const WITHOUT_TEXT = new Set(['outputs', 'provision_progress', 'resource_drift', 'apply_progress']);

const DOINGS: Readonly<Record<string, string>> = {
  create: 'creating',
  update: 'changing',
  replace: 'replacing',
  delete: 'destroying',
  read: 'reading',
};

const eventIn = (fields: Fields | null): Fields | null =>
  fields !== null && MODULE.test(String(fields['@module'])) && typeof fields['@message'] === 'string' ? fields : null;

export const terraform: Adapter = {
  name: 'terraform',
  summary: 'terraform or tofu plan, apply or destroy with -json: changes made of the changes planned',
  recognizes(line) {
    const event = eventIn(jsonIn(line));
    return event?.type === 'version' && typeof event.ui === 'string' && KNOWN_MAJOR.test(event.ui);
  },
  controls: NO_CONTROLS,
  silenceMs: null,
  // Ended in the middle of a change it leaves behind what it does not know of.
  patienceMs: null,
  start: readTerraform,
};

const summed = (changes: Fields): number => amount(changes.add) + amount(changes.change) + amount(changes.remove);

function changesText(changes: Fields): string {
  const imported = amount(changes.import);
  const [add, change, remove] = [amount(changes.add), amount(changes.change), amount(changes.remove)];
  return changes.operation === 'plan'
    ? `${imported > 0 ? `${imported} to import, ` : ''}${add} to add, ${change} to change, ${remove} to destroy`
    : `${imported > 0 ? `${imported} imported, ` : ''}${add} added, ${change} changed, ${remove} destroyed`;
}

function testsText(tests: Fields): string {
  const skipped = amount(tests.skipped);
  return `${amount(tests.passed)} passed, ${amount(tests.failed) + amount(tests.errored)} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function readTerraform(): Reading {
  const highest = rising();
  let strange = false;
  let planned: Fields | null = null;
  let finished = 0;
  let ended: string | null = null;
  let failure: string | null = null;
  let interrupted = false;

  const total = (): number | null => (planned === null ? null : summed(planned));
  const applying = (message: string | undefined): WatchEvent =>
    progress({
      percent: highest.next(percentOf(finished, total())),
      done: finished,
      total: total(),
      unit: 'items',
      phase: 'applying',
      message,
    });

  /** Where a change stands, from the fields that name it; the text of the line holds its ID too. */
  function hook(event: Fields): string | undefined {
    const about = asObject(event.hook);
    const seconds = asNumber(about?.elapsed_seconds);
    const doing = DOINGS[asText(about?.action) ?? ''];
    const address = asText(asObject(about?.resource)?.addr) ?? 'a resource';
    const since = event.type === 'apply_progress' && seconds !== null && seconds > 0 ? duration(seconds) : null;
    return together(doing === undefined ? address : `${doing} ${address}`, since);
  }

  function summary(changes: Fields): readonly WatchEvent[] {
    if (changes.operation !== 'plan') {
      ended = changesText(changes);
      return [];
    }
    planned = changes;
    return [
      progress({
        percent: highest.next(summed(changes) > 0 ? 0 : null),
        done: finished,
        total: summed(changes),
        unit: 'items',
        phase: 'planned',
        message: changesText(changes),
      }),
    ];
  }

  function diagnostic(event: Fields): readonly WatchEvent[] {
    const found = asObject(event.diagnostic);
    // The detail and the snippet may hold values; the summary and the address say what it is about.
    const text = together(asText(found?.address), asText(found?.summary));
    if (found?.severity !== 'error') return log('warn', text);
    failure ??= text ?? null;
    return problem(text, true);
  }

  function others(event: Fields): readonly WatchEvent[] {
    const type = String(event.type);
    const text = asText(event['@message']);
    if (INTERRUPTED.test(text ?? '')) interrupted = true;
    if (type === 'init_output') return [progress({ percent: null, phase: 'preparing', message: text })];
    if (WITHOUT_TEXT.has(type) || type.startsWith('provision_') || type.startsWith('refresh_')) return [];
    return log(event['@level'] === 'warn' ? 'warn' : event['@level'] === 'error' ? 'error' : 'info', text);
  }

  function read(event: Fields): readonly WatchEvent[] {
    switch (event.type) {
      case 'version':
        strange = !KNOWN_MAJOR.test(String(event.ui));
        return strange ? log('warn', 'this version writes events of a kind that is not known here') : [];
      case 'planned_change':
        return [progress({ percent: null, phase: 'planning', message: plannedText(event) })];
      case 'refresh_start':
        return [progress({ percent: highest.next(null), phase: 'refreshing', message: hook(event) })];
      case 'apply_complete':
        finished += 1;
        return [applying(hook(event))];
      case 'apply_start':
      case 'apply_progress':
      case 'apply_errored':
        return [applying(hook(event))];
      case 'change_summary':
        return summary(asObject(event.changes) ?? {});
      case 'diagnostic':
        return diagnostic(event);
      case 'test_summary':
        ended = testsText(asObject(event.test_summary) ?? {});
        return [];
      default:
        return others(event);
    }
  }

  const planText = (): string =>
    total() === 0 && amount(planned?.import) === 0 ? 'to outputs only' : changesText(planned ?? {});

  function failed(code: number): Verdict {
    const planOnly = planned !== null && ended === null && finished === 0 && failure === null;
    if (code === CHANGES && planOnly) return verdict('done', `there are changes: ${planText()}`);
    if (interrupted) return verdict('cancelled', together('interrupted', finished > 0 && `${finished} changes made`));
    return verdict('failed', together(ended, failure) ?? `it ended with ${code}`);
  }

  return {
    read(line) {
      const event = eventIn(jsonIn(line));
      return event === null || strange ? [] : read(event);
    },
    verdict({ code, signal }) {
      if (strange || signal !== null || code === null || code === 130) return null;
      if (code !== 0) return failed(code);
      return verdict('done', ended ?? (planned === null ? null : changesText(planned)));
    },
  };
}

function plannedText(event: Fields): string | undefined {
  const change = asObject(event.change);
  return together(asText(asObject(change?.resource)?.addr), asText(change?.action));
}
