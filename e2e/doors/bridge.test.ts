import { Variant } from '@particle/dbus-next';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONTROL_SCOPE } from '../../server/protocol/words.ts';
import { isInstalled } from '../desktop/processes.ts';
import { type Env, endAll, finish, type Started, startCli, startProgram } from '../faults/processes.ts';
import { openShell, type Shell } from '../faults/shell.ts';
import { enableAccess, press } from '../faults/user.ts';
import { type LaunchedCompanion, launchCompanion, until } from '../harness.ts';
import { openSpeaker, type SessionBus, type Speaker, startBus } from './session-bus.ts';

const NAME = 'org.freedesktop.Notifications';
const CLOSED = 'NotificationClosed';
const STARTED = 'shows the notifications of this session';

let bus: SessionBus;
let companion: LaunchedCompanion;
let shell: Shell;
let bridge: Started;
let speaker: Speaker;

const startBridge = async (): Promise<Started> => {
  const program = shell.start('bridge', 'notifications');
  await until('the bridge stands', () => program.err().includes(STARTED) || program.child.exitCode !== null);
  expect(program.err()).toContain(STARTED);
  return program;
};

beforeAll(async () => {
  bus = await startBus();
  companion = await launchCompanion();
  await enableAccess(companion.page);
  shell = openShell(companion, bus.env);
  const own = ['--credential-profile', 'notifications'];
  expect((await shell.pair('Desktop notifications', ['notify', 'interact'], ...own)).code).toBe(0);
  expect((await shell.pair('script', ['notify', 'interact'])).code).toBe(0);
  expect((await shell.pair('My control', [CONTROL_SCOPE])).code).toBe(0);
  bridge = await startBridge();
  speaker = await openSpeaker(bus.join());
});
afterAll(async () => {
  await endAll();
  await companion?.stop();
  await bus?.end();
});

interface Card {
  readonly id: string;
  readonly view: string;
  readonly tone: string;
  readonly client: string;
  readonly text: string;
}

/** The cards that are shown, as a reader sees them. */
const cards = async (): Promise<readonly Card[]> =>
  (await companion.page.evaluate(`[...document.querySelectorAll('[data-request-id]')].map((card) => ({
    id: card.dataset.requestId, view: card.dataset.view, tone: card.dataset.tone, client: card.dataset.client, text: card.innerText,
  }))`)) as readonly Card[];
const cardWith = (text: string): Promise<Card> =>
  until(`a card “${text}”`, async () => (await cards()).find((card) => card.text.includes(text)));
/** Closes what is left on the page. */
const clear = (): Promise<unknown> =>
  until('all cards are closed', async () => {
    await companion.page.click('[data-request-id] [data-action="dismiss"]').catch(() => {});
    return (await cards()).length === 0;
  });
const noCards = (): Promise<unknown> => until('no card is left', async () => (await cards()).length === 0);
const pressOn = (card: Card, selector: string): Promise<void> =>
  press(companion.page, `[data-request-id="${card.id}"] ${selector}`);
/** Signals about that notification. */
const about = (id: number): readonly (readonly unknown[])[] => speaker.heard.filter(([, number]) => number === id);
const closed = (id: number): Promise<unknown> =>
  until(`${id} is closed`, () => about(id).find(([signal]) => signal === CLOSED)?.[2]);

/** The user's own switches. */
const flip = async (...line: readonly string[]): Promise<void> => {
  expect((await shell.run(...line)).code).toBe(0);
};

