/** The versions this implementation speaks; the four kinds of version stay apart (spec §7). */

/** Protocol versions, newest first, that a caller may name in the `Companion-Protocol` header. */
export const PROTOCOL_VERSIONS = ['0.1'] as const;

/** Lower-case name of the HTTP header that carries the protocol version. */
export const PROTOCOL_HEADER = 'companion-protocol';

/** What `runtime.describe` says about this program. */
export const IMPLEMENTATION = { name: 'companion', version: '0.1.0' } as const;
