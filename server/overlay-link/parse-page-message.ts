/** Reads what the page sends as if anybody had sent it: known shapes with bounded texts pass, everything else is null. */
import { isObject } from '../protocol/json-object.ts';
import type { PageMessage } from '../protocol/link.ts';
import { FULL_SCREEN_POLICIES } from '../protocol/window.ts';
import { LANGUAGES, SCOPES, STYLE_IDS } from '../protocol/words.ts';

/** Characters of an ID, a name and an answer that may come in; the registry checks answers again, precisely. */
const MAX_ID = 64;
const MAX_NAME = 64;
const MAX_ANSWER_JSON = 32_768;
const MAX_SHOWN = 8;
/** Characters of a character's ID, of the folder of its files, and of one of their names. */
const MAX_CHARACTER = 128;
const MAX_FOLDER = 256;
const MAX_FILE = 128;

type Check = (value: unknown) => boolean;
type Shape = Readonly<Record<string, Check>>;

const text =
  (max: number): Check =>
  (value) =>
    typeof value === 'string' && value.length <= max;
const id: Check = (value) => text(MAX_ID)(value) && value !== '';
const flag: Check = (value) => typeof value === 'boolean';
const whole =
  (min: number, max: number): Check =>
  (value) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
const oneOf =
  (words: readonly unknown[]): Check =>
  (value) =>
    words.includes(value);
const nullOr =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const listOf =
  (check: Check, max: number): Check =>
  (value) =>
    Array.isArray(value) && value.length <= max && value.every(check);
const answer: Check = (value) => isObject(value) && JSON.stringify(value).length <= MAX_ANSWER_JSON;

const SETTINGS: Shape = {
  access: flag,
  hidden: flag,
  paused: flag,
  doNotDisturb: flag,
  sizePercent: whole(50, 300),
  reduceMotion: nullOr(flag),
  language: nullOr(oneOf(LANGUAGES)),
  style: oneOf(STYLE_IDS),
  fullScreen: oneOf(FULL_SCREEN_POLICIES),
  sounds: flag,
};
const patch: Check = (value) =>
  isObject(value) &&
  Object.entries(value).every(([name, given]) => Object.hasOwn(SETTINGS, name) && SETTINGS[name]!(given));

const counter = whole(0, Number.MAX_SAFE_INTEGER);

const SHAPES: {
  readonly [Type in PageMessage['type']]: Readonly<
    Record<Exclude<keyof Extract<PageMessage, { type: Type }>, 'type'>, Check>
  >;
} = {
  ready: { systemReducedMotion: flag },
  systemReducedMotion: { on: flag },
  painted: { seq: counter, requestIds: listOf(id, MAX_SHOWN) },
  answer: { requestId: id, result: answer },
  decline: { requestId: id },
  dismiss: { requestId: id },
  control: { requestId: id, action: oneOf(['pause', 'resume', 'cancel']) },
  clipEnded: { requestId: id },
  hold: { requestId: nullOr(id) },
  leaf: {},
  approve: { pairingId: id, name: text(MAX_NAME), scopes: listOf(oneOf(SCOPES), SCOPES.length) },
  deny: { pairingId: id },
  settings: { patch },
  choose: { character: text(MAX_CHARACTER) },
  open: { page: oneOf(['access', 'answers', 'characters']) },
  rename: { clientId: id, name: text(MAX_NAME) },
  revoke: { clientId: id },
  erase: { clientId: nullOr(id) },
  session: { key: id },
  trouble: { where: text(200) },
  broken: { folder: text(MAX_FOLDER), file: text(MAX_FILE) },
  pong: { n: counter },
};

/** The message in `json`, or null when it is not exactly one of the page's messages. */
export function parsePageMessage(json: string): PageMessage | null {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return null;
  }
  if (!isObject(value) || typeof value.type !== 'string' || !Object.hasOwn(SHAPES, value.type)) return null;
  const shape: Shape = SHAPES[value.type as PageMessage['type']];
  const names = Object.keys(value).filter((name) => name !== 'type');
  const fits =
    names.every((name) => Object.hasOwn(shape, name)) && Object.keys(shape).every((name) => shape[name]!(value[name]));
  return fits ? (value as unknown as PageMessage) : null;
}
