/** What the ID of a pack looks like, which is also the name of its folder. */

export const PACK_ID = /^(?=.{1,128}$)[a-z][A-Za-z0-9-]*(\.[a-z][A-Za-z0-9-]*)+$/;
