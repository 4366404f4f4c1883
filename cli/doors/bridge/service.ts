/** `org.freedesktop.Notifications` on a session bus, with what is true of the companion. Desktop Notifications 1.2. */
import { DBusError, interface as service, type Variant } from '@particle/dbus-next';
import { IMPLEMENTATION } from '../../../server/protocol/version.ts';
import { CompanionError } from '../../companion-error.ts';
import { type Board, type BoardListener, openBoard } from '../notifications/board.ts';
import type { Action, Note } from '../notifications/note.ts';

export const BUS_NAME = 'org.freedesktop.Notifications';
export const OBJECT_PATH = '/org/freedesktop/Notifications';
const SPECIFICATION = '1.2';
const URGENCIES = ['low', 'normal', 'critical'] as const;
/** What libnotify's program calls itself when nobody said otherwise: it tells the reader nothing. */
const NO_APP = 'notify-send';

type Hints = Readonly<Record<string, Variant<unknown>>>;

/** A standing name of the bus for each refusal, where there is one. */
const ERRORS: Readonly<Record<string, string>> = {
  RATE_LIMITED: 'LimitsExceeded',
  QUEUE_FULL: 'LimitsExceeded',
  UNAUTHENTICATED: 'AccessDenied',
  FORBIDDEN: 'AccessDenied',
  INVALID_PARAMS: 'InvalidArgs',
};

/** Whatever went wrong, in words for the caller; nothing of what was to be shown is in them. */
function toBusError(thrown: unknown): DBusError {
  const { code, message, details } =
    thrown instanceof CompanionError ? thrown : new CompanionError('INTERNAL_ERROR', { message: 'The bridge failed.' });
  const reason = typeof details?.reason === 'string' ? ` (${details.reason})` : '';
  return new DBusError(`org.freedesktop.DBus.Error.${ERRORS[code] ?? 'Failed'}`, `${code}: ${message}${reason}`);
}

function urgencyOf(hints: Hints): Note['urgency'] {
  const level = Object.hasOwn(hints, 'urgency') ? hints.urgency?.value : undefined;
  return URGENCIES[Number(level ?? 1)] ?? 'normal';
}

/** Names and labels by turns; a name without a label is left out. */
function toActions(flat: readonly string[]): readonly Action[] {
  const pairs: Action[] = [];
  for (let at = 0; at + 1 < flat.length; at += 2) pairs.push({ name: flat[at]!, label: flat[at + 1]! });
  return pairs;
}

interface ServiceOptions {
  readonly client: Parameters<typeof openBoard>[0];
  /** Whether the key may ask questions; without, no action is shown, and none is said to be. */
  readonly canAsk: boolean;
}

/** The object on the bus. A class, for the library wants one. */
export class Notifications extends service.Interface implements BoardListener {
  readonly #board: Board;
  readonly #canAsk: boolean;

  constructor({ client, canAsk }: ServiceOptions) {
    super(BUS_NAME);
    this.#board = openBoard(client, this);
    this.#canAsk = canAsk;
  }

  GetCapabilities(): readonly string[] {
    return this.#canAsk ? ['actions', 'body'] : ['body'];
  }

  GetServerInformation(): readonly string[] {
    return [IMPLEMENTATION.name, IMPLEMENTATION.name, IMPLEMENTATION.version, SPECIFICATION];
  }

  async Notify(
    app: string,
    replacesId: number,
    _icon: string,
    summary: string,
    body: string,
    actions: readonly string[],
    hints: Hints,
    expireMs: number,
  ): Promise<number> {
    const note: Note = {
      app: app === '' || app === NO_APP ? null : app,
      summary,
      body,
      urgency: urgencyOf(hints),
      expireMs: expireMs < 0 ? null : expireMs,
      actions: this.#canAsk ? toActions(actions) : [],
    };
    try {
      return await this.#board.show(note, replacesId);
    } catch (error) {
      throw toBusError(error);
    }
  }

  async CloseNotification(id: number): Promise<void> {
    await this.#board.close(id);
  }

  NotificationClosed(id: number, reason: number): readonly number[] {
    return [id, reason];
  }

  ActionInvoked(id: number, name: string): readonly [number, string] {
    return [id, name];
  }

  acted(id: number, { name }: Action): void {
    this.ActionInvoked(id, name);
  }

  closed(id: number, reason: number): void {
    this.NotificationClosed(id, reason);
  }

  /** Takes everything away. */
  end(): Promise<void> {
    return this.#board.end();
  }
}

Notifications.configureMembers({
  methods: {
    GetCapabilities: { inSignature: '', outSignature: 'as' },
    GetServerInformation: { inSignature: '', outSignature: 'ssss' },
    Notify: { inSignature: 'susssasa{sv}i', outSignature: 'u' },
    CloseNotification: { inSignature: 'u', outSignature: '' },
  },
  signals: { NotificationClosed: { signature: 'uu' }, ActionInvoked: { signature: 'us' } },
});
