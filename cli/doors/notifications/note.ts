/** A desktop notification and the request that shows it: a notice, or a question where it has actions. Pure. */
import { LIMITS } from '../../../server/protocol/limits.ts';
import type { Snapshot } from '../../../server/protocol/snapshot.ts';
import type { JsonObject } from '../../../server/protocol/words.ts';
import { interactionChoose } from '../../../server/registry/capabilities/interaction.choose.ts';
import { noticeShow } from '../../../server/registry/capabilities/notice.show.ts';
import { vendorChoices } from '../../../server/registry/capabilities/vendor.internal.companion.choices.ts';
import { known } from '../../client/known.ts';
import { toLine, toProse } from '../watch/text.ts';
import { plainBody } from './body.ts';

export interface Action {
  /** What the caller hears when it is picked; anything. */
  readonly name: string;
  readonly label: string;
}

export interface Note {
  /** What the program calls itself: a text like any other, for anybody can say it. null: not said. */
  readonly app: string | null;
  readonly summary: string;
  readonly body: string;
  readonly urgency: 'low' | 'normal' | 'critical';
  /** ms; 0: never, null: as the companion likes. */
  readonly expireMs: number | null;
  readonly actions: readonly Action[];
}

export interface NoteRequest {
  readonly capability: string;
  readonly params: JsonObject;
  readonly timeoutMs?: number;
}

/** As many as `interaction.choose` takes. */
const MOST_BUTTONS = 5;
const MOST_ACTIONS = 20;
const DISMISS = 'dismiss';
/** A label that shows nothing. */
const UNNAMED = 'Open';

const optionId = (index: number): string => `action-${index}`;
const clampMs = (ms: number, least: number, most: number): number => Math.min(most, Math.max(least, Math.round(ms)));

/** Whether it is to stay until somebody closes it. */
const isLasting = ({ expireMs, urgency }: Note): boolean =>
  expireMs === 0 || (expireMs === null && urgency === 'critical');

/** A notice has an end; the longest there is stands for one that has none. */
function displayMs(note: Note): number | undefined {
  if (isLasting(note)) return LIMITS.maxNoticeMs;
  return note.expireMs === null ? undefined : clampMs(note.expireMs, LIMITS.minNoticeMs, LIMITS.maxNoticeMs);
}

function questionMs(note: Note, defaultMs: number | undefined): number | undefined {
  if (isLasting(note)) return LIMITS.maxTimeoutMs;
  return note.expireMs === null ? defaultMs : clampMs(note.expireMs, LIMITS.minTimeoutMs, LIMITS.maxTimeoutMs);
}

function toNotice(note: Note, tone: string | undefined): NoteRequest {
  const app = toLine(note.app ?? undefined, 24);
  const summary = toLine(note.summary, 80);
  const body = toProse(plainBody(note.body), 280);
  const said = [app, summary].filter((part) => part !== undefined);
  // Without a body the summary is the text, so that more of it is seen.
  const text = body ?? toLine(note.summary, 280) ?? app ?? '…';
  const title = body === undefined ? said.slice(0, -1) : said;
  const params = known({ text, title: toLine(title.join(': '), 80), tone, durationMs: displayMs(note) });
  return { capability: noticeShow.id, params };
}

/** One button may say less than the caller did; the whole label then stands below it. */
function toButton({ label }: Action, index: number): JsonObject {
  const short = toLine(label, 24) ?? UNNAMED;
  const whole = toLine(label, 160) ?? UNNAMED;
  return { id: optionId(index), label: short, ...(whole !== short && { description: whole }) };
}

function toQuestion(note: Note, tone: string | undefined, defaultMs: number | undefined): NoteRequest {
  const parts = [toLine(note.app ?? undefined, 24), toLine(note.summary, 160)].filter((part) => part !== undefined);
  const shared = { title: toLine(parts.join(': '), 160) ?? '…', details: toProse(plainBody(note.body), 4_000), tone };
  const timeoutMs = questionMs(note, defaultMs);
  const rest = timeoutMs === undefined ? {} : { timeoutMs };
  if (note.actions.length > MOST_BUTTONS) {
    const options = note.actions
      .slice(0, MOST_ACTIONS)
      .map(({ label }, index) => ({ id: optionId(index), label: toLine(label, 160) ?? UNNAMED }));
    return { capability: vendorChoices.id, params: known({ ...shared, options, min: 1, max: 1 }), ...rest };
  }
  const buttons = note.actions.map(toButton);
  const options = buttons.length === 1 ? [...buttons, { id: DISMISS, label: 'Dismiss' }] : buttons;
  return { capability: interactionChoose.id, params: known({ ...shared, options }), ...rest };
}

/** The request that shows `note`. `defaultMs`: how long a question stands that says nothing itself; undefined: as the host likes. */
export function toRequest(note: Note, defaultMs?: number): NoteRequest {
  const tone = note.urgency === 'critical' ? 'warning' : undefined;
  return note.actions.length === 0 ? toNotice(note, tone) : toQuestion(note, tone, defaultMs);
}

/** The action that the user picked; null when it ended any other way. */
export function pickedAction({ actions }: Pick<Note, 'actions'>, { status, result }: Snapshot): Action | null {
  if (status !== 'completed' || typeof result !== 'object' || result === null) return null;
  const { selectedId, selectedIds } = result as { selectedId?: unknown; selectedIds?: readonly unknown[] };
  const picked = selectedId ?? selectedIds?.[0];
  return actions.find((_action, index) => optionId(index) === picked) ?? null;
}
