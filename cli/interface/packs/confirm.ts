/** Asks the user for a plain yes or no. */
import type { Conversation } from '../define.ts';

interface Asking {
  /** Taken as answered with yes. */
  readonly yes: boolean | undefined;
  /** What is highlighted; never taken by itself. */
  readonly suggests: 'yes' | 'no';
}

/** True when the answer is yes; a no is told as `declined`. Errors: E_CANCELLED. */
export async function isConfirmed(
  conversation: Conversation,
  id: string,
  question: string,
  { yes, suggests }: Asking,
): Promise<boolean> {
  if (yes === true) return true;
  const answer = await conversation.ask({ id, question, options: ['yes', 'no'], defaultValue: suggests });
  if (answer === 'yes') return true;
  conversation.data('declined', { id, question });
  return false;
}
