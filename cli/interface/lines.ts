/** The lines of the NDJSON interface, protocol 1.0: what may stand on standard output, one JSON object each (§3, §5, §6 there). */
import type { PackErrorCode } from '../../server/packs/types.ts';
import type { Json, JsonObject } from '../../server/protocol/words.ts';

export const NDJSON_VERSION = '1.0';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export type Line =
  | {
      readonly kind: 'progress';
      readonly phase: string;
      /** Whole, 0 to 100; -1: nobody knows. */
      readonly percent: number;
      readonly message: string;
    }
  | { readonly kind: 'log'; readonly level: LogLevel; readonly message: string }
  | { readonly kind: 'data'; readonly dataKind: string; readonly payload: Json }
  | {
      readonly kind: 'prompt';
      readonly id: string;
      readonly question: string;
      readonly options: readonly string[];
      readonly defaultValue: string;
    }
  | {
      readonly kind: 'error';
      readonly code: PackErrorCode;
      readonly message: string;
      /** true: the capability goes on. */
      readonly recoverable: boolean;
      readonly hint?: string;
    }
  /** `error` only when no capability was named. */
  | { readonly kind: 'result'; readonly exitCode: number; readonly data?: JsonObject; readonly error?: string }
  /** UTC, whole seconds. */
  | { readonly kind: 'heartbeat'; readonly ts: string };

/** One line: JSON has no raw line break in it. */
export const toLine = (value: Line | object): string => `${JSON.stringify(value)}\n`;
