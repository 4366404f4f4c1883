/** Starting with the desktop by an XDG autostart entry, which the desktop itself reads at login. */
import { join } from 'node:path';
import { AUTOSTART, type AutostartStatus, type Place, takenBy } from './autostart-status.ts';
import { fromEntryExec, toEntryExec } from './command-line.ts';
import { repairOf } from './installation.ts';
import { markLines, readOwn, removeOwn, valueAt, writeOwn } from './own-files.ts';

const entryFile = ({ configHome }: Place): string => join(configHome, 'autostart', 'companion.desktop');

const compose = (command: readonly string[], folders: number): string => `[Desktop Entry]
Type=Application
Name=Companion
Comment=A figure on the desktop through which programs speak
Exec=${toEntryExec(command)}
Terminal=false
StartupNotify=false
${markLines(AUTOSTART, folders)}
`;

/** Writes the entry, or writes it again. Error: REFUSED. */
export const writeEntry = (place: Place, command: readonly string[]): void =>
  writeOwn(entryFile(place), AUTOSTART, (folders) => compose(command, folders));

/** Removes our entry; returns its path, nothing when there is none of ours. */
export const removeEntry = (place: Place): readonly string[] =>
  removeOwn(entryFile(place), AUTOSTART) ? [entryFile(place)] : [];

/** By the file alone; null when there is none. `wanted` is the command line it should hold. */
export function entryStatus(place: Place, wanted: readonly string[]): AutostartStatus | null {
  const own = readOwn(entryFile(place), AUTOSTART);
  if (own === null) return null;
  if (own === 'foreign') return takenBy(entryFile(place));
  const exec = fromEntryExec(valueAt(own.text, 'Exec') ?? '');
  // Both are how desktops' own settings switch an entry off.
  const enabled = valueAt(own.text, 'Hidden') !== 'true' && valueAt(own.text, 'X-GNOME-Autostart-enabled') !== 'false';
  const repair = enabled ? repairOf(exec, wanted) : 'it was switched off in the settings of the desktop';
  return { enabled, by: 'xdg', file: entryFile(place), exec, repair };
}
