/** A companion, a shell beside it, and scripted programs to run and to watch in it. */
import { join } from 'node:path';
import { endAll, type Started } from '../faults/processes.ts';
import { openShell, type Shell } from '../faults/shell.ts';
import { enableAccess, press } from '../faults/user.ts';
import { type LaunchedCompanion, launchCompanion, until } from '../harness.ts';

export const SPEAKER = join(import.meta.dirname, 'speaker.mjs');

export type Step = Readonly<Record<string, unknown>>;

/** What a card shows, as far as tests look at it. */
export interface SeenCard {
  readonly requestId: string;
  readonly view: string;
  readonly tone: string;
  readonly text: string;
}

export interface Watching {
  readonly companion: LaunchedCompanion;
  readonly shell: Shell;
  /** `companion watch OPTION… -- speaker`, under `title`. */
  watch(title: string, steps: readonly Step[], ...options: readonly string[]): Started;
  run(title: string, steps: readonly Step[], ...options: readonly string[]): Started;
  cards(): Promise<readonly SeenCard[]>;
  /** The first card that fits, as soon as there is one. */
  card(what: string, fits: (card: SeenCard) => boolean): Promise<SeenCard>;
  press(card: SeenCard, selector: string): Promise<void>;
  stop(): Promise<void>;
}

const CARDS = `[...document.querySelectorAll('[data-request-id]')].map((card) => ({
  requestId: card.dataset.requestId, view: card.dataset.view, tone: card.dataset.tone, text: card.textContent,
}))`;

export async function startWatching(): Promise<Watching> {
  const companion = await launchCompanion();
  const { page } = companion;
  await enableAccess(page);
  const shell = openShell(companion);
  const paired = await shell.pair('watcher');
  if (paired.code !== 0) throw new Error('the pairing failed');
  const speak =
    (verb: string) =>
    (title: string, steps: readonly Step[], ...options: readonly string[]): Started =>
      shell.start(verb, '--title', title, ...options, '--', process.execPath, SPEAKER, JSON.stringify(steps));
  const cards = async (): Promise<readonly SeenCard[]> => (await page.evaluate(CARDS)) as readonly SeenCard[];
  return {
    companion,
    shell,
    watch: speak('watch'),
    run: speak('run'),
    cards,
    card: (what, fits) => until(what, async () => (await cards()).find(fits)),
    press: ({ requestId }, selector) => press(page, `[data-request-id="${requestId}"] ${selector}`),
    stop: async () => {
      await endAll();
      await companion.stop();
    },
  };
}
