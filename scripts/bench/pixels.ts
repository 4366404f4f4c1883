/** Rows 7 to 9: from a program's wish to pixels, and from the user's click back to the program. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Client } from '../../cli/client/client.ts';
import type { Bench, Section } from './bench.ts';
import { type Companion, keepKey } from './companion.ts';
import type { Desk } from './desk.ts';
import { type Figure, judge, notMeasured } from './figure.ts';
import { bootNode, CLI, DIST, end, missing, run, start, which } from './programs.ts';
import { interleave, percentile, sleep } from './stats.ts';
import { openScreen, overlap, type Rect, type Screen } from './x-screen.ts';

const ROWS = [7, 8, 9];
/** Smaller changes are carets and corners, not a card. */
const MIN_AREA = 200;
const MIN_WINDOW = { width: 40, height: 20 };
const LIMIT_MS = 10_000;
const SETTLE_MS = 250;
const FRAME_MS = 1000 / 60;
const FAST = join(DIST, 'companion-fast');
const PROFILE = 'bench';
const NAMED = ['--credential-profile', PROFILE];
const TEXT = 'Deploy build 4711 to staging now?';
const QUESTION = {
  capability: 'interaction.choose',
  params: {
    title: TEXT,
    options: [
      { id: 'deploy', label: 'Deploy' },
      { id: 'later', label: 'Later' },
    ],
  },
};

/** Rejects when `event` has not come within a bound. */
function within<Value>(what: string, event: (resolve: (value: Value) => void) => void): Promise<Value> {
  return new Promise((resolve, reject) => {
    const bound = setTimeout(() => reject(new Error(`never seen: ${what}`)), LIMIT_MS);
    event((value) => {
      clearTimeout(bound);
      resolve(value);
    });
  });
}

const isLarge = ({ width, height }: Rect): boolean => width * height >= MIN_AREA;

/** Resolves to the instant at which pixels change inside `place`. */
const paintedIn = (screen: Screen, place: Rect): Promise<number> =>
  within('pixels of the card', (resolve) => {
    screen.onDamage = (area) => {
      if (isLarge(area) && overlap(area, place)) resolve(performance.now());
    };
  });

interface Appearance {
  readonly window: number;
  readonly place: Rect;
  readonly at: number;
}

/** Resolves when a new window has mapped and pixels change inside it. */
const paintedWindow = (screen: Screen): Promise<Appearance> =>
  within('a new window', (resolve) => {
    let seen: { window: number; place: Rect } | null = null;
    screen.onMap = (window, place) => {
      if (place.width >= MIN_WINDOW.width && place.height >= MIN_WINDOW.height) seen = { window, place };
    };
    screen.onDamage = (area) => {
      if (seen !== null && isLarge(area) && overlap(area, seen.place)) resolve({ ...seen, at: performance.now() });
    };
  });

const unmapped = (screen: Screen, window: number): Promise<void> =>
  within('the window going', (resolve) => {
    screen.onUnmap = (gone) => {
      if (gone === window) resolve();
    };
  });

/** Milliseconds from the start of notify-send to the pixels of dunst's window. */
async function notifySend(screen: Screen, { env }: Desk): Promise<number> {
  const painted = paintedWindow(screen);
  const startedAt = performance.now();
  start('notify-send', [TEXT, 'body'], { env, stdio: 'ignore' });
  const { window, at } = await painted;
  const gone = unmapped(screen, window);
  await run('dunstctl', ['close-all'], env);
  await gone;
  return at - startedAt;
}

/** Milliseconds from exec to pixels, and from the Return key to the end of the program. */
async function zenity(screen: Screen, { env }: Desk): Promise<{ paint: number; answer: number }> {
  const painted = paintedWindow(screen);
  const startedAt = performance.now();
  const child = start('zenity', ['--question', '--text', TEXT], { env, stdio: 'ignore' });
  const ended = new Promise<number>((resolve) => child.once('exit', () => resolve(performance.now())));
  const { place, at } = await painted;
  screen.point(place.x + place.width / 2, place.y + place.height / 2);
  await sleep(SETTLE_MS);
  const answeredAt = performance.now();
  screen.pressReturn();
  const bound = setTimeout(() => end(child), LIMIT_MS);
  const endedAt = await ended;
  clearTimeout(bound);
  return { paint: at - startedAt, answer: endedAt - answeredAt };
}

