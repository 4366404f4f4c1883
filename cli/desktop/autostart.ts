/** Starting with the desktop: one systemd user service or one XDG autostart entry, made when asked and undone without a trace. */
import { CompanionError } from '../companion-error.ts';
import { entryStatus, removeEntry, writeEntry } from './autostart-entry.ts';
import type { AutostartStatus, Place } from './autostart-status.ts';
import { removeUnit, unitStatus, writeUnit } from './autostart-unit.ts';
import { hasGraphicalTarget, hasManager, type Systemctl } from './systemctl.ts';

const OFF: AutostartStatus = { enabled: false, by: null, file: null, exec: null, repair: null };

/** How it stands, by the files alone; `wanted` is the command line that `enable` would write. */
export function readAutostart(place: Place, wanted: readonly string[]): AutostartStatus {
  const found = [unitStatus(place, wanted), entryStatus(place, wanted)].filter((status) => status !== null);
  const [first, second] = found.filter(({ by }) => by !== null);
  if (second !== undefined) return { ...first!, repair: 'it would be started twice' };
  return first ?? found[0] ?? OFF;
}

function reload(systemctl: Systemctl): void {
  if (systemctl('daemon-reload').ok) return;
  throw new CompanionError('INTERNAL_ERROR', {
    message: 'The files are as they should be, but systemd did not read them again: systemctl --user daemon-reload.',
  });
}

/** Where a desktop never tells the manager that it is up, only an autostart entry works. */
const usesSystemd = (systemctl: Systemctl, { hasDisplay }: Place): boolean =>
  hasManager(systemctl) && (!hasDisplay || hasGraphicalTarget(systemctl));

/** Has `command` started with the desktop from the next login on; called again it repairs. Error: REFUSED, nothing changed. */
export function enableAutostart(place: Place, command: readonly string[], systemctl: Systemctl): AutostartStatus {
  if (usesSystemd(systemctl, place)) {
    writeUnit(place, command);
    removeEntry(place);
    reload(systemctl);
  } else {
    writeEntry(place, command);
    if (removeUnit(place).length > 0 && hasManager(systemctl)) reload(systemctl);
  }
  return readAutostart(place, command);
}

/** Removes exactly what `enable` has made; returns the paths. What is not ours stays. */
export function disableAutostart(place: Place, systemctl: Systemctl): readonly string[] {
  const unit = removeUnit(place);
  const removed = [...unit, ...removeEntry(place)];
  if (unit.length > 0 && hasManager(systemctl)) reload(systemctl);
  return removed;
}