describe('what it says of itself', () => {
  it('is what is true of it', async () => {
    expect(await speaker.call('GetCapabilities')).toEqual([['actions', 'body']]);
    const [[name, vendor, version, specification]] = [await speaker.call('GetServerInformation')];
    expect([name, vendor, specification]).toEqual(['companion', 'companion', '1.2']);
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('can be looked up as any object on a bus', async () => {
    const object = await bus.join().getProxyObject(NAME, '/org/freedesktop/Notifications');
    expect(Object.keys(object.interfaces)).toContain(NAME);
  });
});

describe('a notification', () => {
  it('is shown as plain text under the name of the bridge, whatever it calls itself', async () => {
    const id = await speaker.notify({
      app: '<b>companion</b>',
      summary: 'New <i>mail</i>',
      body: '<b>From</b> Tom &amp; Jerry<br><img src="x" alt="a cat">',
      hints: { urgency: new Variant('y', 2), 'image-data': new Variant('s', 'junk'), __proto__x: new Variant('i', 1) },
    });
    const card = await cardWith('Tom & Jerry');
    expect(card).toMatchObject({ view: 'notice', tone: 'warning' });
    expect(card.client).toContain('Desktop notifications');
    expect(card.text).toContain('<b>companion</b>: New <i>mail</i>');
    expect(card.text).toContain('From Tom & Jerry\na cat');
    await speaker.call('CloseNotification', 'u', [id]);
    expect(await closed(id)).toBe(3);
    await noCards();
  });

  it('tells why it closed: time, the user, a call', async () => {
    const [timed, dismissed] = [
      await speaker.notify({ summary: 'timed', expireMs: 1_000 }),
      await speaker.notify({ summary: 'by hand', expireMs: 0 }),
    ];
    await pressOn(await cardWith('by hand'), '[data-action="dismiss"]');
    expect([await closed(timed), await closed(dismissed)]).toEqual([1, 2]);
    expect(about(timed)).toHaveLength(1);
  });

  it('takes the place of the one it replaces, with its number', async () => {
    const id = await speaker.notify({ summary: 'volume 10', expireMs: 0 });
    await cardWith('volume 10');
    expect(await speaker.notify({ summary: 'volume 20', expireMs: 0, replaces: id })).toBe(id);
    await cardWith('volume 20');
    await until('the first has gone', async () => !(await cards()).some(({ text }) => text.includes('volume 10')));
    expect(about(id)).toEqual([]);
    await speaker.call('CloseNotification', 'u', [id]);
    expect(await closed(id)).toBe(3);
  });

  it('with actions is a question; the one that is picked is told first', async () => {
    const id = await speaker.notify({ summary: 'Call', actions: ['default', '', 'take', 'Take it', 'odd'] });
    const card = await cardWith('Call');
    expect(card.view).toBe('choice');
    await pressOn(card, '[data-option-id="action-1"]');
    expect(await closed(id)).toBe(2);
    expect(about(id)).toEqual([
      ['ActionInvoked', id, 'take'],
      [CLOSED, id, 2],
    ]);
  });

  it('with one action can be dismissed without it', async () => {
    const id = await speaker.notify({ summary: 'One action', actions: ['default', 'Show'] });
    await pressOn(await cardWith('One action'), '[data-option-id="dismiss"]');
    expect(await closed(id)).toBe(2);
    expect(about(id)).toHaveLength(1);
  });

  it('that nobody knows can be closed without harm', async () => {
    expect(await speaker.call('CloseNotification', 'u', [4_000_000_000])).toEqual([]);
  });

  it('that the companion does not show is an error or is closed, never kept back silently', async () => {
    await flip('dnd', 'on');
    const id = await speaker.notify({ summary: 'not now' });
    expect(await closed(id)).toBe(4);
    await flip('dnd', 'off');
    const open = await speaker.notify({ summary: 'open while it is hidden', expireMs: 0 });
    await cardWith('open while');
    await flip('hide');
    expect(await closed(open)).toBe(4);
    await expect(speaker.notify({ summary: 'secret words' })).rejects.toMatchObject({
      type: 'org.freedesktop.DBus.Error.Failed',
      text: expect.stringMatching(/^RUNTIME_UNAVAILABLE: (?!.*secret).*\(hidden\)$/),
    });
    await flip('show');
  });

  it('in a flood gets a number or an error, and nothing is lost or left behind', async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) => speaker.notify({ summary: `flood ${index}`, expireMs: 1_000 })),
    );
    const ids = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason.type] : []));
    expect(ids.length).toBeGreaterThan(20);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(refused)).toEqual(new Set(['org.freedesktop.DBus.Error.LimitsExceeded']));
    for (const id of ids) await closed(id);
    expect(ids.map((id) => about(id).length)).toEqual(ids.map(() => 1));
    await noCards();
  }, 60_000);
});

