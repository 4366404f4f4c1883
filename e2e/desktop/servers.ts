/** X servers without a screen: Xvfb, whose memory can be read, and Xorg with the dummy driver, whose monitors come and go. */
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { announced, start } from './processes.ts';

export interface ServerOptions {
  readonly kind: 'xvfb' | 'dummy';
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
  /** For its files; ours alone. */
  readonly folder: string;
}

export interface Server {
  readonly display: string;
  readonly process: ChildProcess;
  /** The file that is the screen's memory, in XWD's format; null where there is none. */
  readonly memory: string | null;
}

/** No input device: the pointer and the keyboard are those of XTEST. */
const DUMMY_CONFIG = (width: number, height: number): string => `
Section "ServerFlags"
  Option "AutoAddDevices" "false"
  Option "AutoEnableDevices" "false"
  Option "AllowMouseOpenFail" "true"
  Option "DontVTSwitch" "true"
EndSection
Section "Device"
  Identifier "card"
  Driver "dummy"
  VideoRam 262144
EndSection
Section "Monitor"
  Identifier "monitor"
  HorizSync 1-2000
  VertRefresh 1-2000
EndSection
Section "Screen"
  Identifier "screen"
  Device "card"
  Monitor "monitor"
  DefaultDepth 24
  SubSection "Display"
    Depth 24
    Modes "${width}x${height}"
  EndSubSection
EndSection
`;

function startXvfb({ width, height, dpi, folder }: ServerOptions): ChildProcess {
  const args = ['-screen', '0', `${width}x${height}x24`, '-dpi', String(dpi), '-fbdir', folder];
  return startServer('Xvfb', args);
}

function startDummy({ width, height, dpi, folder }: ServerOptions): ChildProcess {
  const config = join(folder, 'xorg.conf');
  writeFileSync(config, DUMMY_CONFIG(width, height));
  const log = join(folder, 'xorg.log');
  return startServer('Xorg', ['-config', config, '-logfile', log, '-dpi', String(dpi), '-novtswitch', '-sharevts']);
}

const startServer = (program: string, args: readonly string[]): ChildProcess =>
  start(program, ['-displayfd', '3', '-nolisten', 'tcp', '-noreset', '-nocursor', ...args], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });

/** Starts an X server on a display number that is free, and resolves once it serves. */
export async function startXServer(options: ServerOptions): Promise<Server> {
  mkdirSync(options.folder, { recursive: true });
  const child = options.kind === 'xvfb' ? startXvfb(options) : startDummy(options);
  const display = `:${await announced(child)}`;
  return { display, process: child, memory: options.kind === 'xvfb' ? join(options.folder, 'Xvfb_screen0') : null };
}
