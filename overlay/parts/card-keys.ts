/** Keys on a card that has the focus: Escape closes, arrows walk the options, 1 to 9 pick one. */

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'checkbox');

/** Handles one key on `card`; `dismiss` closes it. What is typed into a field stays with the field. */
export function handleCardKey(
  event: KeyboardEvent & { readonly currentTarget: HTMLElement },
  dismiss: () => void,
): void {
  if (event.isComposing) return;
  if (event.key === 'Escape') {
    event.stopPropagation();
    dismiss();
    return;
  }
  if (isTyping(event.target) || event.ctrlKey || event.altKey || event.metaKey) return;
  const options = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button[data-option-id]:enabled')];
  const step = STEPS[event.key];
  if (step !== undefined) walk(event, options, step);
  else if (/^[1-9]$/.test(event.key)) {
    const hinted = event.currentTarget.querySelector<HTMLButtonElement>(`button[data-hint="${event.key}"]:enabled`);
    if (hinted === null) return;
    event.preventDefault();
    hinted.focus();
    hinted.click();
  }
}

function walk(event: KeyboardEvent, options: readonly HTMLButtonElement[], step: number): void {
  // Arrows scroll a block of details that has the focus.
  if (options.length === 0 || (event.target instanceof Element && event.target.matches('[data-role="details"]')))
    return;
  event.preventDefault();
  const group = groupOf(options, event.target);
  const at = group.indexOf(event.target as HTMLButtonElement);
  const next = at < 0 ? (step > 0 ? 0 : group.length - 1) : (at + step + group.length) % group.length;
  group[next]?.focus();
}

/** A form may hold several groups of options; arrows stay within one. */
function groupOf(options: readonly HTMLButtonElement[], target: EventTarget | null): readonly HTMLButtonElement[] {
  const own = target instanceof Element ? target.closest('.options') : null;
  return own === null ? options : options.filter((option) => own.contains(option));
}
