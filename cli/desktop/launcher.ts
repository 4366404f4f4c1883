/** The entry in the application launcher, with its icon: made when asked, known again by its mark, removed without a trace. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CompanionError } from '../companion-error.ts';
import { writeWhole } from '../files.ts';
import { fromEntryExec, toEntryExec } from './command-line.ts';
import { repairOf } from './installation.ts';
import { makeFolderOf, markLines, readOwn, removeFolders, removeOwn, valueAt, writeOwn } from './own-files.ts';

const PURPOSE = 'launcher';
const ICON_FOLDERS = 'X-Companion-Icon-Folders';

export interface LauncherStatus {
  readonly added: boolean;
  readonly file: string | null;
  readonly icon: string | null;
  /** The command line in it; null when there is none or it cannot be read. */
  readonly exec: readonly string[] | null;
  /** Why `add` should be called again, or what is in its way; null: nothing. */
  readonly repair: string | null;
}

/** `start` is Node and the CLI's file; a verb follows it. */
type Start = readonly string[];

const entryFile = (dataHome: string): string => join(dataHome, 'applications', 'companion.desktop');
const iconFile = (dataHome: string): string => join(dataHome, 'icons/hicolor/256x256/apps', 'companion.png');

const openBy = (start: Start): readonly string[] => [...start, 'open'];

const compose = (start: Start, folders: number, iconFolders: number): string => `[Desktop Entry]
Type=Application
Name=Companion
Comment=Start the figure on the desktop, or bring it back
Comment[zh_CN]=启动桌面上的小角色，或让它重新出现
Exec=${toEntryExec(openBy(start))}
Icon=companion
Terminal=false
StartupNotify=false
StartupWMClass=companion
Categories=Utility;
Actions=hide;dnd;
${markLines(PURPOSE, folders)}
${ICON_FOLDERS}=${iconFolders}

[Desktop Action hide]
Name=Hide
Name[zh_CN]=隐藏
Exec=${toEntryExec([...start, 'hide'])}

[Desktop Action dnd]
Name=Do not disturb
Name[zh_CN]=勿扰
Exec=${toEntryExec([...start, 'dnd', 'on'])}
`;

/** Our entry's text; null when there is none, or a stranger's. */
function ownText(dataHome: string): string | null {
  const own = readOwn(entryFile(dataHome), PURPOSE);
  return own === null || own === 'foreign' ? null : own.text;
}

/** An icon of that name without an entry of ours beside it belongs to somebody else, unless it is the very same. */
function assertIconFree(dataHome: string, icon: Uint8Array): void {
  const path = iconFile(dataHome);
  if (ownText(dataHome) !== null || !existsSync(path) || readFileSync(path).equals(icon)) return;
  throw new CompanionError('REFUSED', {
    message: 'There is an icon that companion did not make; move it away first. Nothing was changed.',
    details: { path },
  });
}

/** Puts the entry and the icon into `$XDG_DATA_HOME`; again: brings them up to date. Error: REFUSED, nothing changed. */
export function addLauncher(dataHome: string, start: Start, icon: Uint8Array): LauncherStatus {
  assertIconFree(dataHome, icon);
  const before = Number(valueAt(ownText(dataHome) ?? '', ICON_FOLDERS)) || 0;
  let made = 0;
  writeOwn(entryFile(dataHome), PURPOSE, (folders) => {
    made = makeFolderOf(iconFile(dataHome));
    return compose(start, folders, before + made);
  });
  writeWhole(iconFile(dataHome), icon, 0o644);
  return readLauncher(dataHome, start);
}

/** Removes what `add` has made; returns the paths, none when there is no entry of ours. */
export function removeLauncher(dataHome: string): readonly string[] {
  const text = ownText(dataHome);
  if (text === null) return [];
  rmSync(iconFile(dataHome), { force: true });
  removeFolders(iconFile(dataHome), Number(valueAt(text, ICON_FOLDERS)) || 0);
  removeOwn(entryFile(dataHome), PURPOSE);
  return [entryFile(dataHome), iconFile(dataHome)];
}

/** How it stands. `start` is what `add` would write. */
export function readLauncher(dataHome: string, start: Start): LauncherStatus {
  const text = ownText(dataHome);
  if (text === null) {
    const isTaken = existsSync(entryFile(dataHome));
    const repair = isTaken ? 'a file of that name is there that companion did not make' : null;
    return { added: false, file: null, icon: null, exec: null, repair };
  }
  const icon = existsSync(iconFile(dataHome)) ? iconFile(dataHome) : null;
  const exec = fromEntryExec(valueAt(text, 'Exec') ?? '');
  const repair = repairOf(exec, openBy(start)) ?? (icon === null ? 'its icon is gone' : null);
  return { added: true, file: entryFile(dataHome), icon, exec, repair };
}
