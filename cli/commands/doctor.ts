/** `companion doctor`: what does not work here, and how to mend it. */
import { defineCommand } from '../command.ts';
import { hostCommand } from '../desktop/host-command.ts';
import { diagnose, tellDiagnosis } from '../doctor/diagnose.ts';
import { gatherFacts } from '../doctor/gather.ts';
import { EXIT } from '../exit-codes.ts';

export const doctor = defineCommand({
  takes: [],
  summary:
    'Look at this machine and at the companion that runs, if one does, and say what does not work and how to mend it. Needs no key and changes nothing. Exit code 0 when nothing is a problem (warnings do not count), else 5.',
  about: null,
  output: 'plain',
  options: {},
  examples: ['companion doctor', 'companion doctor --json'],
  run: async ({ io, values, connect }) => {
    const stranger = await connect({ key: null });
    const diagnosis = diagnose(await gatherFacts(io, stranger, hostCommand(io)));
    io.out(`${values.json ? JSON.stringify(diagnosis) : tellDiagnosis(diagnosis)}\n`);
    return diagnosis.ok ? EXIT.ok : EXIT.failed;
  },
});
