/** Catalogue → OpenRPC document, as `rpc.discover` answers it. */
import { ERRORS, type ErrorCode } from '../../protocol/errors.ts';
import { IMPLEMENTATION, PROTOCOL_VERSIONS } from '../../protocol/version.ts';
import { METHODS } from '../catalog.ts';
import { type Method, SCOPES_FOR } from '../define.ts';

/** What any method may answer. */
const SHARED_ERRORS: readonly ErrorCode[] = ['INVALID_PARAMS', 'INTERNAL_ERROR', 'UNSUPPORTED_PROTOCOL_VERSION'];
const KEY_ERRORS: readonly ErrorCode[] = ['UNAUTHENTICATED'];

interface ObjectSchema {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

function toMethodObject({ name, description, params, result, needs, errors }: Method): object {
  const { properties, required = [] } = params as unknown as ObjectSchema;
  const codes = [
    ...SHARED_ERRORS,
    ...(needs === 'nothing' ? [] : KEY_ERRORS),
    ...(SCOPES_FOR[needs].length > 0 ? (['FORBIDDEN'] as const) : []),
    ...(errors as ErrorCode[]),
  ];
  return {
    name,
    description,
    paramStructure: 'by-name',
    params: Object.entries(properties).map(([field, schema]) => ({
      name: field,
      required: required.includes(field),
      schema,
    })),
    result: { name: 'result', schema: result },
    errors: codes.map((code) => ({ code: ERRORS[code].rpcCode, message: code })),
  };
}

/** The OpenRPC document of all methods. The error number is in `code`; our stable code is in `message` here and in `error.data.code` on the wire. */
export const emitOpenRpc = (): object => ({
  openrpc: '1.3.2',
  info: {
    title: IMPLEMENTATION.name,
    version: PROTOCOL_VERSIONS[0],
    description:
      'Desktop companion protocol over HTTP/1.1 on a Unix socket: POST /rpc with the header Companion-Protocol.',
  },
  methods: (Object.values(METHODS) as unknown as Method[]).map(toMethodObject),
});
