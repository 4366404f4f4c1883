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

/** A folder of another program's, whose pets are shown from where they lie: nothing is copied, and nothing is ever written there. */
export interface Followed {
  /** Part of its pets' IDs. */
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
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
  readonly follows: readonly Followed[];
  /** Not null: its file cannot be read, for this reason; it seems empty then, and whatever would change it is refused with E_INVALID_INPUT. */
  readonly reason: string | null;
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

/** The library of one data folder. Every verb reads the disk anew; those that write hold the library's lock while they do. Errors: PackError. */
export interface Library {
  /** All versions of all packs, broken ones too, and those of the active wardrobe that are missing; by ID and then by version. */
  installed(): readonly InstalledPack[];
  /** Active one first; there is always one named `default`. */
  wardrobes(): readonly Wardrobe[];
  active(): Wardrobe;
  /** E_INVALID_INPUT: the name is taken, reserved (`current`), or not of [A-Za-z0-9_-]; `folder` absent: the library's own place. */
  createWardrobe(name: string, folder?: string): Promise<Wardrobe>;
  /** E_NOT_FOUND. */
  switchWardrobe(name: string): Promise<Wardrobe>;
  /** E_INVALID_INPUT (default, or active), E_NOT_FOUND, E_PERMISSION. */
  removeWardrobe(name: string): Promise<void>;
  /** Makes a version (or the newest that begins with it, or `latest`) the one of the active wardrobe. E_NOT_FOUND. */
  useVersion(id: string, version: string): Promise<InstalledPack>;
  /** The character that stands on the screen while this wardrobe is active: any ID, built-in ones too. */
  setCurrent(character: string): Promise<void>;
  /** The active wardrobe shows the pets of that folder too. E_INVALID_INPUT: no such name, the name or the folder is there already, or there are too many. */
  follow(followed: Followed): Promise<void>;
  /** No more; one of them that was chosen is not any longer. Resolves to what it was. E_NOT_FOUND. */
  unfollow(name: string): Promise<Followed>;
  indexes(): readonly PackIndex[];
  /** Same name: its url is replaced. */
  addIndex(index: PackIndex): Promise<void>;
  /** E_NOT_FOUND. */
  removeIndex(name: string): Promise<void>;
  /** Reads all indexes. One that cannot be read is in `failed` with its reason, E_NETWORK or E_INVALID_INPUT. */
  offers(signal: AbortSignal): Promise<{
    readonly offered: readonly OfferedPack[];
    readonly failed: readonly { readonly index: PackIndex; readonly error: PackError }[];
  }>;
  /** Targets are coordinates, IDs or bare names, with or without @version. E_NOT_FOUND; E_INVALID_INPUT: ambiguous, or `requires` goes round. */
  plan(targets: readonly string[], offered: readonly OfferedPack[]): InstallPlan;
  /**
   * Downloads (resuming what an earlier run left), checks size, SHA-256, and the pack itself, then moves each into place in one rename.
   * Resolves to what is installed; a pack that fails is told to `onPack` and harms no other. `use`: becomes the wardrobe's version even where another is.
   */
  install(
    plan: InstallPlan,
    options: { readonly use: boolean },
    steering: Steering,
  ): Promise<readonly { readonly id: string; readonly version: string }[]>;
  /** Takes a checked pack folder or zip from the disk, or files made in memory, into the library and the active wardrobe. */
  adopt(source: PackSource, options: { readonly use: boolean }, steering: Steering): Promise<InstalledPack>;
  /** Packs of the active wardrobe that directly require this one. */
  requiredBy(id: string): readonly InstalledPack[];
  /** Takes one version out of the wardrobes, and off the disk. E_NOT_FOUND, E_PERMISSION. */
  remove(id: string, version: string): Promise<void>;
}

export type PackSource =
  | { readonly kind: 'path'; readonly path: string }
  /** By plain file name; `character.json` among them. */
  | { readonly kind: 'files'; readonly files: ReadonlyMap<string, Uint8Array> };

/** `org.example.ghost` ↔ `org.example:ghost` (R11). */
export const toCoordinate = (id: string, version?: string): string => {
  const dot = id.lastIndexOf('.');
  const name = `${id.slice(0, dot)}:${id.slice(dot + 1)}`;
  return version === undefined ? name : `${name}@${version}`;
};
