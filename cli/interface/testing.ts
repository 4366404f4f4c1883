/** For tests only: a session without a process. Time moves when told to; lines are kept; the other side is played by the test. */
import { type Library, PackError } from '../../server/packs/types.ts';
import type { SessionClock } from './clock.ts';
import { type AnyNdjsonCapability, type Conversation, done, type Outcome, type World } from './define.ts';
import { runSession } from './session.ts';
import type { Ears, Wire } from './wire.ts';

/** A clock that stands still until `advance` is called. */
export function fakeClock(): SessionClock & { advance(ms: number): Promise<void> } {
  let nowMs = 0;
  let timers: { at: number; act: () => void }[] = [];
  return {
    now: () => nowMs,
    wall: () => Date.UTC(2026, 0, 2, 3, 4, 5, 678) + nowMs,
    after: (delayMs, act) => {
      const timer = { at: nowMs + delayMs, act };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
    advance: async (ms) => {
      const end = nowMs + ms;
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        nowMs = Math.max(nowMs, next.at);
        timers = timers.filter((each) => each !== next);
        next.act();
        await settle();
      }
      nowMs = end;
    },
  };
}

/** Lets everything that can go on go on. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export interface FakeLine {
  readonly kind: string;
  readonly [field: string]: unknown;
}

export interface FakeSession {
  readonly lines: readonly FakeLine[];
  readonly clock: ReturnType<typeof fakeClock>;
  readonly ears: Ears;
  readonly exitCode: Promise<number>;
  /** Lines of one kind. */
  of(kind: string): readonly FakeLine[];
  /** One control message, as its own line. */
  send(control: object): Promise<void>;
  write(text: string): Promise<void>;
}

/** A capability made for a test; what is not said about it is ordinary. */
export const testCapability = (
  run: (conversation: Conversation, world: World) => Promise<Outcome>,
  more: Partial<AnyNdjsonCapability> = {},
): AnyNdjsonCapability => ({
  name: 'test_capability',
  description: 'For tests.',
  destructive: false,
  pausable: true,
  droppable: false,
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object' },
  run: (_params, conversation, world) => run(conversation, world),
  ...more,
});

const noLibrary = (): Library => {
  throw new PackError('E_INTERNAL', 'this test has no library');
};

/** Starts `capability`; `library` is what it works on. */
export async function startSession(
  capability: AnyNdjsonCapability,
  { params = {}, library = noLibrary, ...more }: { params?: object; library?: () => Library } & Partial<World> = {},
): Promise<FakeSession> {
  const lines: FakeLine[] = [];
  const clock = fakeClock();
  const heard: { ears: Ears | null } = { ears: null };
  const wire: Wire = {
    write: (line) => {
      lines.push(JSON.parse(line));
    },
    listen: (ears) => {
      heard.ears = ears;
    },
    drained: async () => true,
  };
  const world: World = {
    library,
    dataFolder: '/data',
    env: {},
    cwd: '/cwd',
    clock,
    connect: () => Promise.reject(new Error('this test has no host')),
    ...more,
  };
  const exitCode = runSession(capability, params as Record<string, never>, world, wire);
  await settle();
  const write = async (text: string): Promise<void> => {
    heard.ears!.onInput(Buffer.from(text));
    await settle();
  };
  return {
    lines,
    clock,
    ears: heard.ears!,
    exitCode,
    of: (kind) => lines.filter((line) => line.kind === kind),
    write,
    send: (control) => write(`${JSON.stringify(control)}\n`),
  };
}

/** Ends well and has nothing to say. */
export const ends = async (): Promise<Outcome> => done({});
