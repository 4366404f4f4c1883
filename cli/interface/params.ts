/** From `--args` and `--args-file` to parameters a capability may trust. Error: E_INVALID_INPUT. */
import { closeSync, openSync, readSync } from 'node:fs';
import { PackError } from '../../server/packs/types.ts';
import { isObject } from '../../server/protocol/json-object.ts';
import type { JsonObject } from '../../server/protocol/words.ts';
import type { AnyNdjsonCapability } from './define.ts';

/** Far more than any capability takes, and little enough for memory. */
const MAX_ARGS_BYTES = 1_048_576;
const LIST_HINT = 'run `companion interface --list` to see the full schema';

const invalid = (message: string, hint: string | null = null): PackError =>
  new PackError('E_INVALID_INPUT', message, hint);

function readBounded(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(MAX_ARGS_BYTES + 1);
    let length = 0;
    // Not one read: it may be a pipe.
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(file, bytes, length, bytes.length - length, null);
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/** The text of the file, without a byte order mark. */
export function readArgsFile(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readBounded(path);
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw invalid(`failed to read --args-file: ${path}: ${code}`);
  }
  if (bytes.length > MAX_ARGS_BYTES) {
    throw invalid(`failed to read --args-file: ${path}: more than ${MAX_ARGS_BYTES} bytes`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid(`failed to read --args-file: ${path}: not UTF-8`);
  }
}

/** Blank is `{}`. */
function parse(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    throw invalid('params is not valid JSON', LIST_HINT);
  }
}

/** Names of what must be there; an absent field and null are alike. */
function missingFields({ inputSchema }: AnyNdjsonCapability, params: JsonObject): readonly string[] {
  const required = (inputSchema.required ?? []) as readonly string[];
  return required.filter((name) => !Object.hasOwn(params, name) || params[name] === null);
}

/** The parameters in `text`, checked against the capability's schema. Only this capability's schema is ever compiled. */
export async function readParams(capability: AnyNdjsonCapability, text: string): Promise<JsonObject> {
  const value = parse(text);
  if (!isObject(value)) {
    throw invalid('params must be a JSON object', `params must be a JSON object — ${LIST_HINT}`);
  }
  const params = value as JsonObject;
  const missing = missingFields(capability, params);
  if (missing.length > 0) {
    const required = (capability.inputSchema.required as readonly string[]).join(', ');
    throw invalid(
      `missing required field(s): ${missing.join(', ')}`,
      `this capability requires: ${required} — ${LIST_HINT}`,
    );
  }
  const { wrongIn } = await import('./validate.ts');
  const wrong = wrongIn(capability, params);
  if (wrong !== null) throw invalid(wrong, LIST_HINT);
  return params;
}
