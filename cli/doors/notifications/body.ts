/** The body of a desktop notification as plain text: its markup is taken off, never shown and never acted on. Desktop Notifications 1.2. */

/** More than can be shown; whatever is sent, no more is looked at. */
const LOOKED_AT = 20_000;

/** The tags of the specification and what toolkits send beside them. Anything else in angle brackets is text. */
const BREAK = /<(?:br|\/p|\/div|\/li)\b[^<>]*>/gi;
const IMAGE = /<img\b[^<>]*>/gi;
const ALT = /\balt\s*=\s*(?:"([^"]*)"|'([^']*)')/i;
const TAG =
  /<\/?(?:a|b|big|code|div|em|font|html|body|i|li|p|pre|qt|s|small|span|strike|strong|sub|sup|tt|u|ul|ol)\b[^<>]*>/gi;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos|nbsp));/gi;

function fromCode(code: number, otherwise: string): string {
  return code <= 0x10_ffff ? String.fromCodePoint(code) : otherwise;
}

const decode = (text: string): string =>
  text.replace(ENTITY, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()]!;
    return fromCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16), whole);
  });

/** The text a reader is meant to see. What is no markup stays as it is. */
export function plainBody(body: string): string {
  const bare = body
    .slice(0, LOOKED_AT)
    .replace(IMAGE, (tag) => ALT.exec(tag)?.slice(1).find(Boolean) ?? '')
    .replace(BREAK, '\n')
    .replace(TAG, '');
  // Last: a tag that was written as text becomes no tag.
  return decode(bare);
}