const real = isInstalled('notify-send');

describe.skipIf(!real)('notify-send and companion notify-send (skipped where the first is not installed)', () => {
  type Deed = (card: Card) => Promise<void>;
  const pick =
    (option: number): Deed =>
    (card) =>
      pressOn(card, `[data-option-id="action-${option}"]`);
  const dismiss: Deed = (card) => pressOn(card, '[data-action="dismiss"]');
  const six = Array.from({ length: 6 }, (_, index) => ['-A', `n${index}=Number ${index}`]).flat();
  const tick: Deed = async (card) => {
    const option = `[data-request-id="${card.id}"] [data-option-id="action-4"]`;
    await companion.page.click(option);
    await companion.page.waitForSelector(`${option}[aria-checked="true"]`);
    await pressOn(card, '[data-action="submit"]');
  };

  /** What both print and end with, when the user does this as soon as the card is there. */
  const LINES: readonly (readonly [args: readonly string[], deed: Deed | null, out: RegExp, code: number])[] = [
    [['Plain text'], null, /^$/, 0],
    [['-p', 'With number'], null, /^\d+\n$/, 0],
    [['-p', '-r', '77', 'Chosen number'], null, /^77\n$/, 0],
    [
      ['-u', 'critical', '-t', '1500', '-a', 'App', '-c', 'x,y', '-i', 'face', '-e', '-h', 'int:v:1', 'All', 'a\\nb'],
      null,
      /^$/,
      0,
    ],
    [['-w', '-t', '0', 'Wait for it'], dismiss, /^$/, 0],
    [['--wait', '--expire-time=1000', 'Wait for its time'], null, /^$/, 0],
    [['-A', 'yes=Yes', '-A', 'no=No', 'Two actions'], pick(0), /^yes\n$/, 0],
    [['-A', 'yes=Yes', '-A', 'No', 'Numbered'], pick(1), /^1\n$/, 0],
    [['-p', '--action=only=Only', 'One'], pick(0), /^\d+\nonly\n$/, 0],
    [['-A', 'yes=Yes', 'Closed'], dismiss, /^$/, 0],
    [['-t', '1000', '-A', 'yes=Yes', 'In time'], null, /^$/, 0],
    [[...six, 'Six actions'], tick, /^n4\n$/, 0],
    [['a', 'b', 'c'], null, /^$/, 1],
    [[], null, /^$/, 1],
    [['-u', 'loud', 'x'], null, /^$/, 1],
    [['-t', 'soon', 'x'], null, /^$/, 1],
    [['-h', 'foo', 'x'], null, /^$/, 1],
    [['--bogus', 'x'], null, /^$/, 1],
  ];

  it.each(LINES)('do the same with %j', async (args, deed, out, code) => {
    const env = { ...process.env, ...shell.env } as Env;
    const programs = [
      () => startProgram('notify-send', args, env),
      () => shell.start('notify-send', ...args, ...(args.length > 0 ? ['--credential-profile', 'script'] : [])),
    ];
    for (const begin of programs) {
      await clear();
      const program = begin();
      if (deed !== null) await deed(await cardWith(args.at(-1)!));
      const ended = await finish(program);
      expect({ code: ended.code, out: ended.out }).toEqual({ code, out: expect.stringMatching(out) });
      expect(ended.err === '').toBe(code === 0);
    }
  });

  it('fail with 1 and a word when nobody shows anything', async () => {
    const lonely = await startBus();
    const nobody = { ...shell.env, ...lonely.env, COMPANION_SOCKET: '/nowhere/c.sock' };
    const ends = [
      await finish(startProgram('notify-send', ['x'], { ...process.env, ...nobody })),
      await finish(startCli(nobody, 'notify-send', '--credential-profile', 'script', 'x')),
    ];
    await lonely.end();
    expect(ends.map(({ code, out }) => [code, out])).toEqual([
      [1, ''],
      [1, ''],
    ]);
    for (const { err } of ends) expect(err).not.toBe('');
  });
});

