#!/usr/bin/env node
/** The program `companion`: its streams, its arguments, its exit code. */
import { processIo } from './io.ts';
import { run } from './run.ts';

process.exitCode = await run(process.argv.slice(2), processIo);
