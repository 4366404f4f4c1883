/** `companion run -- CMD ARG…`: the code lies in a file of its own, for few commands need it. */
import { defineCommand } from '../command.ts';
import { loadWatch } from '../doors/load.ts';

const NOTIFY_AFTER_MS = 10_000;

export const run = defineCommand({
  takes: ['CMD', 'ARG…'],
  summary:
    'Run any program: the figure works meanwhile, and tells you how it ended if that took long. Output, signals and exit code are its own. See docs/watch.md.',
  about: null,
  output: 'program',
  options: {
    title: { kind: 'text', value: 'T', help: 'what it is called when it is told of' },
    'notify-after': { kind: 'duration', value: 'DUR', help: 'say nothing of what takes less (10s)' },
    'read-terminal': {
      kind: 'flag',
      value: '',
      help: 'offer the last lines after a failure on a terminal too; the program then writes to a pipe',
    },
    json: { kind: 'flag', value: '', help: "changes nothing: standard output is the program's" },
  },
  examples: [
    'companion run -- make test',
    'companion run --title Render --notify-after 1m -- ffmpeg -i in.mkv out.mp4',
  ],
  run: async (context) => {
    const { values, words } = context;
    const [command = '', ...args] = words;
    const { runProgram } = await loadWatch();
    return runProgram(context, {
      command,
      args,
      title: values.title,
      notifyAfterMs: values['notify-after'] ?? NOTIFY_AFTER_MS,
      readTerminal: values['read-terminal'] ?? false,
      profile: values['credential-profile'],
    });
  },
});
