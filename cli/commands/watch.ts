/** `companion watch -- CMD ARG…`: the code lies in a file of its own, for few commands need it. */
import { defineCommand } from '../command.ts';
import { usageError } from '../companion-error.ts';
import { loadWatch } from '../doors/load.ts';

export const watch = defineCommand({
  takes: ['CMD', 'ARG…'],
  summary:
    'Run a program that reports events and show them: one progress card, its questions with the answers going back to it, and how it ended. Output, signals and exit code are its own. See docs/watch.md.',
  about: null,
  output: 'program',
  options: {
    adapter: {
      kind: 'text',
      value: 'FORMAT',
      help: 'the format of its events; auto, as without it, finds it from the first lines',
    },
    title: { kind: 'text', value: 'T', help: 'what the card is called' },
    'pause-signals': {
      kind: 'flag',
      value: '',
      help: 'pause and resume by SIGSTOP and SIGCONT where the format has no words for it',
    },
    'answer-within': {
      kind: 'duration',
      value: 'DUR',
      help: 'how long a question waits for you (24h); then the program is told to cancel',
    },
    json: { kind: 'flag', value: '', help: "changes nothing: standard output is the program's" },
  },
  examples: [
    'companion watch -- xlings interface install_packages --args \'{"targets":["gcc@14"]}\'',
    'companion watch --title "Nightly backup" -- restic backup --json /home',
  ],
  run: async (context) => {
    const { values, words } = context;
    const [command = '', ...args] = words;
    const { ADAPTER_NAMES, watchProgram } = await loadWatch();
    const { adapter = ADAPTER_NAMES[0]! } = values;
    if (!ADAPTER_NAMES.includes(adapter))
      throw usageError(`There is no such adapter. There are: ${ADAPTER_NAMES.join(', ')}.`);
    return watchProgram(context, {
      command,
      args,
      adapter,
      title: values.title,
      pauseSignals: values['pause-signals'] ?? false,
      answerWithinMs: values['answer-within'],
    });
  },
});
