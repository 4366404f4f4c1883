/** What changing a file of somebody else's comes down to: text in, text out, or the reason why not. Throws nothing. */

/** A place in a file of settings: names of properties and tables, from the outside in. */
export type Path = readonly string[];

export type Edited = { readonly text: string } | { readonly fault: string };

/** The data of a text, or what is wrong with it. */
export type Read = { readonly value: unknown } | { readonly fault: string };
