/** Puts text where the user can paste it from. */

/** Reports whether it could. To be called soon after a press; the page need not have the keyboard. */
export function copyText(text: string): boolean {
  const give = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  };
  // Nothing is selected: without this the browser has nothing to copy.
  const allow = (event: Event): void => event.preventDefault();
  document.addEventListener('beforecopy', allow);
  document.addEventListener('copy', give);
  // The newer interface refuses a page without the keyboard, and in a window of ours no press takes it.
  const copied = document.execCommand('copy');
  document.removeEventListener('copy', give);
  document.removeEventListener('beforecopy', allow);
  return copied;
}
