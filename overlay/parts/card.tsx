/** The frame of every card: who speaks, in which tone, the title, and how to close it. Text is text nodes only. */
import type { Card } from '../../server/protocol/link.ts';
import type { CardPresentation } from '../../server/protocol/presentation.ts';
import { type Placed, SPACE_PROPERTY } from '../arrange.ts';
import type { Trouble } from '../model.ts';
import { type Shell, useShell } from '../shell.ts';
import { ChoiceView } from '../views/choice.tsx';
import { ChoicesView } from '../views/choices.tsx';
import { FormView } from '../views/form.tsx';
import { NoticeView } from '../views/notice.tsx';
import { ProgressView } from '../views/progress.tsx';
import { TextView } from '../views/text.tsx';
import { partId, type ViewProps } from '../views/view.ts';
import type { Words } from '../words.ts';
import { handleCardKey } from './card-keys.ts';
import { CloseIcon, ToneIcon } from './icons.tsx';

interface CardFrameProps {
  readonly card: Card;
  readonly place: Placed;
  readonly busy: boolean;
  readonly trouble: Trouble | null;
}

/** The inline style of a place: nothing while the card is free. */
export const placeStyle = ({ heightPx, spaceAfterPx }: Placed): Record<string, string> => ({
  ...(heightPx === null ? {} : { flex: 'none', blockSize: `${heightPx}px`, minBlockSize: '0' }),
  ...(spaceAfterPx === 0 ? {} : { [SPACE_PROPERTY]: `${spaceAfterPx}px` }),
});

const isQuestion = ({ view }: CardPresentation): boolean => view !== 'notice' && view !== 'progress';

/** What closing the card means. */
function closingOf({ elsewhere, presentation }: Card, words: Words): string {
  if (elsewhere) return words.dismissElsewhere;
  if (isQuestion(presentation)) return words.dismissQuestion;
  return presentation.view === 'progress' ? words.dismissProgress : words.dismissNotice;
}

export function CardFrame({ card, place, busy, trouble }: CardFrameProps) {
  const shell = useShell();
  const { words } = shell;
  const { requestId, presentation } = card;
  const act = actsOf(card, shell);
  const question = isQuestion(presentation);
  const closing = closingOf(card, words);
  const { title } = presentation;
  return (
    <section
      class="card"
      data-card={requestId}
      data-request-id={requestId}
      data-view={presentation.view}
      data-status={card.status}
      data-tone={presentation.tone}
      data-style={card.style}
      data-client={card.client}
      role={question ? 'dialog' : 'group'}
      aria-labelledby={partId(requestId, title === null ? 'text' : 'title')}
      tabIndex={-1}
      style={placeStyle(place)}
      onKeyDown={(event) => handleCardKey(event, act.dismiss)}
    >
      <header class="card-head">
        <span class="tone" role="img" aria-label={words.tone[presentation.tone]}>
          <ToneIcon tone={presentation.tone} />
        </span>
        <p class="source">
          {words.from} <bdi dir="auto">{card.client}</bdi>
        </p>
        <button
          type="button"
          class="icon-button"
          data-action="dismiss"
          aria-label={closing}
          title={closing}
          disabled={busy}
          onClick={act.dismiss}
        >
          <CloseIcon />
        </button>
      </header>
      {/* What scrolls must be reachable by keyboard; a question has fields and buttons for that. */}
      <div class="card-body" data-scroll tabIndex={question ? undefined : 0}>
        {title !== null && (
          <h2 class="title" id={partId(requestId, 'title')} dir="auto">
            {title}
          </h2>
        )}
        {card.elsewhere && (
          <p class="hint" data-role="elsewhere">
            {words.elsewhere}
          </p>
        )}
        <View
          requestId={requestId}
          presentation={presentation}
          busy={busy}
          trouble={trouble}
          control={card.control}
          deadlineAt={card.deadlineAt}
          answer={act.answer}
          decline={act.decline}
          press={act.press}
        />
      </div>
      {trouble !== null && (
        <p class="fault trouble" role="alert" data-role="trouble">
          {words[trouble.kind]}
        </p>
      )}
      <span class="tail" aria-hidden="true" />
    </section>
  );
}

/** What the user may do with the card. An answer switches it off until the host has stored it or given it back. */
function actsOf({ requestId }: Card, { send, happen }: Shell) {
  const finish = (): void => happen({ type: 'sent', requestId });
  return {
    answer: (result: Parameters<ViewProps<'choice'>['answer']>[0]) => {
      send({ type: 'answer', requestId, result });
      finish();
    },
    decline: () => {
      send({ type: 'decline', requestId });
      finish();
    },
    dismiss: () => {
      send({ type: 'dismiss', requestId });
      finish();
    },
    press: (action: Parameters<ViewProps<'progress'>['press']>[0]) => send({ type: 'control', requestId, action }),
  };
}

function View({
  presentation,
  ...rest
}: Omit<ViewProps<'notice'>, 'presentation'> & { readonly presentation: CardPresentation }) {
  switch (presentation.view) {
    case 'notice':
      return <NoticeView {...rest} presentation={presentation} />;
    case 'progress':
      return <ProgressView {...rest} presentation={presentation} />;
    case 'choice':
      return <ChoiceView {...rest} presentation={presentation} />;
    case 'text':
      return <TextView {...rest} presentation={presentation} />;
    case 'choices':
      return <ChoicesView {...rest} presentation={presentation} />;
    case 'form':
      return <FormView {...rest} presentation={presentation} />;
  }
}
