/** A button for what cannot be undone: the first press asks, the second one does it. */
import { useState } from 'preact/hooks';
import { useShell } from '../shell.ts';

interface ConfirmProps {
  readonly action: 'erase' | 'revoke';
  readonly label: string;
  readonly sure: string;
  readonly warning?: string;
  readonly onSure: () => void;
}

export function Confirm({ action, label, sure, warning, onSure }: ConfirmProps) {
  const { words, armMs } = useShell();
  const [askedAt, setAskedAt] = useState<number | null>(null);
  const press = (): void => {
    const nowMs = performance.now();
    if (askedAt === null) setAskedAt(nowMs);
    // A double click is one intention, not two.
    else if (nowMs - askedAt >= armMs) {
      setAskedAt(null);
      onSure();
    }
  };
  return (
    <div class="confirm" data-asked={askedAt !== null}>
      {askedAt !== null && warning !== undefined && <p class="fault">{warning}</p>}
      <button type="button" class="button danger" data-action={action} data-confirm={askedAt !== null} onClick={press}>
        {askedAt === null ? label : sure}
      </button>
      {askedAt !== null && (
        <button type="button" class="button quiet" data-action="keep" onClick={() => setAskedAt(null)}>
          {words.keep}
        </button>
      )}
    </div>
  );
}