/** Where an element of the page lies on the screen. */
const placeOf = async (companion: Companion, selector: string): Promise<Rect> =>
  (await companion.ask(
    'evaluate',
    `(() => {
      const box = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
      const left = screenX + (outerWidth - innerWidth) / 2;
      const top = screenY + outerHeight - innerHeight;
      const whole = { x: box.x + left, y: box.y + top, width: box.width, height: box.height };
      return Object.fromEntries(Object.entries(whole).map(([name, value]) => [name, Math.round(value)]));
    })()`,
  )) as Rect;

const cardOf = (requestId: string): string => `[data-request-id="${requestId}"]`;

/** Ends a request and waits until its card is off the screen. */
async function clear(companion: Companion, client: Client, requestId: string): Promise<void> {
  await client.cancel(requestId);
  for (let turn = 0; turn < 100; turn += 1) {
    if (await companion.ask('evaluate', `document.querySelector('${cardOf(requestId)}') === null`)) break;
    await sleep(20);
  }
  await sleep(SETTLE_MS);
}

/** Milliseconds from `send` to the pixels of the card it makes. */
async function toPixels(
  { screen, companion, client }: { screen: Screen; companion: Companion; client: Client },
  place: Rect,
  send: () => Promise<string>,
): Promise<number> {
  const painted = paintedIn(screen, place);
  const startedAt = performance.now();
  const sent = send();
  const at = await painted;
  await clear(companion, client, await sent);
  return at - startedAt;
}

/** Milliseconds from the user's click to the durable answer in the waiting caller's hands. */
async function click(screen: Screen, companion: Companion, client: Client): Promise<number> {
  let snapshot = await client.create(QUESTION);
  const { requestId } = snapshot;
  while (snapshot.status !== 'awaiting_user')
    snapshot = await client.wait(requestId, { afterRevision: snapshot.revision, waitMs: LIMIT_MS });
  // The page is told where it is only after its window has been laid.
  await sleep(SETTLE_MS);
  const { x, y, width, height } = await placeOf(companion, '[data-option-id="deploy"]');
  screen.point(x + width / 2, y + height / 2);
  const answer = client.wait(requestId, { afterRevision: snapshot.revision, waitMs: LIMIT_MS });
  await sleep(SETTLE_MS);
  const clickedAt = performance.now();
  screen.click();
  const { status } = await answer;
  const at = performance.now();
  if (status !== 'completed') throw new Error(`the click led to ${status}`);
  screen.point(0, 0);
  await sleep(SETTLE_MS);
  return at - clickedAt;
}

async function measure(bench: Bench): Promise<Figure[]> {
  const { desk } = bench;
  if (typeof desk === 'string') return ROWS.map((row) => notMeasured(row, 'pixels and clicks', desk));
  const companion = await bench.companion();
  const { client, key, clientId } = await companion.pair();
  const screen = await openScreen(desk.display);
  keepKey(companion.env, PROFILE, { key, clientId, scopes: ['notify'] });
  const env = { ...process.env, ...companion.env };
  const notify = async (): Promise<string> => {
    const printed = await run(process.execPath, [CLI, 'notify', TEXT, '--json', ...NAMED], env);
    return (JSON.parse(printed) as { requestId: string }).requestId;
  };
  // It prints nothing; who asks again with the same key is told which request it was.
  const fastNotify = async (): Promise<string> => {
    const idempotencyKey = randomUUID();
    await run('sh', [FAST, 'notify', TEXT, '--idempotency-key', idempotencyKey, ...NAMED], env);
    return (await client.create({ capability: 'notice.show', params: { text: TEXT }, idempotencyKey })).requestId;
  };
  const create = async (): Promise<string> =>
    (await client.create({ capability: 'notice.show', params: { text: TEXT } })).requestId;
  const wholeNotify = async (): Promise<number> => {
    const startedAt = performance.now();
    const requestId = await notify();
    const took = performance.now() - startedAt;
    await clear(companion, client, requestId);
    return took;
  };

  // The same text always lands in the same place; one rehearsal tells where.
  const rehearsal = await create();
  await sleep(2 * SETTLE_MS);
  const place = await placeOf(companion, cardOf(rehearsal));
  await clear(companion, client, rehearsal);
  const using = { screen, companion, client };
  const taken = await interleave(bench.quick ? 8 : 25, {
    peer: async () => (desk.noPeer === null ? notifySend(screen, desk) : Number.NaN),
    zenity: async () => (which('zenity') ? zenity(screen, desk) : { paint: Number.NaN, answer: Number.NaN }),
    open: () => toPixels(using, place, create),
    boot: bootNode,
    command: wholeNotify,
    commandPixels: () => toPixels(using, place, notify),
    fastPixels: () => toPixels(using, place, fastNotify),
    click: () => click(screen, companion, client),
  });
  screen.close();
  client.close();
  return figures(taken, desk);
}

