/** What the doctor looks at: facts of this machine and this user, gathered once, without an opinion. */
import type { DesktopReport } from '../../server/protocol/window.ts';
import type { Result } from '../client/options.ts';
import type { AutostartStatus } from '../desktop/autostart-status.ts';

/** Who may do what with a file or folder. */
export interface Entry {
  readonly kind: 'folder' | 'file' | 'socket' | 'link' | 'other';
  /** It belongs to this user. */
  readonly isOwn: boolean;
  /** Permission bits. */
  readonly mode: number;
}

export interface ChromiumFacts {
  /** What settings or environment name; null: it is searched for. */
  readonly named: string | null;
  /** null: none was found, or the named one cannot be run. */
  readonly path: string | null;
  /** What it says itself; null: it did not say so in time, or failed. */
  readonly version: string | null;
  readonly wall: 'snap' | 'flatpak' | null;
  /** The setuid helper that replaces user namespaces lies beside it. */
  readonly hasHelper: boolean;
}

/** Kernel settings about user namespaces; null: this kernel has no such setting, and nothing is restricted by it. */
export interface NamespaceFacts {
  readonly unprivilegedClone: number | null;
  readonly maximum: number | null;
  readonly apparmorRestricts: number | null;
}

export interface DisplayFacts {
  /** `DISPLAY`. */
  readonly name: string | null;
  readonly wayland: string | null;
  /** What the X server said to a greeting; null without a name. */
  readonly answer: 'welcome' | 'refused' | 'unreachable' | 'silent' | 'unreadable' | null;
  /** Why it refused, in its own words. */
  readonly reason: string | null;
}

export interface SocketFacts {
  readonly path: string;
  readonly folder: string;
  readonly pathBytes: number;
  readonly maxPathBytes: number;
  /** `XDG_RUNTIME_DIR` and what is there; null: it is not set, or not absolute. */
  readonly runtimeBase: { readonly path: string; readonly entry: Entry | null } | null;
  /** `COMPANION_SOCKET` names it. */
  readonly isNamed: boolean;
  readonly folderEntry: Entry | null;
  readonly entry: Entry | null;
  /** Something listens there. */
  readonly isAlive: boolean;
  /** Why no companion could be talked to although something listens; null: nobody tried, or one could. */
  readonly fault: string | null;
}

/** Who holds the state folder. */
export interface LockFacts {
  readonly pid: number | null;
  /** Folders in which that process listens on a socket of ours; null: that cannot be seen. */
  readonly listensIn: readonly string[] | null;
}

export interface StateFacts {
  readonly folder: string;
  readonly entry: Entry | null;
  readonly isWritable: boolean;
  /** null: it cannot be told. */
  readonly freeBytes: number | null;
  readonly logFile: string;
  /** What stands in it in place of a file of ours, or cannot be used as one; nothing when all is well. */
  readonly faults: readonly StateFault[];
}

export interface StateFault {
  readonly path: string;
  readonly why: 'no file' | 'missing' | 'open';
}

export interface Facts {
  /** Version of Node without `v`. */
  readonly node: string;
  readonly isRoot: boolean;
  /** `ID` and `ID_LIKE` of `/etc/os-release`, the nearest first. */
  readonly distributions: readonly string[];
  readonly chromium: ChromiumFacts;
  readonly namespaces: NamespaceFacts;
  readonly display: DisplayFacts;
  readonly socket: SocketFacts;
  /** What the companion that answers says of itself; null: none does. */
  readonly host: Pick<Result<'runtime.describe'>, 'overlay' | 'access' | 'accepting'> | null;
  /** What the running companion knows of its desktop; null: none runs, or it has not said. */
  readonly desktop: DesktopReport | null;
  readonly lock: LockFacts;
  readonly state: StateFacts;
  readonly settings: { readonly file: string; readonly isThere: boolean; readonly fault: string | null };
  readonly credentials: {
    readonly folder: string;
    readonly folderEntry: Entry | null;
    readonly faults: readonly { readonly profile: string; readonly file: string; readonly isUnsafe: boolean }[];
    readonly count: number;
  };
  readonly autostart: AutostartStatus;
}
