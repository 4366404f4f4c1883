/** The words the page shares with the host name the maker of IDs; the page only reads IDs, so it needs no more of Node than this. */
declare module 'node:crypto' {
  export function randomBytes(size: number): Uint8Array & { toString(encoding: 'hex'): string };
  export function randomUUID(): string;
}
