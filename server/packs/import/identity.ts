/** Makes the ID, names and other texts of an imported pack out of whatever its source calls itself. */
import { createHash } from 'node:crypto';
import { assertFreeId } from '../own-ids.ts';
import { giveUp } from './give-up.ts';

const PACK_ID = /^(?=.{3,128}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)+$/;
const MAX_SLUG = 48;

/** Lower-case letters and digits of a name; a name that has none is known by its digest. */
export function slugOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG)
    .replace(/^-+|-+$/g, '');
  return plain !== '' ? plain : `x${createHash('sha256').update(name.normalize('NFC')).digest('hex').slice(0, 10)}`;
}

export interface Identity {
  readonly id: string;
  readonly displayName: string;
}

/**
 * Without `wanted`, the source's own name, untouched. `wanted` that is a pack's ID (dotted) is that ID; anything else is
 * the name to be shown, and the ID follows it. Error: E_INVALID_INPUT.
 */
export function identify(format: string, name: string, wanted: string | null): Identity {
  if (wanted === null) return { id: `imported.${format}.${slugOf(name)}`, displayName: name };
  assertFreeId(wanted);
  if (PACK_ID.test(wanted)) return { id: wanted, displayName: name };
  if (wanted.trim() === '') giveUp('the new name is empty');
  return { id: `imported.${format}.${slugOf(wanted)}`, displayName: wanted.trim() };
}

/** One line of at most `max` UTF-16 units that cuts no character in two; `usual` when nothing can be seen of it. */
export function oneLine(text: string, max: number, usual: string): string {
  const line = text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  if (line === '') return usual;
  if (line.length <= max) return line;
  let cut = '';
  for (const character of line) {
    if (cut.length + character.length > max - 1) break;
    cut += character;
  }
  return `${cut}…`;
}

/** `1`, `v1.2` and `1.2.3-beta` are 1.0.0, 1.2.0 and 1.2.3. */
export function versionOf(text: string | null): string {
  const [, ...parts] = /^v?(\d{1,6})(?:\.(\d{1,6}))?(?:\.(\d{1,6}))?(?:$|[^\d])/.exec(text?.trim() ?? '') ?? [];
  return parts[0] === undefined ? '1.0.0' : parts.map((part) => Number(part ?? 0)).join('.');
}

/** What the source says, if it is written as SPDX does. */
export const licenseOf = (text: string | null): string =>
  text !== null && /^[A-Za-z0-9(][A-Za-z0-9.+:() -]{0,127}$/.test(text) ? text : 'LicenseRef-unknown';
