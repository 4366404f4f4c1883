/** What every part of the page is handed: the words of the language in force, and the way out to the host. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Language } from '../server/protocol/words.ts';
import type { Send, ToWindow } from './link.ts';
import type { Happening, PageName } from './model.ts';
import { WORDS, type Words } from './words.ts';

export interface Shell {
  readonly language: Language;
  readonly words: Words;
  readonly send: Send;
  readonly toWindow: ToWindow;
  /** Changes the page's own state: menu, page, first run. */
  readonly happen: (happening: Happening) => void;
  /** The page lives in the see-through window. */
  readonly shaped: boolean;
  /** Presses sooner than this after the first one do not confirm. */
  readonly armMs: number;
}

export const ShellContext = createContext<Shell>({
  language: 'en',
  words: WORDS.en,
  send: () => undefined,
  toWindow: () => undefined,
  happen: () => undefined,
  shaped: false,
  armMs: 0,
});

export const useShell = (): Shell => useContext(ShellContext);

/** Opens a page of ours; the host fills it. */
export function openPage({ happen, send }: Shell, page: PageName): void {
  happen({ type: 'page', page });
  send({ type: 'open', page });
}
