/** The closed vocabularies of the protocol: kinds, interaction types, tones, scopes, views, styles (spec §2, §5). */

export const KINDS = ['animation', 'notice', 'progress', 'interaction'] as const;
export type Kind = (typeof KINDS)[number];

export const TONES = ['information', 'success', 'warning', 'error'] as const;
export type Tone = (typeof TONES)[number];

/** Scopes that go with each other on one key. */
export const CLIENT_SCOPES = ['discover', 'animate', 'notify', 'interact'] as const;
/** Stands alone on a key: shows, hides, pauses the figure on the user's behalf (R17). */
export const CONTROL_SCOPE = 'vendor.internal.companion.control';
export const SCOPES = [...CLIENT_SCOPES, CONTROL_SCOPE] as const;
export type Scope = (typeof SCOPES)[number];

/** How something can be drawn. A closed list; a capability picks one (R18). */
export const VIEWS = ['clip', 'notice', 'progress', 'choice', 'text', 'choices', 'form'] as const;
export type View = (typeof VIEWS)[number];

export const STYLE_IDS = ['plain', 'comic', 'terminal', 'large-text'] as const;
export type StyleId = (typeof STYLE_IDS)[number];

export const LANGUAGES = ['en', 'zh-CN'] as const;
export type Language = (typeof LANGUAGES)[number];

export const COMPLETIONS = ['clip_end', 'displayed', 'owner', 'user_response'] as const;
export type Completion = (typeof COMPLETIONS)[number];

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };
