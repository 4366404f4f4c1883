/** What a library of packs is: installed versions, wardrobes that choose among them, indexes they come from (design §7, R11). */
import type { CharacterManifest } from '../protocol/character.ts';

/** The NDJSON interface's error codes (§6.5 there). */
export type PackErrorCode =
  | 'E_INVALID_INPUT'
  | 'E_NOT_FOUND'
  | 'E_NETWORK'
  | 'E_DISK_FULL'
  | 'E_PERMISSION'
  | 'E_CANCELLED'
  | 'E_INTERNAL';

/** A refusal in words for the user. Names the file, never its content. */
export class PackError extends Error {
  readonly code: PackErrorCode;
  readonly hint: string | null;
  constructor(code: PackErrorCode, message: string, hint: string | null = null) {
    super(message);
    this.name = 'PackError';
    this.code = code;
    this.hint = hint;
  }
}

/** A version of a pack that lies in the library; `manifest` null: it cannot be used, for `reason`. */
export interface InstalledPack {
  readonly id: string;
  readonly version: string;
  readonly folder: string;
  readonly manifest: CharacterManifest | null;
  readonly reason: string | null;
}

/** A named, isolated choice: which packs are there for it, in which version, and which one stands on the screen. */
export interface Wardrobe {
  readonly name: string;
  readonly folder: string;
  readonly isActive: boolean;
  /** Pack ID → version; what is not in it is not seen in this wardrobe. */
  readonly packs: Readonly<Record<string, string>>;
  /** Character ID the user chose with it; null: never chosen. */
  readonly current: string | null;
}

/** A place packs come from: a folder's path, `file:` or `http(s):` URL of a folder that holds `index.json`. */
export interface PackIndex {
  readonly name: string;
  readonly url: string;
}

/** One pack as an index offers it. */
export interface OfferedPack {
  /** Name of the index. */
  readonly index: string;
  readonly id: string;
  readonly version: string;
  readonly displayName: string;
  readonly description: string;
  readonly license: string;
  readonly requires: readonly string[];
  /** Relative to the index: name of the zip. */
  readonly file: string;
  /** Bytes of the zip, and its SHA-256 in lower-case hexadecimal. */
  readonly size: number;
  readonly sha256: string;
}

/** What is to be installed, dependencies first. */
export interface InstallPlan {
  readonly packs: readonly OfferedPack[];
  /** Targets (coordinates) that are there already and stay as they are. */
  readonly present: readonly string[];
}

export interface DownloadState {
  /** Coordinate `namespace:name@version`. */
  readonly name: string;
  readonly totalBytes: number;
  readonly downloadedBytes: number;
  readonly started: boolean;
  readonly finished: boolean;
  readonly success: boolean;
}

/** How a long step hears of cancel and pause, and tells how far it is. */
export interface Steering {
  /** Aborts with any reason: the step ends with E_CANCELLED and leaves nothing half-done. */
  readonly signal: AbortSignal;
  /** Resolves at once, or when a pause is over. Asked between chunks. */
  unpaused(): Promise<void>;
  onDownloads(files: readonly DownloadState[]): void;
  /** One per pack, as it becomes part of the library or fails to. */
  onPack(coordinate: string, error: PackError | null): void;
}

/** `org.example.ghost` ↔ `org.example:ghost` (R11). */
export const toCoordinate = (id: string, version?: string): string => {
  const dot = id.lastIndexOf('.');
  const name = `${id.slice(0, dot)}:${id.slice(dot + 1)}`;
  return version === undefined ? name : `${name}@${version}`;
};
