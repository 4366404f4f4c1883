/** Passes on to the program the signals this process gets, each exactly once. */
import { isForeground } from './foreground.ts';
import { openWitness, type Witness } from './witness.ts';

const PASSED: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'];

/**
 * Calls `pass` for each signal that reaches this process and has not reached the program too. What is returned ends that:
 * from then on signals do what they do to any process.
 */
export function listenForSignals(pass: (signal: NodeJS.Signals) => void): () => void {
  // Only a terminal sends to whole groups as a matter of course.
  const witness: Witness | null = isForeground() ? openWitness() : null;
  const listener = async (signal: NodeJS.Signals): Promise<void> => {
    if (witness === null || !(await witness.saw(signal))) pass(signal);
  };
  for (const name of PASSED) process.on(name, listener);
  return () => {
    witness?.end();
    for (const name of PASSED) process.off(name, listener);
  };
}
