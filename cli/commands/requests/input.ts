/** Reads a method's parameters from a file; they are checked by the host, once and for everybody. */
import { isObject } from '../../../server/protocol/json-object.ts';
import { usageError } from '../../companion-error.ts';
import type { Io } from '../../io.ts';

export const FILE_OPTION = {
  file: { kind: 'text', value: 'FILE', help: 'JSON file with the parameters; - reads standard input' },
} as const;

/** The JSON object in `file`. Error: INVALID_PARAMS, which never repeats what it read. */
export async function readParams(io: Io, file: string | undefined): Promise<Readonly<Record<string, unknown>>> {
  if (file === undefined) throw usageError('--file FILE is needed; - reads standard input.');
  let value: unknown;
  try {
    value = JSON.parse((await io.readInput(file)).replace(/^\ufeff/, ''));
  } catch (error) {
    if (error instanceof SyntaxError) throw usageError('The input is not JSON.');
    throw error;
  }
  if (!isObject(value)) {
    throw usageError('The input is not a JSON object.');
  }
  return { ...value };
}
