/** Loads the code of the doors; it lies beside the CLI in files of its own, for few commands need it. */
import type * as Bridge from './bridge/entry.ts';
import type * as Mcp from './mcp/entry.ts';
import type * as Watch from './watch/entry.ts';

// Names the bundler cannot follow.
const WATCH: string = './watch.cjs';
const MCP: string = './mcp.cjs';
const BRIDGE: string = './bridge.cjs';

// Not by `import`: that first looks through all of the text for names, which takes as long as the rest of the loading.
/** `companion watch` and `companion run`. */
export const loadWatch = async (): Promise<typeof Watch> => require(WATCH) as typeof Watch;
/** The MCP server and its SDK. */
export const loadMcp = async (): Promise<typeof Mcp> => require(MCP) as typeof Mcp;
/** What stands on the session bus. */
export const loadBridge = async (): Promise<typeof Bridge> => require(BRIDGE) as typeof Bridge;
