/** Downloads: resumed, measured and vouched for while they come. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { download } from './download.ts';
import { answer, serve } from './http.fixture.ts';
import { newFolder } from './library.fixture.ts';
import type { Location } from './source.ts';

const BODY = Buffer.alloc(200_000, 'pack');
const sha256 = createHash('sha256').update(BODY).digest('hex');

function prepare(location: Location, size = BODY.length) {
  const path = join(newFolder(), 'x.part');
  const seen: number[] = [];
  const cancel = new AbortController();
  const steps = { signal: cancel.signal, unpaused: async () => {}, onBytes: (bytes: number) => void seen.push(bytes) };
  return { path, seen, cancel, steps, run: () => download({ location, size, sha256 }, path, steps) };
}

const onDisk = (content: Buffer): Location => {
  const path = join(newFolder(), 'pack.zip');
  writeFileSync(path, content);
  return { kind: 'path', path };
};

describe('a download', () => {
  it('from a folder is the file', async () => {
    const { path, seen, run } = prepare(onDisk(BODY));
    await run();
    expect(readFileSync(path).equals(BODY)).toBe(true);
    expect(seen.at(-1)).toBe(BODY.length);
  });

  it('goes on where an earlier run stopped', async () => {
    const server = await serve((request, response) => answer(request, response, BODY));
    const { path, run } = prepare({ kind: 'http', url: `${server.url}/pack.zip` });
    writeFileSync(path, BODY.subarray(0, 150_000));
    await run();
    expect(server.requests).toEqual([{ path: '/pack.zip', range: 'bytes=150000-' }]);
    expect(readFileSync(path).equals(BODY)).toBe(true);
  });

  it('asks for nothing when all of it is there', async () => {
    const { path, run } = prepare({ kind: 'path', path: '/nowhere/pack.zip' });
    writeFileSync(path, BODY);
    await run();
  });

  it('begins anew when what was there was wrong, or too much', async () => {
    for (const before of [Buffer.alloc(150_000, 'x'), Buffer.alloc(BODY.length, 'x'), Buffer.alloc(300_000)]) {
      const { path, run } = prepare(onDisk(BODY));
      writeFileSync(path, before);
      await run();
      expect(readFileSync(path).equals(BODY)).toBe(true);
    }
  });

  it.each([
    ['shorter', BODY.subarray(0, 100_000), /has 100000 bytes, the index says 200000/],
    ['longer', Buffer.concat([BODY, BODY]), /has more than the 200000 bytes/],
    ['another', Buffer.alloc(BODY.length, 'x'), /does not have the SHA-256/],
  ])('of a file that is %s than the index says is refused, and nothing of it kept', async (_how, content, reason) => {
    const { path, run } = prepare(onDisk(content));
    await expect(run()).rejects.toMatchObject({ code: 'E_INVALID_INPUT', message: expect.stringMatching(reason) });
    expect(existsSync(path)).toBe(false);
  });

  it('stops writing as soon as a server sends more than the index says', async () => {
    const server = await serve((_request, response) => {
      const more = (): void => void response.write(BODY, more);
      more();
    });
    const { run } = prepare({ kind: 'http', url: `${server.url}/pack.zip` });
    await expect(run()).rejects.toMatchObject({ code: 'E_INVALID_INPUT' });
  });

  it('that breaks off keeps what came, for the next run', async () => {
    let broken = false;
    const server = await serve((request, response) => {
      if (broken) return answer(request, response, BODY);
      broken = true;
      response.writeHead(200, { 'content-length': BODY.length });
      return void response.write(BODY.subarray(0, 100_000), () => response.destroy());
    });
    const { path, run, steps } = prepare({ kind: 'http', url: `${server.url}/pack.zip` });
    await expect(run()).rejects.toMatchObject({ code: 'E_NETWORK' });
    expect(existsSync(path)).toBe(true);
    await download(
      { location: { kind: 'http', url: `${server.url}/pack.zip` }, size: BODY.length, sha256 },
      path,
      steps,
    );
    expect(readFileSync(path).equals(BODY)).toBe(true);
  });

  it('of what is not there, or no file, says so', async () => {
    await expect(prepare({ kind: 'path', path: join(newFolder(), 'none.zip') }).run()).rejects.toMatchObject({
      code: 'E_NOT_FOUND',
      message: expect.stringContaining('none.zip'),
    });
    const folder = join(newFolder(), 'folder.zip');
    mkdirSync(folder);
    await expect(prepare({ kind: 'path', path: folder }).run()).rejects.toMatchObject({ code: 'E_INVALID_INPUT' });
  });

  it('takes no byte while it is paused', async () => {
    const { seen, run, steps } = prepare(onDisk(BODY));
    let resume: () => void = () => {};
    const paused = new Promise<void>((begun) => {
      steps.unpaused = () => {
        begun();
        return new Promise((resolve) => {
          resume = resolve;
        });
      };
    });
    const done = run().catch((error: unknown) => error);
    await paused;
    const before = seen.length;
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(seen.length).toBe(before);
    resume();
    expect(await done).toBeUndefined();
  });

  it('ends between two chunks when it is cancelled', async () => {
    const { seen, run, steps, cancel } = prepare(onDisk(Buffer.alloc(3_000_000)), 3_000_000);
    let asked = 0;
    steps.unpaused = async () => {
      asked += 1;
      if (asked === 2) cancel.abort();
    };
    await expect(run()).rejects.toMatchObject({ code: 'E_CANCELLED' });
    expect(seen.at(-1)).toBeLessThan(3_000_000);
  });

  it('on a full disk is E_DISK_FULL', async () => {
    const { steps } = prepare(onDisk(BODY));
    await expect(
      download({ location: onDisk(BODY), size: BODY.length, sha256 }, '/dev/full', steps),
    ).rejects.toMatchObject({ code: 'E_DISK_FULL' });
  });
});
