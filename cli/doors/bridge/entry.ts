/** What the file of the session bus gives out. */
export {};
