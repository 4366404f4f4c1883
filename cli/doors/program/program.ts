/** One program, run exactly as it was typed: its output passes through, what is to be read of it is read on the way. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Io } from '../../io.ts';
import type { Exit } from './exit.ts';
import { type Input, openInput } from './input.ts';
import { openPassage, type Passage } from './passage.ts';
import { makePipes, type Pipe } from './pipes.ts';
import { listenForSignals } from './signals.ts';

export type OutputName = 'stdout' | 'stderr';

/** Who is given a program's output while it passes; keeps nothing of `bytes`. */
export type Look = (stream: OutputName, bytes: Buffer) => void;

export interface Plan {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Io['env'];
  /** What is read of its output; the rest it has as this process has it. */
  readonly reads: readonly OutputName[];
  /** Its standard input is in our hands, so that answers can go there. */
  readonly feeds: boolean;
  readonly look: Look;
}

export interface Program {
  /** null: it has this process's own standard input. */
  readonly input: Input | null;
  /** Sends a signal, to it alone. */
  kill(signal: NodeJS.Signals): void;
  /** When the process has ended. */
  readonly exited: Promise<Exit>;
  /** When its output is through, too. */
  readonly ended: Promise<Exit>;
}

/** The program could not be started; `exitCode` as shells have it: 127 not found, 126 found and not to be run. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly exitCode: 126 | 127;
  constructor(cause: string | undefined) {
    super(cause === 'ENOENT' ? 'it was not found' : `it cannot be run (${cause ?? 'unknown cause'})`);
    this.exitCode = cause === 'ENOENT' ? 127 : 126;
  }
}

/** After the end of the process: silent for so long means that all of its own output has been read. */
const QUIET_MS = 100;
/** What others that still hold the pipe may say after its end. */
const AFTERWARDS_MS = 2_000;
const FD = { stdout: 1, stderr: 2 } as const;

const closeAll = (fds: readonly number[]): void => {
  for (const fd of fds) closeSync(fd);
};

/** Resolves when the passages have ended, or, because somebody else still holds the pipe, nothing of the program's can be left in it. */
async function drain(passages: readonly Passage[]): Promise<void> {
  const all = Promise.all(passages.map(({ ended }) => ended));
  let isDone = false;
  all.then(() => {
    isDone = true;
  });
  const carried = (): number => passages.reduce((sum, { bytes }) => sum + bytes, 0);
  for (let before = -1, leftMs = AFTERWARDS_MS; !isDone; leftMs -= QUIET_MS) {
    await Promise.race([all, new Promise((resolve) => setTimeout(resolve, QUIET_MS))]);
    const isHeldUp = passages.some((passage) => passage.isHeldUp);
    if (!isHeldUp && (carried() === before || leftMs <= 0)) break;
    before = carried();
  }
  for (const passage of passages) passage.stop();
  await all;
}

/** Starts it and has its signals passed on. Errors: StartError. */
export async function startProgram(plan: Plan): Promise<Program> {
  const { command, args, env, reads, feeds, look } = plan;
  const wanted = [...(feeds ? ['stdin' as const] : []), ...reads];
  const pipes = wanted.length === 0 ? [] : makePipes(wanted.length, env.XDG_RUNTIME_DIR);
  // Without pipes nothing can be read, but the program runs.
  if (pipes === null) return startProgram({ ...plan, reads: [], feeds: false });
  const pipeOf = (name: (typeof wanted)[number]): Pipe | undefined => pipes[wanted.indexOf(name)];
  const theirs = [pipeOf('stdin')?.readFd, pipeOf('stdout')?.writeFd, pipeOf('stderr')?.writeFd];
  const ours = pipes.flatMap(({ readFd, writeFd }) => [readFd, writeFd]).filter((fd) => !theirs.includes(fd));
  let child: ChildProcess;
  try {
    child = spawn(command, args, { env, stdio: theirs.map((fd) => fd ?? 'inherit') });
    await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  } catch (error) {
    closeAll(ours);
    // Node refuses an empty name by itself; there is no such program.
    throw new StartError(command === '' ? 'ENOENT' : (error as NodeJS.ErrnoException).code);
  } finally {
    closeAll(theirs.filter((fd) => fd !== undefined));
  }
  const passages = reads.map((name) => openPassage(pipeOf(name)!.readFd, FD[name], (bytes) => look(name, bytes)));
  const input = feeds ? openInput(pipeOf('stdin')!.writeFd) : null;
  const kill = (signal: NodeJS.Signals): void => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
  };
  const stopListening = listenForSignals(kill);
  const exited = new Promise<Exit>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  const ended = exited.then(async (exit) => {
    input?.close();
    // From now on nothing stands between a signal and this process.
    stopListening();
    await drain(passages);
    return exit;
  });
  return { input, kill, exited, ended };
}
