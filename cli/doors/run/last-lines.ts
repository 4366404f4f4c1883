/**
 * Tells that a program has failed and offers the last lines it printed. Only when the user asks for them do they leave the
 * memory they are in; a small process of its own waits for that, so that nobody who waits for the program has to.
 */
import { spawn } from 'node:child_process';
import { interactionChoose } from '../../../server/registry/capabilities/interaction.choose.ts';
import type { Io } from '../../io.ts';
import type { Ending } from '../ending.ts';
import { playEnd } from '../tell-end.ts';
import type { Companion } from '../watch/companion.ts';
import { toProse } from '../watch/text.ts';

/** As the contract of a question bounds its details. */
const MAX_DETAILS = 4_000;
const SHOW = 'lines';
/** As many as can be seen at once. */
const FIRST_LINES = 7;
const OPTIONS = [
  { id: SHOW, label: 'Last lines' },
  { id: 'close', label: 'Close' },
] as const;

/**
 * `sh -c WAITER sh NODE CLI REQUEST PROFILE TITLE`: waits for the answer and, if it says so, shows the last of the lines on standard
 * input, and more of them when that is asked for.
 */
const WAITER = `
  node=$1 cli=$2 request=$3 profile=$4 title=$5
  case $("$node" "$cli" requests wait "$request" --credential-profile "$profile") in
    *'"selectedId":"${SHOW}"'*) ;;
    *) exit ;;
  esac
  lines=$(cat) count=${FIRST_LINES}
  show() {
    printf '%s\\n' "$lines" | tail -n "$count" |
      "$node" "$cli" ask --choice more='More lines' --choice close=Close --details-file - --credential-profile "$profile" -- "$title"
  }
  while [ "$(show)" = more ]; do count=$((count * 5)); done`;

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
  playEnd(companion, ending).catch(() => {});
  const [node, cli] = io.program();
  const waiter = spawn('sh', ['-c', WAITER, 'sh', node, cli, requestId, profile, `${title}: last lines`], {
    env: io.env,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  waiter.on('error', () => {});
  waiter.stdin.on('error', () => {});
  waiter.stdin.end(toProse(tail, MAX_DETAILS));
  waiter.unref();
}
