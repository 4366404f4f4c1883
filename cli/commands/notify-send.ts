/** `companion notify-send`: for scripts that were written for libnotify's program of that name. Its exit codes are that program's: 0 and 1. */
import { join } from 'node:path';
import { resolvePaths } from '../../server/protocol/paths.ts';
import { IMPLEMENTATION } from '../../server/protocol/version.ts';
import { interactionChoose } from '../../server/registry/capabilities/interaction.choose.ts';
import { noticeShow } from '../../server/registry/capabilities/notice.show.ts';
import type { Client } from '../client/client.ts';
import type { Command, Context } from '../command.ts';
import { CompanionError } from '../companion-error.ts';
import { NOTIFY_SEND_OPTIONS, type NotifySendCall, readNotifySend } from '../doors/notifications/arguments.ts';
import { pickedAction, toRequest } from '../doors/notifications/note.ts';
import { openNoteIds } from '../doors/notifications/note-ids.ts';
import { EXIT } from '../exit-codes.ts';
import { explain, toCompanionError } from '../explain.ts';
import type { Io } from '../io.ts';

const FAILED = 1;
/** The version whose options these are: scripts ask for it before they use a newer one. */
const FOLLOWS = '0.8.1';

/** Gives the request its number, and withdraws the one it takes the place of. */
async function number(io: Io, client: Client, call: NotifySendCall, requestId: string): Promise<void> {
  const { printsId, replacesId } = call;
  if (!printsId && replacesId === null) return;
  const ids = openNoteIds(join(resolvePaths(io.env).stateFolder, 'notify-send'));
  const replaced: string[] = [];
  if (replacesId !== null) ids.put(replacesId, requestId, (before) => replaced.push(before));
  const id = replacesId ?? ids.add(requestId);
  if (printsId) io.out(`${id}\n`);
  // One that nobody knows any more is in nobody's way.
  for (const before of replaced) await client.cancel(before, 'superseded').catch(() => {});
}

/** Waits until it is closed; prints the name of the action that was picked. */
async function awaitClosing({ io, interruption }: Context, client: Client, call: NotifySendCall, requestId: string) {
  const signal = interruption();
  try {
    const end = await client.waitUntilEnd(requestId, { signal });
    const picked = pickedAction(call.note, end);
    if (picked !== null) io.out(`${picked.name}\n`);
    if (end.status === 'failed') throw new CompanionError('REQUEST_FAILED', { details: { reason: end.reason } });
  } catch (error) {
    if (signal.aborted) await client.cancel(requestId);
    throw error;
  }
}

async function send(context: Context, call: NotifySendCall): Promise<void> {
  const client = await context.connect(call.profile === undefined ? {} : { profile: call.profile });
  const { requestId } = await client.create(toRequest(call.note));
  await number(context.io, client, call, requestId);
  if (call.waits) await awaitClosing(context, client, call, requestId);
}

export const notifySend: Command = {
  takes: ['SUMMARY', '[BODY]'],
  summary:
    "Do what libnotify's notify-send does, with its options, output and exit codes (0 and 1), for scripts that were written for it. See docs/shell.md.",
  about: { capabilities: [noticeShow.id, interactionChoose.id] },
  output: 'own',
  options: NOTIFY_SEND_OPTIONS,
  examples: [
    'companion notify-send -u critical "Backup" "The disk is full."',
    'answer=$(companion notify-send -A yes=Restart -A no=Later "Updates are installed")',
  ],
  run: async (context) => {
    const { io, words, help } = context;
    try {
      const call = readNotifySend(words);
      if (call.ask === 'help') io.out(await help());
      else if (call.ask === 'version') io.out(`notify-send ${FOLLOWS} (companion ${IMPLEMENTATION.version})\n`);
      else await send(context, call);
      return EXIT.ok;
    } catch (thrown) {
      const error = toCompanionError(thrown);
      await explain(io, error);
      return error.exitCode === EXIT.interrupted ? EXIT.interrupted : FAILED;
    }
  },
};
