/** A question that is answered in the user's own words. */
import { useState } from 'preact/hooks';
import { textFault } from '../check.ts';
import { forgetDraft, useDraft } from '../drafts.ts';
import { Actions } from '../parts/actions.tsx';
import { Details } from '../parts/details.tsx';
import { useShell } from '../shell.ts';
import { codePoints } from '../text.ts';
import { partId, type ViewProps } from './view.ts';

/** From this share of the bound on, the length is shown. */
const COUNT_FROM = 0.8;

export function TextView({ requestId, presentation, busy, deadlineAt, answer, decline }: ViewProps<'text'>) {
  const { words } = useShell();
  const { details, placeholder, maxLength, multiline, masked, allowDecline } = presentation;
  const plain = useDraft(requestId, '');
  // A masked text is kept nowhere but in its own field.
  const secret = useState('');
  const [text, setText] = masked ? secret : plain;
  const [tried, setTried] = useState(false);
  const fault = textFault(words, presentation, text);
  const submit = (): void => {
    setTried(true);
    if (fault !== null || busy) return;
    forgetDraft(requestId);
    answer({ text });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const sends = event.key === 'Enter' && !event.isComposing && (!multiline || event.ctrlKey || event.metaKey);
    if (!sends) return;
    event.preventDefault();
    submit();
  };
  const field = {
    class: 'field',
    'data-role': 'answer',
    dir: 'auto' as const,
    value: text,
    disabled: busy,
    placeholder: placeholder ?? undefined,
    autocomplete: 'off' as const,
    spellcheck: false,
    'aria-labelledby': partId(requestId, 'title'),
    'aria-describedby': partId(requestId, 'fault'),
    'aria-invalid': tried && fault !== null,
    onKeyDown,
    onInput: (event: { currentTarget: { value: string } }) => setText(event.currentTarget.value),
  };
  const length = codePoints(text);
  return (
    <>
      <Details text={details} />
      {multiline && <textarea {...field} rows={3} />}
      {!multiline && (masked ? <input {...field} type="password" /> : <input {...field} type="text" />)}
      <p class={tried && fault !== null ? 'fault' : 'hint'} id={partId(requestId, 'fault')} role="status">
        {tried && fault !== null
          ? fault
          : [
              multiline ? words.sendHint : null,
              length >= maxLength * COUNT_FROM ? words.lengthOf(length, maxLength) : null,
            ]
              .filter(Boolean)
              .join(' · ')}
      </p>
      <Actions
        deadlineAt={deadlineAt}
        busy={busy}
        decline={allowDecline ? decline : null}
        submit={submit}
        blocked={fault !== null}
      />
    </>
  );
}
