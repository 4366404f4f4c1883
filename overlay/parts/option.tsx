/** One option of a question. Its text begins with its label; the number beside it is drawn by the style sheet (R13). */
import type { OptionItem } from '../../server/protocol/presentation.ts';
import { useShell } from '../shell.ts';

interface OptionProps {
  readonly option: OptionItem;
  readonly index: number;
  readonly disabled: boolean;
  readonly suggested?: boolean;
  /** As a checkbox or radio button: whether it is picked. Without it, pressing it answers. */
  readonly checked?: boolean;
  readonly role?: 'checkbox' | 'radio';
  readonly onPick: () => void;
}

const MAX_SHORTCUT = 9;

export function Option({ option, index, disabled, suggested = false, checked, role, onPick }: OptionProps) {
  const { words } = useShell();
  const shortcut = role !== 'radio' && index < MAX_SHORTCUT ? String(index + 1) : undefined;
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: aria-checked comes with the role that allows it
    <button
      type="button"
      class="option"
      data-option-id={option.id}
      data-hint={shortcut}
      data-suggested={suggested}
      role={role}
      aria-checked={checked}
      aria-keyshortcuts={shortcut}
      disabled={disabled}
      onClick={onPick}
    >
      <span class="option-label" dir="auto">
        {option.label}
      </span>
      {suggested && <span class="chip">{words.suggested}</span>}
      {option.description !== undefined && (
        <span class="option-text" dir="auto">
          {option.description}
        </span>
      )}
    </button>
  );
}
