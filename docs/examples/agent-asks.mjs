// An agent asks before it does what cannot be undone, and does it on a yes alone: node agent-asks.mjs COMMAND [ARG…]
import { spawn } from 'node:child_process';
import { connect } from 'companion/client';

const [command, ...args] = process.argv.slice(2);
const stop = new AbortController();
process.once('SIGINT', () => stop.abort(new Error('interrupted')));

let companion;
let answer = null;
try {
  companion = await connect();
  answer = await companion.choose(
    'May I run this?',
    [
      { id: 'yes', label: 'Run it' },
      { id: 'no', label: 'No' },
    ],
    { details: [command, ...args].join(' '), tone: 'warning', timeoutMs: 600_000, signal: stop.signal },
  );
} catch (error) {
  // No companion, no key, hidden, interrupted: nobody has said yes.
  console.error(`not asked: ${error.code ?? error.message}`);
} finally {
  companion?.close();
}

// null is no answer: closed, or the time was up.
if (answer === 'yes') {
  spawn(command, args, { stdio: 'inherit' }).on('close', (code) => {
    process.exitCode = code ?? 1;
  });
} else {
  console.error('not run');
  process.exitCode = 1;
}
