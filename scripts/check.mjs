// The gate of every commit: types, lint and format, unit tests, schemas fresh. Runs them side by side; prints what failed.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const steps = [
  ['types', 'npx', ['tsc', '-p', 'tsconfig.json']],
  ['overlay types', 'npx', ['tsc', '-p', 'overlay/tsconfig.json']],
  ['lint', 'npx', ['biome', 'check', '.']],
  ['schemas', 'node', ['scripts/run-ts.mjs', 'scripts/generate.ts', '--check']],
  ['unit tests', 'npx', ['vitest', 'run', '--project', 'unit']],
];

/** Resolves to whether the step passed; prints its output only when it did not. */
const run = ([name, command, args]) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => {
      console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name}`);
      if (code !== 0) console.log(output);
      resolve(code === 0);
    });
  });

const results = [];
const queue = [...steps];
const worker = async () => {
  for (let step = queue.shift(); step !== undefined; step = queue.shift()) results.push(await run(step));
};
await Promise.all([worker(), worker()]);
process.exitCode = results.every(Boolean) ? 0 : 1;
