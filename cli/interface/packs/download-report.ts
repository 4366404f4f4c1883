/** Tells how an installation goes, often enough to be watched and seldom enough to be read. */
import type { DownloadState } from '../../../server/packs/types.ts';
import type { Json } from '../../../server/protocol/words.ts';
import type { SessionClock } from '../clock.ts';
import type { Conversation } from '../define.ts';

const INTERVAL_MS = 100;
/** Of the whole way, downloading is this much; the rest is unpacking and checking. */
const DOWNLOAD_SHARE = 90;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

export class DownloadReport {
  readonly #conversation: Pick<Conversation, 'data' | 'progress'>;
  readonly #clock: SessionClock;
  readonly #packCount: number;
  readonly #startedAt: number;
  #files: readonly DownloadState[] = [];
  #toldAt = Number.NEGATIVE_INFINITY;
  #isPending = false;
  #forget = (): void => {};
  #packsDone = 0;
  #percent = -1;

  constructor(conversation: Pick<Conversation, 'data' | 'progress'>, clock: SessionClock, packCount: number) {
    this.#conversation = conversation;
    this.#clock = clock;
    this.#packCount = packCount;
    this.#startedAt = clock.now();
  }

  /** The newest state is told within 100 ms, never more than once in 100 ms. */
  update(files: readonly DownloadState[]): void {
    this.#files = files;
    if (this.#isPending) return;
    const leftMs = this.#toldAt + INTERVAL_MS - this.#clock.now();
    if (leftMs <= 0) this.#tell();
    else {
      this.#isPending = true;
      this.#forget = this.#clock.after(leftMs, () => this.#tell());
    }
  }

  /** A pack is in the library now, or will not be. */
  packEnded(coordinate: string): void {
    this.#packsDone += 1;
    this.#step('installing', coordinate);
  }

  /** The last word: what has not finished by now never will. */
  end(): void {
    const isSettled = this.#files.every(({ finished }) => finished);
    this.#forget();
    if (isSettled && !this.#isPending) return;
    this.#files = this.#files.map((file) => (file.finished ? file : { ...file, finished: true, success: false }));
    this.#tell();
  }

  #tell(): void {
    this.#isPending = false;
    this.#toldAt = this.#clock.now();
    this.#conversation.data('download_progress', {
      files: this.#files.map((file): Json => ({ ...file })),
      nameWidth: Math.max(0, ...this.#files.map(({ name }) => name.length)),
      elapsedSec: Math.round(this.#toldAt - this.#startedAt) / 1_000,
      sizesReady: this.#files.every(({ totalBytes }) => totalBytes > 0),
      prevLines: 0,
    });
    const current = this.#files.find(({ started, finished }) => started && !finished);
    if (current !== undefined) this.#step('downloading', current.name);
  }

  /** Never backwards: totals may become known late. */
  #step(phase: string, message: string): void {
    const total = sum(this.#files.map(({ totalBytes }) => totalBytes));
    const loaded = sum(this.#files.map(({ downloadedBytes }) => downloadedBytes));
    const downloaded = total === 0 ? 0 : DOWNLOAD_SHARE * Math.min(1, loaded / total);
    const installed = ((100 - DOWNLOAD_SHARE) * this.#packsDone) / this.#packCount;
    this.#percent = Math.max(this.#percent, Math.floor(downloaded + installed));
    this.#conversation.progress(phase, this.#percent, message);
  }
}
