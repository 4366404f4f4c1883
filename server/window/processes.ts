/** The processes of one Chromium: they share the process group we started it in, and nobody else is ever signalled. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const GONE_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 20;

/** Ends the group of `pid`, which we started as its leader, and resolves when none of it is left (at most 5 s later). */
export async function endGroup(pid: number): Promise<void> {
  signalGroup(pid);
  const until = performance.now() + GONE_WITHIN_MS;
  while (hasMembers(pid) && performance.now() < until) await delay(LOOK_EVERY_MS);
}

function signalGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left in it.
  }
}

/** Dead ones that nobody has collected yet do not count: they hold no file and no memory. */
function hasMembers(group: number): boolean {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return isSignallable(group);
  }
  return names.some((name) => /^\d+$/.test(name) && isAliveIn(name, group));
}

function isAliveIn(pid: string, group: number): boolean {
  try {
    const [state, , pgrp] = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(pgrp) === group && state !== 'Z' && state !== 'X';
  } catch {
    return false;
  }
}

function isSignallable(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}
