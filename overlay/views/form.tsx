/** One to five fields, sent together. Each fault is told at its field. */
import { useState } from 'preact/hooks';
import type { FormField } from '../../server/protocol/presentation.ts';
import { type Draft, fieldFault, formValues } from '../check.ts';
import { forgetDraft, useDraft } from '../drafts.ts';
import { Actions } from '../parts/actions.tsx';
import { Details } from '../parts/details.tsx';
import { Option } from '../parts/option.tsx';
import { useShell } from '../shell.ts';
import { partId, type ViewProps } from './view.ts';

type Drafts = Readonly<Record<string, Draft>>;

export function FormView({ requestId, presentation, busy, trouble, deadlineAt, answer, decline }: ViewProps<'form'>) {
  const { words } = useShell();
  const { details, fields, allowDecline } = presentation;
  const [drafts, setDrafts] = useDraft<Drafts>(requestId, {});
  const [tried, setTried] = useState(false);
  const faults = fields.map((field) => fieldFault(words, field, drafts[field.id]));
  const sound = faults.every((fault) => fault === null);
  const submit = (): void => {
    setTried(true);
    if (!sound || busy) return;
    forgetDraft(requestId);
    answer({ values: formValues(fields, drafts) });
  };
  const refusedAt = (field: FormField, index: number): boolean =>
    trouble?.kind === 'refused' && (trouble.field === field.id || trouble.field === `/fields/${index}`);
  return (
    <>
      <Details text={details} />
      <div class="fields" data-scroll>
        {fields.map((field, index) => (
          <FieldRow
            key={field.id}
            id={partId(requestId, `f${index}`)}
            field={field}
            draft={drafts[field.id]}
            busy={busy}
            fault={(tried ? faults[index] : null) ?? (refusedAt(field, index) ? words.refused : null)}
            onDraft={(draft) => setDrafts({ ...drafts, [field.id]: draft })}
            onEnter={submit}
          />
        ))}
      </div>
      <Actions
        deadlineAt={deadlineAt}
        busy={busy}
        decline={allowDecline ? decline : null}
        submit={submit}
        blocked={!sound}
      />
    </>
  );
}

interface FieldRowProps {
  readonly id: string;
  readonly field: FormField;
  readonly draft: Draft | undefined;
  readonly busy: boolean;
  readonly fault: string | null;
  readonly onDraft: (draft: Draft) => void;
  readonly onEnter: () => void;
}

function FieldRow(props: FieldRowProps) {
  const { words } = useShell();
  const { id, field, fault } = props;
  const label = (
    <>
      <span dir="auto">{field.label}</span>
      {!field.required && field.type !== 'boolean' && <span class="hint"> {words.optional}</span>}
    </>
  );
  return (
    <div class="field-row" data-kind={field.type}>
      {field.type === 'enum' ? (
        <span class="label" id={`${id}-label`}>
          {label}
        </span>
      ) : (
        <label class="label" for={id}>
          {label}
        </label>
      )}
      {field.description !== undefined && (
        <p class="hint" id={`${id}-text`} dir="auto">
          {field.description}
        </p>
      )}
      <FieldControl {...props} />
      <p class="fault" id={`${id}-fault`} role="status">
        {fault}
      </p>
    </div>
  );
}

function FieldControl({ id, field, draft, busy, fault, onDraft, onEnter }: FieldRowProps) {
  const described = { 'aria-describedby': `${id}-text ${id}-fault`, 'aria-invalid': fault !== null };
  switch (field.type) {
    case 'enum':
      return (
        <div class="options" role="radiogroup" data-field-id={field.id} aria-labelledby={`${id}-label`} {...described}>
          {(field.options ?? []).map((option, index) => (
            <Option
              key={option.id}
              option={option}
              index={index}
              role="radio"
              checked={draft === option.id}
              disabled={busy}
              onPick={() => onDraft(option.id)}
            />
          ))}
        </div>
      );
    case 'boolean':
      return (
        <input
          id={id}
          type="checkbox"
          data-field-id={field.id}
          checked={draft === true}
          disabled={busy}
          onChange={(event) => onDraft(event.currentTarget.checked)}
          {...described}
        />
      );
    default:
      return (
        <input
          id={id}
          class="field"
          type="text"
          inputMode={field.type === 'string' ? 'text' : field.type === 'integer' ? 'numeric' : 'decimal'}
          autocomplete="off"
          spellcheck={false}
          dir="auto"
          data-field-id={field.id}
          value={typeof draft === 'string' ? draft : ''}
          disabled={busy}
          onInput={(event) => onDraft(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && !event.isComposing && onEnter()}
          {...described}
        />
      );
  }
}
