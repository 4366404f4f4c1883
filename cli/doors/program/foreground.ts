/** Whether this process is what its terminal listens to: then Ctrl-C goes to it and to all it has started, at once. */
import { readFileSync } from 'node:fs';

/** Reports it; false without a terminal, and in the background. */
export function isForeground(): boolean {
  try {
    // The name in parentheses may hold anything; state, parent, group, session, terminal and the terminal's group follow.
    const stat = readFileSync('/proc/self/stat', 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    const [, , group, , terminal, heard] = stat;
    return terminal !== '0' && group === heard;
  } catch {
    return false;
  }
}
