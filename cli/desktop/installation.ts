/** What other programs are told to start: this installation, unless it will not be there tomorrow. */
import { accessSync, constants, existsSync } from 'node:fs';
import { CompanionError } from '../companion-error.ts';
import type { Io } from '../io.ts';
import { isWritable } from './command-line.ts';

/** An AppImage's mount, gone when the program ends. */
const MOUNT = /\/\.mount_[^/]+\//;
const TEMPORARY_FOLDERS = ['/tmp', '/var/tmp', '/dev/shm'];

function isTemporary(path: string, temporary: string | undefined): boolean {
  const folders = temporary ? [...TEMPORARY_FOLDERS, temporary] : TEMPORARY_FOLDERS;
  return MOUNT.test(path) || folders.some((folder) => path.startsWith(`${folder.replace(/\/+$/, '')}/`));
}

/** `command`, which is of Node and the CLI, both absolute. Error REFUSED: a temporary place, or a path no desktop can be told. */
export function lastingCommand({ env, program }: Io, command: readonly string[]): readonly string[] {
  const path = program().find((part) => isTemporary(part, env.TMPDIR));
  if (path !== undefined) {
    throw new CompanionError('REFUSED', {
      message: 'This installation lies in a temporary place and would soon be gone; install it elsewhere first.',
      details: { path },
    });
  }
  if (!isWritable(command)) {
    throw new CompanionError('REFUSED', {
      message: 'The path of this installation has characters in it that no desktop can be told; move it first.',
    });
  }
  return command;
}

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Why a written command should be written again; null when it starts `wanted` and that is there. */
export function repairOf(written: readonly string[] | null, wanted: readonly string[]): string | null {
  const [node, cli] = (written ?? []).filter((word) => !word.startsWith('--'));
  if (node === undefined || cli === undefined) return 'its command line cannot be read';
  const gone = isProgram(node) ? (existsSync(cli) ? null : cli) : node;
  if (gone !== null) return `${gone} is gone`;
  return JSON.stringify(written) === JSON.stringify(wanted) ? null : 'it starts another installation than this one';
}
