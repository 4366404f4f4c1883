/** The last row of a question: until when it stands open, declining, and sending. */
import { useShell } from '../shell.ts';
import { formatMoment } from '../text.ts';

interface ActionsProps {
  /** Epoch ms. */
  readonly deadlineAt: number;
  readonly busy: boolean;
  /** null: this question may not be declined. */
  readonly decline: (() => void) | null;
  /** null: the options themselves send. */
  readonly submit: (() => void) | null;
  readonly blocked?: boolean;
}

export function Actions({ deadlineAt, busy, decline, submit, blocked = false }: ActionsProps) {
  const { words, language } = useShell();
  return (
    <footer class="actions">
      <span class="hint">{busy ? words.saving : words.waitsUntil(formatMoment(language, deadlineAt, Date.now()))}</span>
      {decline && (
        <button type="button" class="button quiet" data-action="decline" disabled={busy} onClick={decline}>
          {words.decline}
        </button>
      )}
      {submit && (
        <button
          type="button"
          class="button primary"
          data-action="submit"
          disabled={busy}
          aria-disabled={blocked}
          onClick={submit}
        >
          {words.submit}
        </button>
      )}
    </footer>
  );
}
