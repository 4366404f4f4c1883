/** A question of whose options several may be picked; nothing is sent before the user sends it. */
import { useState } from 'preact/hooks';
import { forgetDraft, useDraft } from '../drafts.ts';
import { Actions } from '../parts/actions.tsx';
import { Details } from '../parts/details.tsx';
import { Option } from '../parts/option.tsx';
import { useShell } from '../shell.ts';
import type { ViewProps } from './view.ts';

export function ChoicesView({ requestId, presentation, busy, deadlineAt, answer, decline }: ViewProps<'choices'>) {
  const { words } = useShell();
  const { details, options, min, max, allowDecline } = presentation;
  const [picked, setPicked] = useDraft<readonly string[]>(requestId, []);
  const [tried, setTried] = useState(false);
  const fits = picked.length >= min && picked.length <= max;
  const toggle = (id: string): void =>
    setPicked(picked.includes(id) ? picked.filter((each) => each !== id) : [...picked, id]);
  const submit = (): void => {
    setTried(true);
    if (!fits) return;
    forgetDraft(requestId);
    answer({ selectedIds: options.map(({ id }) => id).filter((id) => picked.includes(id)) });
  };
  return (
    <>
      <Details text={details} />
      <p class={tried && !fits ? 'fault' : 'hint'} role="status">
        {words.pickBetween(min, max)} · {words.lengthOf(picked.length, max)}
      </p>
      <div class="options" data-scroll>
        {options.map((option, index) => (
          <Option
            key={option.id}
            option={option}
            index={index}
            role="checkbox"
            checked={picked.includes(option.id)}
            disabled={busy}
            onPick={() => toggle(option.id)}
          />
        ))}
      </div>
      <Actions
        deadlineAt={deadlineAt}
        busy={busy}
        decline={allowDecline ? decline : null}
        submit={submit}
        blocked={!fits}
      />
    </>
  );
}
