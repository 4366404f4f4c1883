/** What the file of `watch` and `run` gives out. */
export {};
