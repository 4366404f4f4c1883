/** How this installation starts the host as a process of its own. */
import type { Io } from '../io.ts';

/** A host that mostly waits needs no 16 MB for young garbage; this can only be said when Node starts, and saves 12 MB. */
const NODE_FLAGS = ['--max-semi-space-size=1'];

/** Node, its flags, the CLI's file and the verb. */
export function hostCommand({ program }: Pick<Io, 'program'>): readonly [node: string, ...words: string[]] {
  const [node, cli] = program();
  return [node, ...NODE_FLAGS, cli, 'serve'];
}
