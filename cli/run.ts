/** From words to an exit code: finds the command, reads its options, runs it, prints one answer or one error (spec §6, R9). */
import { IMPLEMENTATION } from '../server/protocol/version.ts';
import { parseArguments } from './args.ts';
import type { Client } from './client/client.ts';
import type { Answer, Context, NamedCommand } from './command.ts';
import { COMMAND_NAMES, loadCommand } from './commands.ts';
import { CompanionError, usageError } from './companion-error.ts';
import { EXIT } from './exit-codes.ts';
import { errorLine, explain, toCompanionError } from './explain.ts';
import type { Io } from './io.ts';

/** The name of the command that `args` begin with. */
const findName = (args: readonly string[]): string | undefined =>
  COMMAND_NAMES.find((name) => name.split(' ').every((word, index) => args[index] === word));

const printLine = (io: Io, value: unknown): void => io.out(`${JSON.stringify(value)}\n`);

function printAnswer(io: Io, { json, plain, error }: Answer, asJson: boolean): number {
  if (asJson) printLine(io, json);
  else if (plain !== null) io.out(`${plain}\n`);
  if (error === null) return EXIT.ok;
  io.err(asJson ? `${JSON.stringify(error)}\n` : errorLine(error));
  return error.exitCode;
}

/** Help, version, or a command that does not exist. */
async function runWithoutCommand(args: readonly string[], io: Io): Promise<number> {
  const [first] = args;
  if (first === '--version') {
    io.out(`${IMPLEMENTATION.name} ${IMPLEMENTATION.version}\n`);
    return EXIT.ok;
  }
  const under = COMMAND_NAMES.filter((name) => name.startsWith(`${first} `));
  const asked = first === undefined || first === 'help' || args.includes('--help') || args.includes('-h');
  if (asked) {
    const { listHelp } = await import('./help.ts');
    io.out(listHelp(await Promise.all((under.length > 0 ? under : COMMAND_NAMES).map(loadCommand))));
    return EXIT.ok;
  }
  if (under.length > 0) {
    const verbs = under.map((name) => name.slice(name.indexOf(' ') + 1)).join(', ');
    throw usageError(`companion ${first} takes one of: ${verbs}.`, { help: `companion ${first} --help` });
  }
  throw usageError('There is no such command.', { help: 'companion --help' });
}

/** What a command is given to work with, and the end of what it has opened. */
function makeContext(
  io: Io,
  command: NamedCommand,
  { values, words }: { readonly values: object; readonly words: readonly string[] },
): { context: Context; close(): void } {
  const clients: Client[] = [];
  let interrupted: AbortController | null = null;
  const profile = (values as { 'credential-profile'?: string })['credential-profile'];
  const context: Context = {
    io,
    values,
    words,
    help: () => helpOf(command),
    commands: () => Promise.all(COMMAND_NAMES.map(loadCommand)),
    connect: async (options = {}) => {
      // Loaded by the first call: what talks to nobody starts sooner.
      const { connect } = await import('./client/client.ts');
      const client = await connect({ env: io.env, ...(profile !== undefined && { profile }), ...options });
      clients.push(client);
      return client;
    },
    interruption: () => {
      if (interrupted === null) {
        const controller = new AbortController();
        interrupted = controller;
        io.onInterrupt(() => controller.abort(new CompanionError('INTERRUPTED')));
      }
      return interrupted.signal;
    },
  };
  return {
    context,
    close: () => {
      for (const client of clients) client.close();
    },
  };
}

async function helpOf(command: NamedCommand): Promise<string> {
  const { commandHelp } = await import('./help.ts');
  return commandHelp(command);
}

/** Its options and as many words as it takes; null when only its help is wanted. Error: INVALID_PARAMS. */
function readArguments(command: NamedCommand, args: readonly string[]): Pick<Context, 'values' | 'words'> | null {
  const help = `companion ${command.name} --help`;
  let parsed: ReturnType<typeof parseArguments>;
  try {
    parsed = parseArguments(args, command.options, command.output === 'program');
  } catch (error) {
    throw error instanceof CompanionError ? usageError(error.message, { help }) : error;
  }
  if (parsed.values.help) return null;
  const isOpen = command.takes.at(-1)?.endsWith('…') ?? false;
  const fits = isOpen ? parsed.words.length >= command.takes.length - 1 : parsed.words.length === command.takes.length;
  if (!fits && command.output === 'program') {
    throw usageError(`It is not said what to run: companion ${command.name} -- ${command.takes.join(' ')}.`, { help });
  }
  if (!fits) {
    const takes = command.takes.length === 0 ? 'no words' : command.takes.join(' and ');
    throw usageError(`This command takes ${takes}; quote what has spaces.`, { help });
  }
  return parsed;
}

async function runCommand(command: NamedCommand, args: readonly string[], io: Io, asJson: boolean): Promise<number> {
  const given = command.output === 'own' ? { values: {}, words: args } : readArguments(command, args);
  if (given === null) {
    io.out(await helpOf(command));
    return EXIT.ok;
  }
  const { context, close } = makeContext(io, command, given);
  try {
    const answer = await command.run(context);
    return typeof answer === 'number' ? answer : printAnswer(io, answer, asJson);
  } finally {
    // Not at once: whoever ends the process with the exit code need not pay for it.
    setImmediate(close);
  }
}

/** Reports whether it could be printed: standard output may be the very thing that failed. */
function triesToPrint(print: () => void): boolean {
  try {
    print();
    return true;
  } catch {
    return false;
  }
}

/** Runs one command line and returns its exit code. Never throws. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const name = findName(args);
  const command = name === undefined ? undefined : await loadCommand(name);
  const output = command?.output ?? 'plain';
  const asJson = output !== 'program' && (output !== 'plain' || args.includes('--json'));
  try {
    if (command === undefined) return await runWithoutCommand(args, io);
    return await runCommand(command, args.slice(command.name.split(' ').length), io, asJson);
  } catch (thrown) {
    const error = toCompanionError(thrown);
    const isTold = asJson && triesToPrint(() => printLine(io, error));
    if (!isTold || output === 'dialogue') await explain(io, error);
    return error.exitCode;
  }
}
