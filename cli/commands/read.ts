/** Commands that are one call without parameters and print its result as it came. */
import type { MethodName } from '../../server/registry/catalog.ts';
import { type Command, defineCommand, jsonAnswer } from '../command.ts';

type Reader = Extract<MethodName, 'characters.list' | 'capabilities.list' | 'styles.list'>;

/** The command of `method`, which needs a key and takes nothing. */
export const readCommand = (method: Reader): Command =>
  defineCommand({
    takes: [],
    summary: null,
    about: { method },
    output: 'json',
    options: {},
    examples: [`companion ${method.replace('.', ' ')} --json`],
    run: async ({ connect }) => jsonAnswer(await (await connect()).call(method, {})),
  });
