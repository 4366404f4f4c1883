/** A command, a diff, a longer text: monospaced, scrollable, with nothing hidden in it. */
import { useShell } from '../shell.ts';
import { showHidden } from '../text.ts';

export function Details({ text }: { readonly text: string | null }) {
  const { words } = useShell();
  if (text === null) return null;
  return (
    <pre
      class="details"
      data-role="details"
      data-scroll
      dir="auto"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      role="region"
      aria-label={words.details}
    >
      {showHidden(text)}
    </pre>
  );
}
