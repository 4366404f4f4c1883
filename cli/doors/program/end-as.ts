/** Ends this process as the program ended, so that whoever started it sees no difference. */
import { type Exit, exitCodeOf } from './exit.ts';

/** Signals after which nothing but the end is left; of those that leave a memory image, the program's own is enough. */
const REPEATED: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'];

/** Ends this process by the same signal where it can; else returns the exit code to end with. */
export function endAs(exit: Exit): number {
  if (exit.signal !== null && REPEATED.includes(exit.signal)) process.kill(process.pid, exit.signal);
  return exitCodeOf(exit);
}
