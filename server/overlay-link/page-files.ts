/** The page's files, and the policy under which they run: nothing from elsewhere, nothing to elsewhere. */
import { readFile, realpath } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';

/** What the page may load and reach (design §2). */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  'media-src blob:',
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const MAX_CACHED_BYTES = 16 * 1024 * 1024;
/** A restarted page must not read 16 MiB from the disk again, nor a busy one keep every pack it ever showed. */
const MAX_CACHED_FILE_BYTES = 2 * 1024 * 1024;

export interface PageFile {
  readonly type: string;
  readonly body: Buffer;
}

/** With what headers a file goes to the page. */
export const headersFor = ({ type }: PageFile): Readonly<Record<string, string>> => ({
  'content-type': type,
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
});

/** Reads files below one folder by their path in the page. */
export type PageFiles = (path: string) => Promise<PageFile | null>;

/** `path` is relative to `folder` and still percent-encoded; '' is the page itself. Null: no such file, or one outside. */
export function openPageFiles(folder: string): PageFiles {
  const cache = new Map<string, PageFile>();
  let cachedBytes = 0;
  return async (path) => {
    const name = toName(path);
    if (name === null) return null;
    const cached = cache.get(name);
    if (cached !== undefined) return cached;
    const file = await readInside(folder, name);
    if (
      file !== null &&
      file.body.length <= MAX_CACHED_FILE_BYTES &&
      cachedBytes + file.body.length <= MAX_CACHED_BYTES
    ) {
      cache.set(name, file);
      cachedBytes += file.body.length;
    }
    return file;
  };
}

/** Plain names only: no parts that go up, hide, or mean something to the file system. */
function toName(path: string): string | null {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return null;
  }
  if (decoded === '') return 'index.html';
  const plain = decoded.split('/').every((part) => part !== '' && !part.startsWith('.') && !/[\\\0]/.test(part));
  return plain ? decoded : null;
}

async function readInside(folder: string, name: string): Promise<PageFile | null> {
  const type = TYPES[extname(name)];
  if (type === undefined) return null;
  try {
    const [root, file] = await Promise.all([realpath(folder), realpath(join(folder, name))]);
    return file.startsWith(root + sep) ? { type, body: await readFile(file) } : null;
  } catch {
    return null;
  }
}
