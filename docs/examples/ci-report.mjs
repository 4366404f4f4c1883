// Runs a job and says how it ended, as its own exit code does: node ci-report.mjs TITLE COMMAND [ARG…]
import { spawn } from 'node:child_process';
import { connect } from 'companion/client';

const [title, command, ...args] = process.argv.slice(2);
if (command === undefined) {
  console.error('usage: node ci-report.mjs TITLE COMMAND [ARG…]');
  process.exit(2);
}
const startedAt = Date.now();
const code = await new Promise((resolve) => {
  const job = spawn(command, args, { stdio: 'inherit' });
  job.on('error', () => resolve(127));
  job.on('close', (exitCode) => resolve(exitCode ?? 1));
});

try {
  const companion = await connect();
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  await companion.notify(code === 0 ? `Done after ${seconds} s.` : `Failed with ${code} after ${seconds} s.`, {
    title,
    tone: code === 0 ? 'success' : 'error',
    // A runner that repeats this step does not tell it twice. Without a key the client makes one for each call.
    ...(process.env.CI_JOB_ID && { idempotencyKey: `ci-${process.env.CI_JOB_ID}` }),
    // Whoever waits for the job need not wait for this.
    signal: AbortSignal.timeout(5_000),
  });
  companion.close();
} catch (error) {
  // The job's result does not depend on whether somebody could be told.
  console.error(`nobody was told: ${error.code ?? error.message}`);
}
process.exitCode = code;
