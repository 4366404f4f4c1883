/** `companion ask TITLE`: prints what the user answered, alone, so that a shell script can use it (R9). */
import type { Snapshot } from '../../server/protocol/snapshot.ts';
import { interactionAsk } from '../../server/registry/capabilities/interaction.ask.ts';
import { interactionChoose } from '../../server/registry/capabilities/interaction.choose.ts';
import { vendorChoices } from '../../server/registry/capabilities/vendor.internal.companion.choices.ts';
import type { Values } from '../args.ts';
import { known } from '../client/known.ts';
import { type Answer, defineCommand } from '../command.ts';
import { usageError } from '../companion-error.ts';
import { EXIT } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { answerRequest, REQUEST_OPTIONS, requestOptions, silent } from '../request.ts';
import { TONE_OPTION } from './tone.ts';

const OPTIONS = {
  choice: { kind: 'list', value: 'ID=LABEL', help: 'an option; once for each (2 to 5, with --several 1 to 20)' },
  confirm: {
    kind: 'flag',
    value: '',
    help: 'a yes or no, for if: exit code 0 is yes, 1 is no, any other is no answer',
  },
  several: { kind: 'flag', value: '', help: 'the user may pick several; prints one ID a line' },
  min: { kind: 'number', value: 'N', help: 'with --several: at least so many' },
  max: { kind: 'number', value: 'N', help: 'with --several: at most so many' },
  suggest: { kind: 'text', value: 'ID', help: 'mark an option as suggested; it is never taken by itself' },
  text: { kind: 'flag', value: '', help: 'ask for a text instead' },
  multiline: { kind: 'flag', value: '', help: 'with --text: line breaks are allowed' },
  masked: { kind: 'flag', value: '', help: 'with --text: shown as dots' },
  placeholder: { kind: 'text', value: 'P', help: 'with --text: shown in the empty field' },
  'max-length': { kind: 'number', value: 'N', help: 'with --text: at most so many characters' },
  details: { kind: 'text', value: 'T', help: 'what the question is about: a command, a diff' },
  'details-file': { kind: 'text', value: 'FILE', help: 'the same from a file; - reads standard input' },
  'allow-decline': { kind: 'flag', value: '', help: 'the user may say that they will not answer' },
  ...TONE_OPTION,
  'no-wait': { kind: 'flag', value: '', help: 'do not wait; print the request ID' },
  ...REQUEST_OPTIONS,
  wait: { kind: 'maybeDuration', value: 'DUR', help: 'wait at most DUR; without it, until the question expires' },
} as const;
type AskValues = Values<typeof OPTIONS>;

/** `yes=Yes, do it` → an option; without a label the ID is shown. */
function parseChoice(choice: string): { id: string; label: string } {
  const at = choice.indexOf('=');
  return at === -1 ? { id: choice, label: choice } : { id: choice.slice(0, at), label: choice.slice(at + 1) };
}

/** The options of --confirm; whoever picks the first one means it. */
const YES = 'yes';
const YES_OR_NO = [
  { id: YES, label: 'Yes' },
  { id: 'no', label: 'No' },
] as const;

/** Options that mean something with another one only. */
const ONLY_WITH: Readonly<Record<string, readonly string[]>> = {
  text: ['multiline', 'masked', 'placeholder', 'max-length'],
  choice: ['several', 'suggest'],
  several: ['min', 'max'],
};

/** Refuses options that have no meaning together. Error: INVALID_PARAMS. */
function assertConsistent(values: AskValues): void {
  if ([values.choice, values.text, values.confirm].filter((kind) => kind !== undefined).length !== 1) {
    throw usageError('Either --choice ID=LABEL, once for each option, or --text or --confirm is needed.');
  }
  const given: Readonly<Record<string, unknown>> = values;
  for (const [needed, names] of Object.entries(ONLY_WITH)) {
    const stray = given[needed] === undefined && names.find((name) => given[name] !== undefined);
    if (stray) throw usageError(`--${stray} goes with --${needed} only.`);
  }
  if (values.several && values.suggest !== undefined) throw usageError('--suggest does not go with --several.');
  if (values.details !== undefined && values['details-file'] !== undefined) {
    throw usageError('--details and --details-file do not go together.');
  }
  // An exit code 0 would then be a yes that nobody has said.
  if (values['no-wait'] && values.confirm) throw usageError('--confirm and --no-wait do not go together.');
  if (values['no-wait'] && values.wait !== undefined) throw usageError('--wait and --no-wait do not go together.');
}

/** The capability that fits the options, and its parameters. */
async function readQuestion(io: Io, title: string, values: AskValues) {
  const file = values['details-file'];
  const details = file === undefined ? values.details : await io.readInput(file);
  const shared = { title, details, tone: values.tone, allowDecline: values['allow-decline'] };
  if (values.text) {
    const { placeholder, multiline, masked } = values;
    const params = known({ ...shared, placeholder, multiline, masked, maxLength: values['max-length'] });
    return { capability: interactionAsk.id, params };
  }
  const options = values.choice?.map(parseChoice) ?? YES_OR_NO;
  return values.several
    ? { capability: vendorChoices.id, params: known({ ...shared, options, min: values.min, max: values.max }) }
    : { capability: interactionChoose.id, params: known({ ...shared, options, suggestedId: values.suggest }) };
}

/** The exit code of --confirm: true for a yes that was said, and for nothing else. */
function exitOfConfirm(io: Io, { json }: Answer, asJson: boolean): number {
  if (asJson) io.out(`${JSON.stringify(json)}\n`);
  const { result } = json as Snapshot;
  return (result as { selectedId?: unknown } | null)?.selectedId === YES ? EXIT.ok : EXIT.no;
}

/** The answer as a shell script wants it; null when there is none. */
function plainAnswer({ result }: Snapshot): string | null {
  if (result === null) return null;
  const { selectedId, selectedIds, text } = result as Partial<Record<string, string>> & { selectedIds?: string[] };
  return selectedId ?? text ?? (selectedIds?.length ? selectedIds.join('\n') : null);
}

export const ask = defineCommand({
  takes: ['TITLE'],
  summary: 'Ask the user and print the answer.',
  about: { capabilities: [interactionChoose.id, interactionAsk.id, vendorChoices.id] },
  output: 'plain',
  options: OPTIONS,
  examples: [
    'companion ask "Deploy?" --choice yes=Yes --choice no=No',
    'if companion ask "Deploy now?" --confirm; then make deploy; fi',
    'companion ask "Name of the release?" --text --timeout 2m',
    'git diff | companion ask "Commit this?" --choice yes=Commit --choice no=Leave --details-file -',
  ],
  run: async (context) => {
    const { io, words, values } = context;
    assertConsistent(values);
    const question = await readQuestion(io, words[0]!, values);
    const client = await context.connect();
    const accepted = await client.create({ ...question, ...requestOptions(values) });
    if (values['no-wait']) return { json: accepted, plain: accepted.requestId, error: null };
    const answer = await answerRequest(context, client, accepted, {
      limit: values.wait ?? true,
      orphan: values['idempotency-key'] === undefined,
      plain: values.confirm ? silent : plainAnswer,
    });
    return values.confirm && answer.error === null ? exitOfConfirm(io, answer, values.json ?? false) : answer;
  },
});