interface Taken {
  readonly peer: number[];
  readonly zenity: { paint: number; answer: number }[];
  readonly open: number[];
  readonly boot: number[];
  readonly command: number[];
  readonly commandPixels: number[];
  readonly fastPixels: number[];
  readonly click: number[];
}

function figures({ peer, zenity, open, boot, command, commandPixels, fastPixels, click }: Taken, desk: Desk): Figure[] {
  const noZenity = missing('zenity');
  const bootAndPixels = boot.map((ms, round) => 1.3 * ms + open[round]!);
  return [
    desk.noPeer === null
      ? judge({
          row: 7,
          name: 'create on an open connection to pixels, p50',
          unit: 'ms',
          floorName: 'notify-send + dunst',
          floor: peer,
          product: open,
          goal: { ratioAtMost: 0.55 },
        })
      : notMeasured(7, 'create to pixels / notify-send', desk.noPeer),
    judge({
      row: 7,
      name: 'create on an open connection to pixels, p50',
      unit: 'ms',
      product: open,
      goal: { atMost: Number(FRAME_MS.toFixed(1)) },
    }),
    judge({
      row: 7,
      name: 'create on an open connection to pixels, p95',
      unit: 'ms',
      product: [percentile(open, 0.95)],
      goal: { atMost: Number((2 * FRAME_MS).toFixed(1)) },
    }),
    judge({
      row: 8,
      name: '`companion notify`, whole process',
      unit: 'ms',
      floorName: 'node -e 0',
      floor: boot,
      product: command,
      goal: { ratioAtMost: 1.4 },
    }),
    judge({
      row: 8,
      name: '`companion notify`, exec to pixels',
      unit: 'ms',
      floorName: '1.3 x node -e 0 + row 7',
      floor: bootAndPixels,
      product: commandPixels,
      goal: { ratioAtMost: 1 },
    }),
    noZenity === null
      ? judge({
          row: 8,
          name: '`companion notify`, exec to pixels',
          unit: 'ms',
          floorName: 'zenity',
          floor: zenity.map(({ paint }) => paint),
          product: commandPixels,
          goal: { ratioAtMost: 0.7 },
        })
      : notMeasured(8, '`companion notify` / zenity', noZenity),
    desk.noPeer === null
      ? judge({
          row: 8,
          name: '`companion-fast notify`, exec to pixels',
          unit: 'ms',
          floorName: 'notify-send + dunst',
          floor: peer,
          product: fastPixels,
          goal: { ratioAtMost: 1.6 },
        })
      : notMeasured(8, '`companion-fast notify` / notify-send', desk.noPeer),
    judge({
      row: 9,
      name: 'click to the durable answer, p95',
      unit: 'ms',
      product: [percentile(click, 0.95)],
      goal: { atMost: 33 },
    }),
    noZenity === null
      ? judge({
          row: 9,
          name: 'click to the durable answer, p50',
          unit: 'ms',
          floorName: 'zenity, Return to exit',
          floor: zenity.map(({ answer }) => answer),
          product: click,
          goal: { ratioAtMost: 0.85 },
        })
      : notMeasured(9, 'click to answer / zenity', noZenity),
  ];
}

export const pixels: Section = { rows: ROWS, measure };
