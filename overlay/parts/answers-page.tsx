/** Answers: who asked what, what was shown, what was chosen and how it ended. */
import type { AnswerRow } from '../../server/protocol/link.ts';
import type { Answers } from '../model.ts';
import { useShell } from '../shell.ts';
import { formatDate } from '../text.ts';
import type { Words } from '../words.ts';
import { Confirm } from './confirm.tsx';
import { Details } from './details.tsx';
import { ToneIcon } from './icons.tsx';
import { Panel } from './panel.tsx';

export function AnswersPage({ answers }: { readonly answers: Answers | null }) {
  const { words, send } = useShell();
  const erase = (): void => {
    send({ type: 'erase', clientId: null });
    send({ type: 'open', page: 'answers' });
  };
  return (
    <Panel name="answers" title={words.answersTitle}>
      {answers === null ? (
        <p class="hint">{words.answersLoading}</p>
      ) : answers.rows.length === 0 ? (
        <p class="hint">{words.answersNone}</p>
      ) : (
        <>
          <Confirm action="erase" label={words.erase} sure={words.eraseSure} onSure={erase} />
          <ul class="rows">
            {answers.rows.map((row) => (
              <Row key={row.requestId} row={row} />
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

/** How the request ended, in words; a reason this page does not know is left out. */
function endOf(words: Words, { status, reason }: AnswerRow): string {
  const why = reason === null ? undefined : (words.reasons as Readonly<Record<string, string>>)[reason];
  return why === undefined ? words.statuses[status] : `${words.statuses[status]}: ${why}`;
}

function Row({ row }: { readonly row: AnswerRow }) {
  const { words, language } = useShell();
  return (
    <li class="row" data-answer-id={row.requestId}>
      <div class="name-line">
        <span class="tone" data-tone={row.tone} role="img" aria-label={words.tone[row.tone]}>
          <ToneIcon tone={row.tone} />
        </span>
        <span class="name" dir="auto">
          {row.title}
        </span>
        {row.reason === 'suppressed' && (
          <span class="chip" data-role="suppressed">
            {words.keptFromYou}
          </span>
        )}
      </div>
      <p class="hint">
        {words.from} <bdi dir="auto">{row.client}</bdi> · {formatDate(language, row.createdAt)}
      </p>
      <Details text={row.details} />
      {row.answer !== null && (
        <p class="text" data-role="given">
          <span class="label">{words.chose}</span> <bdi dir="auto">{row.answer}</bdi>
        </p>
      )}
      <p class="hint">
        {endOf(words, row)}
        {row.retainedUntil !== null && ` · ${words.erasedOn(formatDate(language, row.retainedUntil))}`}
      </p>
    </li>
  );
}
