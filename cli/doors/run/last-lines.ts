/**
 * Tells that a program has failed and offers the last lines it printed. Only when the user asks for them do they leave the
 * memory they are in; a small process of its own waits for that, so that nobody who waits for the program has to.
 */
import { spawn } from 'node:child_process';
import { interactionChoose } from '../../../server/registry/capabilities/interaction.choose.ts';
import type { Io } from '../../io.ts';
import type { Ending } from '../ending.ts';
import type { Companion } from '../watch/companion.ts';
import { toProse } from '../watch/text.ts';

/** As the contract of a question bounds its details. */
const MAX_DETAILS = 4_000;
const SHOW = 'lines';
const OPTIONS = [
  { id: SHOW, label: 'Last lines' },
  { id: 'close', label: 'Close' },
] as const;

/** `sh -c WAITER sh NODE CLI REQUEST PROFILE WORD…`: waits for the answer and, if it says so, runs the command line with those words. */
const WAITER = `
  node=$1 cli=$2 request=$3 profile=$4; shift 4
  case $("$node" "$cli" requests wait "$request" --credential-profile "$profile") in
    *'"selectedId":"${SHOW}"'*) exec "$node" "$cli" "$@" --credential-profile "$profile" ;;
  esac`;

export interface Offer {
  readonly title: string;
  readonly ending: Ending;
  readonly tail: string;
  readonly io: Io;
  /** Name of the credential profile. */
  readonly profile: string;
}

/** Asks whether they are to be shown; rejects when the question was not taken. */
export async function offerLastLines(companion: Companion, { title, ending, tail, io, profile }: Offer): Promise<void> {
  const params = {
    title: `${title}: failed`,
    details: ending.text,
    tone: ending.tone,
    options: OPTIONS.map((option) => ({ ...option })),
  };
  const { requestId } = await companion.create({ capability: interactionChoose.id, params });
  const [node, cli] = io.program();
  const show = [
    'ask',
    `${title}: last lines`,
    '--several',
    '--min',
    '0',
    '--choice',
    'seen=Seen',
    '--details-file',
    '-',
  ];
  const waiter = spawn('sh', ['-c', WAITER, 'sh', node, cli, requestId, profile, ...show], {
    env: io.env,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  waiter.on('error', () => {});
  waiter.stdin.on('error', () => {});
  waiter.stdin.end(toProse(tail, MAX_DETAILS));
  waiter.unref();
}
