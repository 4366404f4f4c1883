/** What the host, or the way to it, refuses, in the codes of the NDJSON interface (R10). */
import { PackError, type PackErrorCode } from '../../../server/packs/types.ts';
import { adviceFor } from '../../advice.ts';
import { CompanionError } from '../../companion-error.ts';
import { failed, type Outcome, refused, type World } from '../define.ts';

const CODES: Readonly<Record<string, PackErrorCode>> = {
  INVALID_PARAMS: 'E_INVALID_INPUT',
  UNSUPPORTED_CAPABILITY: 'E_INVALID_INPUT',
  UNSUPPORTED_STYLE: 'E_INVALID_INPUT',
  PAYLOAD_TOO_LARGE: 'E_INVALID_INPUT',
  PROFILE_AMBIGUOUS: 'E_INVALID_INPUT',
  UNAUTHENTICATED: 'E_PERMISSION',
  FORBIDDEN: 'E_PERMISSION',
  CREDENTIAL_MISSING: 'E_PERMISSION',
  CREDENTIAL_UNSAFE: 'E_PERMISSION',
  RUNTIME_UNAVAILABLE: 'E_PERMISSION',
  QUEUE_FULL: 'E_PERMISSION',
  RATE_LIMITED: 'E_PERMISSION',
  UNREACHABLE: 'E_NETWORK',
};
/** Not broken: the companion does not take this now. */
const REFUSALS: ReadonlySet<string> = new Set(['RUNTIME_UNAVAILABLE', 'QUEUE_FULL', 'RATE_LIMITED']);

/** Throws what is no CompanionError. */
export async function outcomeOfError(thrown: unknown, env: World['env']): Promise<Outcome> {
  if (!(thrown instanceof CompanionError)) throw thrown;
  const { code, message, details } = thrown;
  const advice = await adviceFor(thrown, env);
  // There is advice about a missing profile only when no companion runs either; that is what is to be mended first.
  const isAlone = code === 'CREDENTIAL_MISSING' && advice !== null;
  const said = isAlone
    ? 'UNREACHABLE: No companion runs here, and no program is paired with it yet.'
    : `${code}: ${message}${details === undefined ? '' : ` ${JSON.stringify(details)}`}`;
  const error = new PackError(isAlone ? 'E_NETWORK' : (CODES[code] ?? 'E_INTERNAL'), said, advice);
  return REFUSALS.has(code) ? refused(error) : failed(error);
}
