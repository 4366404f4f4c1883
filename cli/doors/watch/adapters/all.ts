/** Every format `companion watch` knows, in the order in which they are asked whether a line is theirs. */
import type { Adapter } from '../adapter.ts';
import { ndjson } from './ndjson.ts';

export const ADAPTERS: readonly Adapter[] = [ndjson];
