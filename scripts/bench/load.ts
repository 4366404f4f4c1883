/** The load client (load.c): compiled once a run, then told whom to call, how often and how fast. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './programs.ts';

export interface Timing {
  /** Microseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly perSecond: number;
}

export interface Target {
  readonly framing: 'raw' | 'http' | 'dbus';
  readonly socketPath: string;
  /** Bytes of one call. */
  readonly request: string | Buffer;
  /** Bytes that go first on each connection. */
  readonly greeting?: Buffer;
}

export interface Pace {
  readonly connections: number;
  readonly calls: number;
  /** Pause before each call, in microseconds. */
  readonly pauseUs?: number;
}

export interface Load {
  calls(target: Target, pace: Pace): Promise<Timing>;
  /** Overwrites of 4 KiB with fsync, in the bench's folder. */
  syncs(count: number, pauseUs?: number): Promise<Timing>;
}

/** Builds the load client in `folder`, which also says which disk is measured. Needs `cc`. */
export async function buildLoad(folder: string): Promise<Load> {
  const program = join(folder, 'load');
  await run('cc', ['-O2', '-o', program, join('scripts', 'bench', 'load.c')]);
  const take = async (args: readonly string[]): Promise<Timing> => {
    const { refused, ...timing } = JSON.parse(await run(program, args)) as Timing & { refused: number };
    if (refused > 0) throw new Error(`${refused} calls were refused`);
    return timing;
  };
  return {
    calls: ({ framing, socketPath, request, greeting }, { connections, calls, pauseUs = 0 }) => {
      const file = join(folder, 'request');
      writeFileSync(file, request);
      const args = ['calls', framing, socketPath, String(connections), String(calls), String(pauseUs), file];
      if (greeting === undefined) return take(args);
      writeFileSync(`${file}-greeting`, greeting);
      return take([...args, `${file}-greeting`]);
    },
    syncs: (count, pauseUs = 0) => take(['sync', join(folder, 'floor'), String(count), String(pauseUs)]),
  };
}

/** A call as HTTP on the Unix socket. */
export function httpRequest(key: string, body: string): string {
  const head = [
    'POST /rpc HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    'Companion-Protocol: 0.1',
    `Authorization: Bearer ${key}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
