/** Folders, the socket, who uses them, settings and keys. */
import { shellWord } from '../shell-word.ts';
import type { Entry, Facts, SocketFacts, StateFault } from './facts.ts';
import { type Ends, endsOf, type Finding } from './finding.ts';

/** Less and the next start may fail, reserve included. */
const NEEDED_BYTES = 16 * 1_048_576;
const COMFORTABLE_BYTES = 256 * 1_048_576;
const MIB = 1_048_576;

const isOpen = ({ mode }: Entry): boolean => (mode & 0o077) !== 0;
const octal = (mode: number): string => `0${(mode & 0o777).toString(8).padStart(3, '0')}`;

function checkBase({ runtimeBase, isNamed }: SocketFacts): Finding | null {
  const { warning, problem } = endsOf('runtime-folder', 'Folder of the socket');
  if (isNamed) return null;
  if (runtimeBase === null) {
    return warning(
      'XDG_RUNTIME_DIR is not set, so the socket is kept in the state folder; programs with that variable look elsewhere.',
      'A login with systemd or elogind sets it, usually to /run/user/$(id -u). cron, ssh, su and sudo often lack it.',
    );
  }
  const { path, entry } = runtimeBase;
  if (entry === null)
    return problem(`XDG_RUNTIME_DIR names ${path}, which is not there.`, 'Set it as in your login session.');
  if (entry.isOwn) return null;
  return problem(
    `XDG_RUNTIME_DIR names ${path}, which belongs to another user.`,
    'su and sudo keep the variable of who called them: unset it, or log in as this user.',
  );
}

export function checkRuntimeFolder({ socket }: Facts): Finding {
  const { ok, problem } = endsOf('runtime-folder', 'Folder of the socket');
  const { folder, folderEntry } = socket;
  if (socket.pathBytes > socket.maxPathBytes) {
    return problem(
      `The path of the socket has ${socket.pathBytes} bytes, and the system allows ${socket.maxPathBytes}: ${socket.path}`,
      'Set COMPANION_SOCKET to a shorter path in a folder of your own, for the companion and for all programs.',
    );
  }
  if (folderEntry !== null && folderEntry.kind !== 'folder')
    return problem(
      `${folder} is a link or no folder.`,
      `Move it away: mv ${shellWord(folder)} ${shellWord(`${folder}.old`)}`,
    );
  if (folderEntry !== null && !folderEntry.isOwn)
    return problem(
      `${folder} belongs to another user.`,
      'Remove it, or set COMPANION_SOCKET to a path in a folder of your own.',
    );
  if (folderEntry !== null && isOpen(folderEntry)) {
    return problem(
      `${folder} has mode ${octal(folderEntry.mode)}: others could put a socket of theirs there. It must be 0700.`,
      `Run: chmod 700 ${shellWord(folder)}`,
    );
  }
  const fault = checkBase(socket);
  if (fault !== null) return fault;
  return ok(folderEntry === null ? `${folder} is made at the first start.` : `${folder}, yours alone.`);
}

export function checkSocket({ socket, host }: Facts): Finding {
  const { ok, warning, problem } = endsOf('socket', 'Socket');
  const { path, entry, isAlive, folderEntry } = socket;
  if (entry === null) return ok(`No companion listens at ${path}`);
  if (entry.kind !== 'socket') return problem(`There is something else than a socket at ${path}`, 'Move it away.');
  if (!isAlive) {
    return warning(
      `${path} is what a companion left that was ended by force.`,
      'Nothing to do: the next start puts a new one there.',
    );
  }
  if (host === null && folderEntry !== null && (!folderEntry.isOwn || isOpen(folderEntry))) {
    return warning('Who listens there was not asked, because of its folder.', 'See "Folder of the socket".');
  }
  if (host === null) {
    const why = socket.fault === null ? '' : ` (${socket.fault})`;
    return problem(
      `Something listens at ${path}, but does not answer as a companion${why}.`,
      'End it, then start the companion.',
    );
  }
  if (!entry.isOwn || isOpen(entry))
    return warning(`${path} has mode ${octal(entry.mode)}; it should be 0600.`, `Run: chmod 600 ${shellWord(path)}`);
  return ok(`A companion answers at ${path}`);
}

