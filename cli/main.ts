#!/usr/bin/env node
/** The program `companion`: its streams, its arguments, its exit code. */
import { endProcess, processIo } from './io.ts';
import { run } from './run.ts';

// No `await` out here: the program is built as CommonJS, which Node starts a fifth sooner than a module.
run(process.argv.slice(2), processIo).then(endProcess);
