/** What the file of the MCP server gives out. */
export {};