describe('the name', () => {
  it('is not taken from another program, which is named', async () => {
    const other = await startBus();
    const holder = other.join();
    await holder.requestName(NAME, 0);
    const ended = await finish(startCli({ ...shell.env, ...other.env }, 'bridge', 'notifications', '--json'));
    expect(ended.code).toBe(5);
    expect(JSON.parse(ended.out).error).toMatchObject({
      code: 'REFUSED',
      details: { name: NAME, holder: expect.any(String) },
    });
    await other.end();
  });

  it('is given up at the end, and what is open is closed and taken away', async () => {
    const id = await speaker.notify({ summary: 'open at the end', actions: ['a', 'A', 'b', 'B'] });
    await cardWith('open at the end');
    bridge.child.kill('SIGTERM');
    expect(await bridge.ended).toBe(0);
    expect(await closed(id)).toBe(4);
    await noCards();
    await expect(speaker.notify({})).rejects.toMatchObject({ type: expect.stringContaining('ServiceUnknown') });
    bridge = await startBridge();
    // Its numbers begin again: what the last one said of them is no longer listened to.
    speaker = await openSpeaker(bus.join());
    expect(await speaker.notify({ summary: 'again' })).toBeGreaterThan(0);
  });

  it('goes with the bus', async () => {
    const short = await startBus();
    const program = startCli({ ...shell.env, ...short.env }, 'bridge', 'notifications');
    await until('it stands', () => program.err().includes(STARTED));
    await short.end();
    expect(await program.ended).toBe(5);
    expect(program.err()).toContain('The session bus has gone.');
  });

  it.each<[string, Env, readonly string[], number, string]>([
    ['no session bus', { DBUS_SESSION_BUS_ADDRESS: '', XDG_RUNTIME_DIR: '/nowhere' }, [], 5, 'no session bus'],
    ['an address that is none', { DBUS_SESSION_BUS_ADDRESS: 'nonsense' }, [], 5, 'no session bus'],
    ['no key', {}, ['--credential-profile', 'other'], 3, '--scopes notify,interact --credential-profile other'],
    ['no companion', { COMPANION_SOCKET: '/nowhere/c.sock' }, [], 4, 'UNREACHABLE'],
  ])('is not asked for with %s', async (_what, env, args, code, said) => {
    const socket = { COMPANION_SOCKET: companion.socketPath };
    const ended = await finish(startCli({ ...shell.env, ...socket, ...env }, 'bridge', 'notifications', ...args));
    expect([ended.code, ended.err]).toEqual([code, expect.stringContaining(said)]);
  });
});

describe('a companion that goes away and comes back', () => {
  it('has its notifications closed, errors in between, and works again', async () => {
    const id = await speaker.notify({ summary: 'before the restart', actions: ['a', 'A', 'b', 'B'] });
    await cardWith('before the restart');
    const { home } = companion;
    await companion.stop({ keep: true });
    await expect(speaker.notify({})).rejects.toMatchObject({ text: expect.stringContaining('UNREACHABLE') });
    expect(await closed(id)).toBe(4);
    companion = await launchCompanion({ home });
    const again = await speaker.notify({ summary: 'after the restart', expireMs: 0 });
    await cardWith('after the restart');
    await speaker.call('CloseNotification', 'u', [again]);
    expect(await closed(again)).toBe(3);
  });
});
