/** A question with two to five options; pressing one answers. The suggested one is marked, never taken by itself. */
import { Actions } from '../parts/actions.tsx';
import { Details } from '../parts/details.tsx';
import { Option } from '../parts/option.tsx';
import type { ViewProps } from './view.ts';

export function ChoiceView({ presentation, busy, deadlineAt, answer, decline }: ViewProps<'choice'>) {
  const { details, options, suggestedId, allowDecline } = presentation;
  return (
    <>
      <Details text={details} />
      <div class="options" data-scroll>
        {options.map((option, index) => (
          <Option
            key={option.id}
            option={option}
            index={index}
            suggested={option.id === suggestedId}
            disabled={busy}
            onPick={() => answer({ selectedId: option.id })}
          />
        ))}
      </div>
      <Actions deadlineAt={deadlineAt} busy={busy} decline={allowDecline ? decline : null} submit={null} />
    </>
  );
}
