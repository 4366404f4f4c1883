/** Row 29: what an agent waits for at a hook that needs no user, the whole process, beside the start of an empty Node. */
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, Section } from './bench.ts';
import { keepKey } from './companion.ts';
import { type Figure, judge, notMeasured } from './figure.ts';
import { bootNode, DIST, end, missing, start, which } from './programs.ts';
import { folders, socketOf } from './serve.ts';
import { interleave, sleep } from './stats.ts';

const ROW = 29;
const PROFILE = 'hooks';
const FAST = join(DIST, 'companion-fast');
const EVENT = JSON.stringify({
  session_id: 'bench',
  cwd: '/project',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'make test' },
});
/** All that the shell script needs of a system where curl is not installed. */
const WITHOUT_CURL = ['sh', 'ls', 'cat', 'node'];

type Env = Readonly<Record<string, string | undefined>>;

/** Folders with a paired profile and no host; `dead`: one was there and was killed. */
async function homeWithoutHost(bench: Bench, dead: boolean): Promise<Env> {
  const env = folders(mkdtempSync(join(bench.folder, 'hook-')));
  const socketPath = socketOf(env);
  const key = `cmp_${'A'.repeat(43)}`;
  keepKey(env, PROFILE, { key, clientId: PROFILE, scopes: ['interact'] });
  const room = join(socketPath, '..');
  mkdirSync(room, { recursive: true, mode: 0o700 });
  chmodSync(room, 0o700);
  if (!dead) return env;
  const listen = `require('node:net').createServer().listen(${JSON.stringify(socketPath)})`;
  const host = start(process.execPath, ['-e', listen], { stdio: 'ignore' });
  while (!existsSync(socketPath)) await sleep(20);
  await end(host, 'SIGKILL');
  return env;
}

/** A folder of programs that holds no curl. */
function pathWithoutCurl(bench: Bench): string {
  const folder = mkdtempSync(join(bench.folder, 'path-'));
  for (const name of WITHOUT_CURL) symlinkSync(which(name) ?? '', join(folder, name));
  return folder;
}

/** Milliseconds from exec to the end of the hook. Throws when it does not abstain. */
async function hook(env: Env): Promise<number> {
  const startedAt = performance.now();
  const child = start('sh', [FAST, 'hook', 'claude-code'], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let said = '';
  child.stdout?.on('data', (chunk) => {
    said += chunk;
  });
  child.stdin?.on('error', () => {});
  child.stdin?.end(EVENT);
  const [code] = await once(child, 'exit');
  const tookMs = performance.now() - startedAt;
  if (code !== 0 || said !== '') throw new Error(`the hook ended with ${code} and said something: ${said !== ''}`);
  return tookMs;
}

async function measure(bench: Bench): Promise<Figure[]> {
  const noCurl = missing('curl');
  if (noCurl !== null) return [notMeasured(ROW, 'hooks', noCurl)];
  const companion = await bench.companion();
  const { client, key, clientId } = await companion.pair();
  keepKey(companion.env, PROFILE, { key, clientId, scopes: ['interact'] });
  const up = companion.env;
  const [none, dead] = [await homeWithoutHost(bench, false), await homeWithoutHost(bench, true)];
  const PATH = pathWithoutCurl(bench);
  const taken = await interleave(bench.quick ? 8 : 40, {
    boot: bootNode,
    withCurl: () => hook(up),
    without: () => hook({ ...up, PATH }),
    noSocket: () => hook(none),
    deadSocket: () => hook(dead),
  });
  client.close();
  await companion.ask('clear');
  const figure = (name: string, product: readonly number[], ratioAtMost: number): Figure =>
    judge({
      row: ROW,
      name: `\`companion-fast hook\`, ${name}`,
      unit: 'ms',
      floorName: 'node -e 0',
      floor: taken.boot,
      product,
      goal: { ratioAtMost },
    });
  return [
    figure('with curl', taken.withCurl, 0.5),
    figure('without curl', taken.without, 1.4),
    figure('no socket', taken.noSocket, 0.1),
    figure('a dead socket', taken.deadSocket, 0.35),
  ];
}

export const hooks: Section = { rows: [ROW], measure };
