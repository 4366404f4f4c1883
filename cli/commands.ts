/** Every command, in the order help shows them. */
import type { Command } from './command.ts';
import { ask } from './commands/ask.ts';
import { capabilitiesDescribe } from './commands/capabilities/describe.ts';
import { notify } from './commands/notify.ts';
import { pair } from './commands/pair.ts';
import { play } from './commands/play.ts';
import { progressDone } from './commands/progress/done.ts';
import { progressFail } from './commands/progress/fail.ts';
import { progressStart } from './commands/progress/start.ts';
import { progressUpdate } from './commands/progress/update.ts';
import { readCommand } from './commands/read.ts';
import { requestsCancel } from './commands/requests/cancel.ts';
import { requestsCreate } from './commands/requests/create.ts';
import { requestsGet } from './commands/requests/get.ts';
import { requestsUpdate } from './commands/requests/update.ts';
import { requestsWait } from './commands/requests/wait.ts';
import { rpcDiscover } from './commands/rpc/discover.ts';
import { runtimeDescribe } from './commands/runtime/describe.ts';
import { serve } from './commands/serve.ts';
import { unpair } from './commands/unpair.ts';

export const COMMANDS: readonly Command[] = [
  serve,
  pair,
  unpair,
  notify,
  ask,
  progressStart,
  progressUpdate,
  progressDone,
  progressFail,
  play,
  runtimeDescribe,
  readCommand('characters.list'),
  readCommand('capabilities.list'),
  capabilitiesDescribe,
  readCommand('styles.list'),
  requestsCreate,
  requestsGet,
  requestsWait,
  requestsCancel,
  requestsUpdate,
  rpcDiscover,
];
