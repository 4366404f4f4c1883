/** Every format `companion watch` knows, in the order in which they are asked whether a line is theirs. */
import type { Adapter } from '../adapter.ts';
import { buildkit } from './buildkit.ts';
import { cargo } from './cargo.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { ndjson } from './ndjson.ts';
import { rclone } from './rclone.ts';
import { restic } from './restic.ts';
import { terraform } from './terraform.ts';
import { ytDlp } from './yt-dlp.ts';

export const ADAPTERS: readonly Adapter[] = [
  ndjson,
  claudeCode,
  codex,
  cargo,
  buildkit,
  terraform,
  restic,
  rclone,
  ytDlp,
];
