/** Real programs that report events, each with a small task in a folder of its own; nothing leaves this machine. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Verdict } from '../../cli/doors/watch/adapter.ts';

export interface ToolRun {
  /** What is done, and with what end. */
  readonly name: string;
  readonly adapter: string;
  readonly program: string;
  readonly args: readonly string[];
  /** In `folder`, what the program needs. */
  prepare(folder: string): void;
  readonly code: number;
  readonly outcome: Verdict['outcome'];
  /** What is said at the end. */
  readonly message: RegExp;
  /** The last percentage to be seen; null: there is none. Absent: there may be one, if it takes long enough. */
  readonly percent?: number | null;
}

export const isInstalled = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

const rustup = join(homedir(), '.rustup');

/** Nothing of the user's settings, no terminal tricks, and no program that looks for news of itself. */
export const toolEnv = (folder: string): Readonly<Record<string, string>> => ({
  CARGO_TERM_COLOR: 'never',
  CARGO_NET_OFFLINE: 'true',
  // A cargo that is a proxy looks for the real one at home, which is another one in tests.
  ...(existsSync(rustup) && { RUSTUP_HOME: process.env.RUSTUP_HOME ?? rustup }),
  RCLONE_CONFIG: join(folder, 'no-rclone.conf'),
  RESTIC_REPOSITORY: join(folder, 'repository'),
  RESTIC_PASSWORD_FILE: join(folder, 'password'),
  RESTIC_CACHE_DIR: join(folder, 'cache'),
  RESTIC_PROGRESS_FPS: '30',
  CHECKPOINT_DISABLE: '1',
  TF_CLI_CONFIG_FILE: '/dev/null',
  TF_IN_AUTOMATION: '1',
});

const crate = (code: string) => (folder: string) => {
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'Cargo.toml'), '[package]\nname = "pebble"\nversion = "0.1.0"\nedition = "2021"\n');
  writeFileSync(join(folder, 'src', 'main.rs'), code);
};

function files(folder: string): void {
  mkdirSync(join(folder, 'from'));
  for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, 'from', name), randomBytes(400_000));
}

const repository = (password: string) => (folder: string) => {
  files(folder);
  writeFileSync(join(folder, 'password'), 'as it was\n');
  const env = { ...process.env, ...toolEnv(folder) };
  execFileSync('restic', ['init'], { env, stdio: 'ignore', timeout: 60_000 });
  writeFileSync(join(folder, 'password'), password);
};

function configuration(folder: string): void {
  writeFileSync(
    join(folder, 'main.tf'),
    `resource "terraform_data" "first" {
  input = "one"
}
resource "terraform_data" "second" {
  input = terraform_data.first.id
}
output "secret" {
  value     = "not to be seen"
  sensitive = true
}
`,
  );
  const env = { ...process.env, ...toolEnv(folder) };
  execFileSync('terraform', ['init'], { cwd: folder, env, stdio: 'ignore', timeout: 60_000 });
}

const cargo = (verb: string): Pick<ToolRun, 'adapter' | 'program' | 'args' | 'percent'> => ({
  adapter: 'cargo',
  program: 'cargo',
  args: [verb, '--offline', '--message-format=json'],
  percent: null,
});
const RCLONE = ['--use-json-log', '--stats', '100ms', '--stats-log-level', 'NOTICE', '--retries', '1'];
const YT_DLP = ['--ignore-config', '--no-cache-dir', '-q', '--progress', '--newline', '--progress-template'];
const YT_DLP_TEMPLATE = 'download:{"ytdlp":%(progress)j,"id":%(info.id)j}';

/** All of them; `url`: where the server below serves. */
export const toolRuns = (url: string): readonly ToolRun[] => [
  {
    ...cargo('build'),
    name: 'cargo builds a crate with a warning',
    prepare: crate('fn main() { let unused = 1; }\n'),
    code: 0,
    outcome: 'done',
    message: /^1 crate, 1 warning$/,
  },
  {
    ...cargo('build'),
    name: 'cargo finds an error',
    prepare: crate('fn main() { let x: u32 = "a"; }\n'),
    code: 101,
    outcome: 'failed',
    message: /^error\[E0308\]: mismatched types \(src\/main\.rs:1\)/,
  },
  {
    ...cargo('test'),
    name: 'cargo builds well, and a test fails',
    prepare: crate('fn main() {}\n#[test]\nfn falls() {\n    assert_eq!(1, 2);\n}\n'),
    code: 101,
    outcome: 'failed',
    message: /^built, and then: FAILED/,
  },
  {
    name: 'rclone copies a folder',
    adapter: 'rclone',
    program: 'rclone',
    args: ['copy', 'from', 'to', '--bwlimit', '2M', ...RCLONE],
    prepare: files,
    code: 0,
    outcome: 'done',
    message: /^3 files, 1\.2 MB$/,
    percent: 100,
  },
  {
    name: 'rclone finds nothing to copy',
    adapter: 'rclone',
    program: 'rclone',
    args: ['copy', 'nowhere', 'to', ...RCLONE],
    prepare: () => {},
    code: 3,
    outcome: 'failed',
    message: /directory not found/,
    percent: null,
  },
  {
    name: 'restic makes a snapshot',
    adapter: 'restic',
    program: 'restic',
    args: ['backup', 'from', '--json'],
    prepare: repository('as it was\n'),
    code: 0,
    outcome: 'done',
    message: /^3 new, 0 changed, 1\.2 MB added, snapshot [0-9a-f]{8}$/,
  },
  {
    name: 'yt-dlp fetches a file',
    adapter: 'yt-dlp',
    program: 'yt-dlp',
    args: [...YT_DLP, YT_DLP_TEMPLATE, `${url}/clip.mp4`],
    prepare: () => {},
    code: 0,
    outcome: 'done',
    message: /^1 file downloaded$/,
    percent: 100,
  },
  {
    name: 'terraform plans',
    adapter: 'terraform',
    program: 'terraform',
    args: ['plan', '-json', '-detailed-exitcode'],
    prepare: configuration,
    code: 2,
    outcome: 'done',
    message: /^there are changes: 2 to add, 0 to change, 0 to destroy$/,
    percent: 0,
  },
  {
    name: 'terraform makes what it planned',
    adapter: 'terraform',
    program: 'terraform',
    args: ['apply', '-json', '-auto-approve'],
    prepare: configuration,
    code: 0,
    outcome: 'done',
    message: /^2 added, 0 changed, 0 destroyed$/,
    percent: 100,
  },
  {
    name: 'terraform may not ask',
    adapter: 'terraform',
    program: 'terraform',
    args: ['apply', '-json'],
    prepare: configuration,
    code: 1,
    outcome: 'failed',
    message: /^Plan file or auto-approve required$/,
    percent: null,
  },
];

/** A server of one small film. */
export async function serveClip(): Promise<{ server: Server; url: string }> {
  const clip = randomBytes(300_000);
  const server = createServer((request, response) => {
    const headers = { 'content-type': 'video/mp4', 'content-length': clip.length };
    response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : clip);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
