/** Starting with the desktop by a systemd user service: its file, and the link by which the desktop's target wants it. */
import { lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CompanionError } from '../companion-error.ts';
import { AUTOSTART, type AutostartStatus, type Place, takenBy } from './autostart-status.ts';
import { fromUnitExec, toUnitExec } from './command-line.ts';
import { repairOf } from './installation.ts';
import { assertOwn, markLines, readOwn, removeFolders, removeOwn, valueAt, writeOwn } from './own-files.ts';
import { GRAPHICAL_TARGET } from './systemctl.ts';

const NAME = 'companion.service';
const LINK_TARGET = `../${NAME}`;

const unitFile = ({ configHome }: Place): string => join(configHome, 'systemd', 'user', NAME);
/** Where `systemctl --user enable` puts its link. */
const linkFile = (place: Place): string => join(dirname(unitFile(place)), `${GRAPHICAL_TARGET}.wants`, NAME);

const compose = (command: readonly string[], folders: number): string => `[Unit]
Description=Companion, a figure on the desktop through which programs speak
${markLines(AUTOSTART, folders)}
# By then the desktop has told systemd its DISPLAY, WAYLAND_DISPLAY and XAUTHORITY (systemctl --user import-environment).
PartOf=${GRAPHICAL_TARGET}
After=${GRAPHICAL_TARGET}
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
ExecStart=${toUnitExec(command)}
Restart=on-failure
RestartSec=5
TimeoutStopSec=20

[Install]
WantedBy=${GRAPHICAL_TARGET}
`;

/** none: there is no link; ours: it leads to our unit; foreign: something else is there. */
function linkAt(place: Place): 'none' | 'ours' | 'foreign' {
  const path = linkFile(place);
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 'none';
  return stat.isSymbolicLink() && [LINK_TARGET, unitFile(place)].includes(readlinkSync(path)) ? 'ours' : 'foreign';
}

/** Error REFUSED when a stranger's file or link is where ours would be. */
function assertFree(place: Place): void {
  assertOwn(unitFile(place), AUTOSTART);
  if (linkAt(place) !== 'foreign') return;
  throw new CompanionError('REFUSED', {
    message: 'There is a link that companion did not make; move it away first. Nothing was changed.',
    details: { path: linkFile(place) },
  });
}

/** Writes the unit and its link, or writes them again. Error: REFUSED. */
export function writeUnit(place: Place, command: readonly string[]): void {
  assertFree(place);
  writeOwn(unitFile(place), AUTOSTART, (folders) => compose(command, folders));
  if (linkAt(place) === 'ours') return;
  mkdirSync(dirname(linkFile(place)), { recursive: true });
  symlinkSync(LINK_TARGET, linkFile(place));
}

/** Removes our unit and its link; returns their paths, none when there is no unit of ours. */
export function removeUnit(place: Place): readonly string[] {
  const own = readOwn(unitFile(place), AUTOSTART);
  if (own === null || own === 'foreign') return [];
  const isLinked = linkAt(place) === 'ours';
  if (isLinked) {
    rmSync(linkFile(place));
    // As systemctl does: the folder means nothing without links.
    removeFolders(linkFile(place), 1);
  }
  removeOwn(unitFile(place), AUTOSTART);
  return isLinked ? [unitFile(place), linkFile(place)] : [unitFile(place)];
}

/** By the files alone; null when there is no unit. `wanted` is the command line it should hold. */
export function unitStatus(place: Place, wanted: readonly string[]): AutostartStatus | null {
  const own = readOwn(unitFile(place), AUTOSTART);
  if (own === null) return null;
  if (own === 'foreign') return takenBy(unitFile(place));
  const exec = fromUnitExec(valueAt(own.text, 'ExecStart') ?? '');
  const enabled = linkAt(place) === 'ours';
  const repair = enabled ? repairOf(exec, wanted) : 'it was switched off in systemd';
  return { enabled, by: 'systemd', file: unitFile(place), exec, repair };
}
