/** A short text. Its title and close button belong to every card's frame. */
import { partId, type ViewProps } from './view.ts';

export function NoticeView({ requestId, presentation }: ViewProps<'notice'>) {
  return (
    <p class="text" id={partId(requestId, 'text')} dir="auto">
      {presentation.text}
    </p>
  );
}
