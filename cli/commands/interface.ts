/** `companion interface …`: the NDJSON interface. Answers `--version` itself; all else lies in a file that only this needs. */
import { defineCommand } from '../command.ts';
import { readArgv } from '../interface/argv.ts';
import { NDJSON_VERSION, toLine } from '../interface/lines.ts';
import { loadInterface } from '../packs/load.ts';

export const interfaceDoor = defineCommand({
  takes: ['[CAPABILITY]'],
  summary:
    'Speak the NDJSON interface, protocol 1.0, with a program: manage character packs, or have the companion do something. One JSON object a line: events on standard output, control messages on standard input. Exit codes 0 done, 1 failed, 2 refused, 130 cancelled. See docs/ndjson-interface.md.',
  about: null,
  output: 'own',
  options: {
    version: { kind: 'flag', value: '', help: 'print the version of the protocol' },
    list: { kind: 'flag', value: '', help: 'print all capabilities with their schemas' },
    args: { kind: 'text', value: 'JSON', help: 'the parameters; without it {}' },
    'args-file': { kind: 'text', value: 'FILE', help: 'read the parameters from FILE, whatever --args says' },
    json: { kind: 'flag', value: '', help: 'changes nothing: it is all JSON' },
  },
  examples: [
    'companion interface --list',
    `companion interface install_packages --args '{"targets":["org.example:ghost"],"yes":true}'`,
  ],
  run: async ({ io, words, help }) => {
    const argv = readArgv(words);
    if (argv.fault === null && argv.help) {
      io.out(await help());
      return 0;
    }
    if (argv.fault === null && argv.version) {
      io.out(toLine({ protocol_version: NDJSON_VERSION }));
      return 0;
    }
    try {
      const { openLibrary, runInterface } = await loadInterface();
      return await runInterface(argv, io, openLibrary);
    } catch (error) {
      const message = `internal: ${error instanceof Error ? error.message : 'unknown error'}`;
      io.out(toLine({ kind: 'error', code: 'E_INTERNAL', message, recoverable: false }));
      io.out(toLine({ kind: 'result', exitCode: 1 }));
      return 1;
    }
  },
});
