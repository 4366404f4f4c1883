/** How starting with the desktop stands, whichever way it is done. */

export interface Place {
  /** `$XDG_CONFIG_HOME`. */
  readonly configHome: string;
  /** There is a desktop around this very process. */
  readonly hasDisplay: boolean;
}

export interface AutostartStatus {
  readonly enabled: boolean;
  readonly by: 'systemd' | 'xdg' | null;
  readonly file: string | null;
  /** The command line in it; null when there is none or it cannot be read. */
  readonly exec: readonly string[] | null;
  /** Why `enable` should be called again, or what is in its way; null: nothing. */
  readonly repair: string | null;
}

/** The mark in the files that are made for it. */
export const AUTOSTART = 'autostart';

/** Off, with a stranger's file where ours would be. */
export const takenBy = (file: string): AutostartStatus => ({
  enabled: false,
  by: null,
  file: null,
  exec: null,
  repair: `${file} was not made by companion`,
});