export function checkInstances({ socket, host, lock, state }: Facts): Finding {
  const { ok, problem } = endsOf('instances', 'One companion');
  const { pid, listensIn } = lock;
  if (pid === null) return ok(host === null ? 'None runs.' : 'One runs.');
  const isHere = listensIn === null || listensIn.includes(socket.folder);
  if (host !== null && isHere) return ok(`One runs, process ${pid}.`);
  if (host !== null) {
    return problem(
      `Two run: one answers, and another, process ${pid}, holds ${state.folder}`,
      `End the one you do not want (kill ${pid} ends the other).`,
    );
  }
  if (socket.isAlive && isHere) return ok(`One runs, process ${pid}.`);
  const where = listensIn?.[0];
  const elsewhere = where === undefined ? 'on no socket that this shell knows' : `in ${where}`;
  return problem(
    `A companion runs, process ${pid}, but listens ${elsewhere}; this shell looks in ${socket.folder}`,
    'Give this shell the XDG_RUNTIME_DIR of the desktop (and COMPANION_SOCKET, if it is set there), or start the companion again.',
  );
}

function tellFault({ path, why }: StateFault, problem: Ends['problem']): Finding {
  if (why === 'no file')
    return problem(`${path} is a link or no file. The companion does not start with it.`, 'Move it away.');
  if (why === 'open')
    return problem(
      `Others may read ${path}. The companion does not start with it.`,
      `Run: chmod 600 ${shellWord(path)}`,
    );
  return problem(
    `${path} is missing although there is a database. The companion does not start without it.`,
    'Put it back from a backup, or move companion.db away; then pair your programs again.',
  );
}

export function checkState({ state }: Facts): Finding {
  const { ok, problem } = endsOf('state', 'State folder');
  const { folder, entry, isWritable, faults } = state;
  if (entry !== null && entry.kind !== 'folder') return problem(`${folder} is a link or no folder.`, 'Move it away.');
  if (entry !== null && !entry.isOwn)
    return problem(`${folder} belongs to another user.`, `Run: sudo chown -R "$(id -un)" ${shellWord(folder)}`);
  if (!isWritable)
    return problem(`${folder} cannot be written.`, 'Is its disk mounted read-only, or its folder closed?');
  if (faults[0] !== undefined) return tellFault(faults[0], problem);
  return ok(entry === null ? `${folder} is made at the first start.` : folder);
}

export function checkDisk({ state }: Facts): Finding {
  const { ok, warning, problem } = endsOf('disk', 'Disk space');
  const { freeBytes, folder } = state;
  if (freeBytes === null) return ok('Not known.');
  const seen = `${Math.floor(freeBytes / MIB)} MiB free for ${folder}`;
  if (freeBytes >= COMFORTABLE_BYTES) return ok(seen);
  const mend = 'Make room on that disk.';
  return freeBytes < NEEDED_BYTES ? problem(`Only ${seen}`, mend) : warning(`Only ${seen}`, mend);
}

export function checkSettings({ settings: { file, isThere, fault } }: Facts): Finding {
  const { ok, problem } = endsOf('settings', 'Settings');
  if (fault === null) return ok(isThere ? file : `There is no ${file}, nor need there be one.`);
  return problem(`${fault}. The companion does not start with it.`, `Correct ${file}, or move it away.`);
}

export function checkCredentials({ credentials }: Facts): Finding {
  const { ok, warning, problem } = endsOf('credentials', 'Keys');
  const { folder, folderEntry, faults, count } = credentials;
  if (folderEntry !== null && (!folderEntry.isOwn || (folderEntry.mode & 0o022) !== 0)) {
    return problem(
      `Others may write to ${folder}, so no key in it is used.`,
      folderEntry.isOwn ? `Run: chmod 700 ${shellWord(folder)}` : 'It is another user’s. Move it away and pair again.',
    );
  }
  const unsafe = faults.filter(({ isUnsafe }) => isUnsafe).map(({ file }) => shellWord(file));
  if (unsafe.length > 0) {
    return problem(
      `Others may read these, or they are no files of yours, so they are not used: ${unsafe.join(', ')}`,
      // Of a link it would change what the link leads to, and a folder could not be opened any more.
      `Run: chmod 600 ${unsafe.join(' ')} (a link, a folder or another user’s file: move it away and pair again instead).`,
    );
  }
  const broken = faults.map(({ profile }) => profile);
  if (broken.length > 0) {
    return warning(
      `No key can be read from: ${broken.join(', ')}.`,
      'Pair them again, with --replace and --credential-profile NAME.',
    );
  }
  return ok(
    count === 0 ? 'No program is paired yet.' : `Of ${count} program${count === 1 ? '' : 's'}, readable by you alone.`,
  );
}

export function checkAutostart({ autostart: { enabled, by, repair } }: Facts): Finding {
  const { ok, warning } = endsOf('autostart', 'Start with the desktop');
  if (repair !== null && by === null) return ok(`Not by us: ${repair}.`);
  if (repair !== null) {
    return warning(`It needs mending: ${repair}.`, 'Run: companion autostart enable (or disable, to have it gone)');
  }
  return ok(enabled ? `On, by ${by === 'systemd' ? 'a systemd user service' : 'an XDG autostart entry'}.` : 'Off.');
}
