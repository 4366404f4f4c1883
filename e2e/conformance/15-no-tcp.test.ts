import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCaller } from '../faults/caller.ts';
import { accepts, endAll, type Started, socketOf, startServe, treeOf } from '../faults/processes.ts';
import { ask, reach } from '../faults/questions.ts';
import { type Home, removeHome, seedHome } from '../faults/seed.ts';

// Spec §5: one Unix socket and nothing else. No process of ours, the browser included, listens on TCP or UDP.
let home: Home;
let host: Started;
beforeAll(async () => {
  home = seedHome();
  host = startServe(home.env);
  const socketPath = socketOf(home.env);
  await accepts(host, socketPath);
  const client = createCaller(socketPath, home.keys[0]!);
  const { requestId } = await ask(client, 'Everything at work?');
  await reach(client, requestId, 'awaiting_user');
  client.close();
});
afterAll(async () => {
  await endAll();
  removeHome(home);
});

/** Inodes of the sockets that `pid` has open. */
function socketsOf(pid: number): Set<string> {
  const inodes = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.slice(1) ?? [];
    } catch {
      // Closed since the folder was read.
      return [];
    }
  });
  return new Set(inodes);
}

/** The rows of a table of `/proc/PID/net`, in the network namespace that process lives in. */
const netTable = (pid: number, name: string): string[][] =>
  readFileSync(`/proc/${pid}/net/${name}`, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((row) => row.trim().split(/\s+/));

const LISTENING_TCP = '0A';
const INODE = 9;

describe('the whole process tree', () => {
  it('is the host and a browser', () => {
    expect(treeOf(host.pid).length).toBeGreaterThan(2);
  });

  it.each(['tcp', 'tcp6'])('listens on no %s port', (table) => {
    for (const pid of treeOf(host.pid)) {
      const mine = socketsOf(pid);
      const listening = netTable(pid, table).filter((row) => row[3] === LISTENING_TCP && mine.has(row[INODE]!));
      expect(listening).toEqual([]);
    }
  });

  it.each(['udp', 'udp6', 'raw', 'raw6'])('has no %s socket that anybody could send to', (table) => {
    for (const pid of treeOf(host.pid)) {
      const mine = socketsOf(pid);
      expect(netTable(pid, table).filter((row) => mine.has(row[INODE]!))).toEqual([]);
    }
  });

  it('appears nowhere in what `ss` lists as listening', () => {
    const listed = execFileSync('ss', ['-lntupH'], { encoding: 'utf8' });
    expect(treeOf(host.pid).filter((pid) => new RegExp(`\\bpid=${pid}\\b`).test(listed))).toEqual([]);
  });

  it('has a host that listens on exactly one Unix socket', () => {
    const mine = socketsOf(host.pid);
    // __SO_ACCEPTCON
    const listening = netTable(host.pid, 'unix').filter((row) => row[3] === '00010000' && mine.has(row[6]!));
    expect(listening).toHaveLength(1);
  });
});
