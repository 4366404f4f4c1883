/** Keeps what the user has begun to type or pick while its card is folded away. In memory only, and bounded. */
import { useState } from 'preact/hooks';

const MAX_DRAFTS = 16;
const drafts = new Map<string, unknown>();

/** State that outlives the card: of more than 16 drafts the oldest is forgotten. */
export function useDraft<Value>(requestId: string, initial: Value): [Value, (value: Value) => void] {
  const [value, setValue] = useState<Value>(() => (drafts.has(requestId) ? (drafts.get(requestId) as Value) : initial));
  const keep = (next: Value): void => {
    drafts.delete(requestId);
    drafts.set(requestId, next);
    const oldest = drafts.keys().next();
    if (drafts.size > MAX_DRAFTS && !oldest.done) drafts.delete(oldest.value);
    setValue(next);
  };
  return [value, keep];
}

export const forgetDraft = (requestId: string): void => void drafts.delete(requestId);
