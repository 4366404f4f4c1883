/** Where this process was started from, as far as its surroundings tell; the shell client tells the same. */
import { type Origin, readOrigin } from '../../../server/protocol/origin.ts';

const PTS_MAJOR = 136;
const LAST_PTS_MAJOR = 143;

/** The controlling terminal in a line of `/proc/PID/stat` (proc(5), field 7); undefined for none, or one of another kind. */
function ttyOf(stat: string): string | undefined {
  // The second field, a name, may hold anything; the last bracket ends it.
  const number = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[4]);
  const major = (number >> 8) & 0xfff;
  if (!(major >= PTS_MAJOR && major <= LAST_PTS_MAJOR)) return undefined;
  return `pts/${((major - PTS_MAJOR) << 8) + (number & 0xff)}`;
}

/** `stat`: the process's own line, or '' where there is none. */
export const tellOrigin = (env: Readonly<Record<string, string | undefined>>, stat: string): Origin =>
  readOrigin({
    tty: ttyOf(stat),
    tmuxPane: env.TMUX_PANE,
    tmuxServer: env.TMUX_PANE && env.TMUX?.split(',', 1)[0]?.split('/').at(-1),
    windowId: env.WINDOWID,
    terminal: env.TERM_PROGRAM,
  });
