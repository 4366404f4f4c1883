/** The questions of one session that wait for a reply. An answer nobody gave is never made up. */
import type { Question } from './define.ts';

export type Reply =
  | 'taken'
  /** Nothing of that ID is open: never asked, or answered already. */
  | 'unknown'
  | { readonly options: readonly string[] };

interface Open {
  readonly options: readonly string[];
  resolve(value: string): void;
  reject(reason: unknown): void;
}

export class Prompts {
  readonly #asked = new Map<string, number>();
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

  /** Resolves to the reply; rejects when `rejectAll` is called. */
  open(id: string, { options }: Question): Promise<string> {
    return new Promise((resolve, reject) => this.#open.set(id, { options, resolve, reject }));
  }

  /** A value outside the options leaves the question open, and is answered with them. */
  reply(id: string, value: string): Reply {
    const open = this.#open.get(id);
    if (open === undefined) return 'unknown';
    if (open.options.length > 0 && !open.options.includes(value)) return { options: open.options };
    this.#open.delete(id);
    open.resolve(value);
    return 'taken';
  }

  rejectAll(reason: unknown): void {
    for (const open of this.#open.values()) open.reject(reason);
    this.#open.clear();
  }
}
