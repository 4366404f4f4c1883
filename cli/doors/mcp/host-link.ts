/** The way to the host, opened by the first call that needs it and again when the key has been replaced. */
import type { Client } from '../../client/client.ts';
import { CompanionError } from '../../companion-error.ts';

export class HostLink {
  readonly #connect: () => Promise<Client>;
  #client: Promise<Client> | null = null;

  constructor(connect: () => Promise<Client>) {
    this.#connect = connect;
  }

  #open(): Promise<Client> {
    if (this.#client === null) {
      const opening = this.#connect();
      // No profile today may be a profile tomorrow.
      opening.catch(() => {
        if (this.#client === opening) this.#client = null;
      });
      this.#client = opening;
    }
    return this.#client;
  }

  /** Does `work` with a client; once more with a fresh one when the kept key is no longer known. Errors: those of `connect` and `work`. */
  async use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const kept = this.#client;
    try {
      return await work(await this.#open());
    } catch (error) {
      const isOutdated = error instanceof CompanionError && error.code === 'UNAUTHENTICATED' && kept !== null;
      if (!isOutdated) throw error;
      if (this.#client === kept) this.#client = null;
      return work(await this.#open());
    }
  }

  /** Ends its connections; calls under way fail. */
  close(): void {
    this.#client?.then((client) => client.close()).catch(() => {});
  }
}
