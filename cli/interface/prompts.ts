/** The questions of one session that wait for a reply. An answer nobody gave is never made up. */
import type { Question } from './define.ts';

export type Reply =
  | 'taken'
  /** It came before its question, which will find it. */
  | 'kept'
  /** Answered already, or too many others are kept. */
  | 'late'
  | { readonly options: readonly string[] };

/** Replies that wait for their question. A session asks a handful. */
const MAX_EARLY = 16;

interface Open {
  readonly options: readonly string[];
  resolve(value: string): void;
  reject(reason: unknown): void;
}

export class Prompts {
  readonly #asked = new Map<string, number>();
  readonly #used = new Set<string>();
  readonly #early = new Map<string, string>();
  readonly #open = new Map<string, Open>();

  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  /** The ID under which a question of this name is asked next: unique in the session. */
  nextId(name: string): string {
    const count = (this.#asked.get(name) ?? 0) + 1;
    this.#asked.set(name, count);
    return count === 1 ? name : `${name}#${count}`;
  }

  /** The reply to `id` that came before it, once. */
  takeEarly(id: string): string | undefined {
    const value = this.#early.get(id);
    this.#early.delete(id);
    return value;
  }

  /** Resolves to the reply; rejects when `rejectAll` is called. */
  open(id: string, { options }: Question): Promise<string> {
    this.#used.add(id);
    return new Promise((resolve, reject) => this.#open.set(id, { options, resolve, reject }));
  }

  /** A value outside the options leaves the question open, and is answered with them. */
  reply(id: string, value: string): Reply {
    const open = this.#open.get(id);
    if (open === undefined) return this.#keep(id, value);
    if (open.options.length > 0 && !open.options.includes(value)) return { options: open.options };
    this.#open.delete(id);
    open.resolve(value);
    return 'taken';
  }

  #keep(id: string, value: string): Reply {
    if (this.#used.has(id) || this.#early.size === MAX_EARLY) return 'late';
    this.#early.set(id, value);
    return 'kept';
  }

  rejectAll(reason: unknown): void {
    for (const open of this.#open.values()) open.reject(reason);
    this.#open.clear();
  }
}
